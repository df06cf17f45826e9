"use client";

import Link from "next/link";
import type { CrudEntity } from "@/components/backoffice/crud/crud-entity";
import type { FieldsOf, ValuesOf } from "@/components/backoffice/crud/crud-field";
import { colorInput, textInput } from "@/components/backoffice/forms/inputs";
import { Swatch } from "@/components/backoffice/forms/search-select";
import type { adminCategoryResource, adminTagResource } from "@/lib/catalogue/admin-resource";
import { DEFAULT_COLOR, labelChange, labelInput } from "@/lib/catalogue/admin-schemas";
import type { JsonOf } from "@/lib/http/api/resource";

// Categories and tags: a name, a colour, and their products.

export type CategoryRow = JsonOf<typeof adminCategoryResource>;
export type TagRow = JsonOf<typeof adminTagResource>;

export const labelFields = {
  name: {
    label: "Nom",
    column: { isSortable: true, className: "lg:min-w-40 font-medium" },
    input: textInput({ required: true }),
  },
  color: {
    label: "Couleur",
    column: {
      cell: ({ color }) => (
        <span className="inline-flex items-center gap-2 whitespace-nowrap">
          <Swatch color={color} />
          <code className="text-xs">{color}</code>
        </span>
      ),
    },
    input: colorInput(DEFAULT_COLOR),
  },
  products: {
    label: "Produits associés",
    column: {
      className: "lg:w-full",
      cell: ({ products, productsCount }) => (
        <>
          <ul className="flex max-h-[5.5lh] flex-wrap gap-x-4 gap-y-0.5 overflow-y-auto">
            {products.map(({ id, name }) => (
              <li key={id}>
                <Link href={`/product/${id}`} prefetch={false} className="link">
                  {`#${id} - ${name}`}
                </Link>
              </li>
            ))}
          </ul>
          {productsCount > products.length && (
            <p className="text-muted">{`et ${productsCount - products.length} autres`}</p>
          )}
        </>
      ),
    },
  },
} satisfies FieldsOf<TagRow>;

type LabelValues = ValuesOf<typeof labelFields>;

/** Shared by categories and tags. */
export const LABEL = {
  searchHint: "Nom",
  fields: labelFields,
  filters: [],
  schema: (_: LabelValues, row: TagRow | null) => (row ? labelChange : labelInput),
  toJson: (values: LabelValues) => values,
} as const;

export type LabelEntity<Row extends TagRow> = CrudEntity<Row, LabelValues>;
