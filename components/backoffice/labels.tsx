"use client";

import Link from "next/link";
import { TextField } from "@/components/ui/field";
import { REQUIRED } from "@/lib/texts";
import { ID_COLUMN } from "./columns";
import type { Column, CrudEntity, CrudRow, FieldsProps } from "./crud-entity";
import { Swatch } from "./search-select";

// Categories and tags: a name, a colour, and their products.

export interface LabelRow extends CrudRow {
  name: string;
  /** `#rrggbb`. */
  color: string;
  products?: readonly { id: number; name: string }[];
  /** How many products there are, if the list holds only the first ones. */
  productsCount?: number;
}

interface LabelValues {
  name: string;
  color: string;
}

const NEW_COLOR = "#3b82f6";

const columns: readonly Column<LabelRow>[] = [
  ID_COLUMN,
  {
    id: "name",
    label: "Nom",
    orderBy: "name",
    cell: ({ name }) => name,
    className: "lg:min-w-40 font-medium",
  },
  {
    id: "color",
    label: "Couleur",
    cell: ({ color }) => (
      <span className="inline-flex items-center gap-2 whitespace-nowrap">
        <Swatch color={color} />
        <code className="text-xs">{color}</code>
      </span>
    ),
  },
  {
    id: "products",
    label: "Produits associés",
    className: "lg:w-full",
    cell: ({ products = [], productsCount = products.length }) => (
      <>
        <ul className="flex max-h-[5.5lh] flex-wrap gap-x-4 gap-y-0.5 overflow-y-auto">
          {products.map(({ id, name }) => (
            <li key={id}>
              <Link href={`/product/${id}`} prefetch={false} className="link">
                #{id} - {name}
              </Link>
            </li>
          ))}
        </ul>
        {productsCount > products.length && (
          <p className="text-muted">et {productsCount - products.length} autres</p>
        )}
      </>
    ),
  },
];

function LabelFields({ values, set, problem }: FieldsProps<LabelRow, LabelValues>) {
  return (
    <>
      <TextField
        label="Nom"
        value={values.name}
        onChange={({ target }) => set("name", target.value)}
        required
        {...problem("name")}
      />
      <TextField
        type="color"
        label="Couleur"
        hint={values.color}
        value={values.color}
        onChange={({ target }) => set("color", target.value)}
        className="[&_.control]:w-20 [&_.control]:p-1.5"
        {...problem("color")}
      />
    </>
  );
}

const shared = {
  searchHint: "Nom",
  columns,
  filters: [],
  newValues: () => ({ name: "", color: NEW_COLOR }),
  valuesOf: ({ name, color }: LabelRow) => ({ name, color }),
  labels: { name: "Nom", color: "Couleur" },
  check: ({ name }: LabelValues) =>
    name.trim() === "" ? [{ field: "name", message: REQUIRED }] : [],
  Fields: LabelFields,
} as const;

type LabelEntity = CrudEntity<LabelRow, LabelValues>;

const saveAt =
  (path: string): LabelEntity["request"] =>
  (values, row) => ({
    method: row ? "PUT" : "POST",
    path: row ? `${path}/${row.id}` : path,
    json: { ...values },
  });

/** The entity of a kind of label. */
export const labelEntity = ({
  path,
  ...own
}: Omit<LabelEntity, keyof typeof shared | "request">): LabelEntity => ({
  ...shared,
  ...own,
  path,
  request: saveAt(path),
});
