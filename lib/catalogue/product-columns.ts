import { getTableColumns, sql } from "drizzle-orm";
import { products } from "@/db/schema/catalogue";
import type { ProductType } from "@/lib/shop/product-type";
import { KIND_FIELDS } from "./admin-schemas";

// The columns of a product that are read and written. A new column is read everywhere; `resource.ts` decides
// what is shown of it. A new field of `admin-schemas.ts` is written to the column of the same name.

const { nameKey, searchVector, averageRating, updatedAt, downloadLink, version, ...shown } =
  getTableColumns(products);

export const productColumns = {
  ...shown,
  /** ISO 8601, UTC. */
  createdAt: sql<
    string | null
  >`to_char(products.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"+00:00"')`,
};

/** Columns that only administrators see. */
export const adminColumns = { downloadLink, version };

/** Fields whose name in the API differs from the column's. */
const COLUMN_NAMES = {
  price: "priceCents",
  vatRate: "vatRateBp",
  defaultCategory: "defaultCategoryId",
  filesize: "fileSizeKb",
  filetype: "fileType",
} as const;

type ColumnNames = typeof COLUMN_NAMES;
type ColumnOf<Field> = Field extends keyof ColumnNames ? ColumnNames[Field] : Field;
type Columns<Input> = {
  [Field in Exclude<keyof Input, "image" | "images"> as ColumnOf<Field>]: Input[Field];
};

/** Written together, by the rule of product-images.ts. */
const PICTURES: ReadonlySet<string> = new Set(["image", "images"]);

/**
 * The columns of the sent fields, without the pictures. Columns that only the other kind has are set to null, even
 * if sent.
 */
export function columnsOf<Input extends object>(
  type: ProductType,
  input: Input,
): Columns<Input> & { type: ProductType } {
  const names = new Map<string, string>(Object.entries(COLUMN_NAMES));
  const others = KIND_FIELDS[type === "physical" ? "digital" : "physical"];
  const emptied = Object.fromEntries(others.map((field) => [field, null]));
  const columns = Object.entries({ ...input, ...emptied })
    .filter(([field, value]) => value !== undefined && !PICTURES.has(field))
    .map(([field, value]) => [names.get(field) ?? field, value]);
  return { ...Object.fromEntries(columns), type };
}
