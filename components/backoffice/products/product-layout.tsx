import type { ReactNode } from "react";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import { Alert } from "@/components/ui/alert";
import { priceWarning } from "@/lib/catalogue/price-warning";
import { Characteristics } from "./characteristics";
import { fields, type ProductRow, type ProductValues } from "./product-fields";

/** Part of the form, with a heading. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-4 not-first:border-line not-first:border-t not-first:pt-5">
      <h3 className="font-semibold">{title}</h3>
      {children}
    </div>
  );
}

/** The field of the default category. A chosen one is a category of the product, too. */
function defaultCategoryField(control: LayoutProps["control"]) {
  const { onChange, ...props } = control("defaultCategory");
  const categories = control("categories");
  return fields.defaultCategory.input.render?.({
    ...props,
    onChange: (chosen) => {
      onChange(chosen);
      if (chosen && !categories.value.some(({ id }) => id === chosen.id))
        categories.onChange([...categories.value, chosen]);
    },
  });
}

type Layout = NonNullable<CrudEntity<ProductRow, ProductValues>["layout"]>;
type LayoutProps = Parameters<Layout>[0];

export const layout: Layout = ({ field, control, values }) => (
  <>
    <Section title="Fiche">
      {field("name")}
      {field("description")}
      <div className="grid gap-4 sm:grid-cols-2">
        {field("type")}
        {field("status")}
      </div>
      <div className="grid gap-4 sm:grid-cols-3">
        {field("brand")}
        {field("sku")}
        {field("gtin")}
      </div>
    </Section>
    <Section title="Images">{field("images")}</Section>
    <Section title="Prix et TVA">
      <div className="grid gap-4 sm:grid-cols-2">
        {field("price")}
        {field("vatRate")}
      </div>
      {priceWarning(values.price) && <Alert kind="warning">{priceWarning(values.price)}</Alert>}
    </Section>
    <Section title="Classement">
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {defaultCategoryField(control)}
        {field("categories")}
        {field("tags")}
      </div>
    </Section>
    {values.type === "digital" ? (
      <Section title="Fichier">
        {field("downloadLink")}
        <div className="grid gap-4 sm:grid-cols-2">
          {field("filesize")}
          {field("filetype")}
        </div>
      </Section>
    ) : (
      <Section title="Stock et envoi">
        <div className="grid items-start gap-4 sm:grid-cols-3">
          {field("stock")}
          {field("lowStockThreshold")}
          {field("weight")}
        </div>
        <Characteristics
          list={control("characteristics")}
          name={control("characteristicName")}
          value={control("characteristicValue")}
        />
      </Section>
    )}
  </>
);
