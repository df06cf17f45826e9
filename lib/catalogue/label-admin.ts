import { sql } from "drizzle-orm";
import { db } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { categories, LABEL_SIZE_KIND, LISTING_KIND, tags } from "@/db/schema/catalogue";
import { contains } from "@/db/search-text";
import { type ByIds, type CsvColumns, isAmong, listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { adminCategoryResource, adminTagResource } from "./admin-resource";
import type { LabelListQuery } from "./admin-schemas";

// Labels are categories and tags. A product must have a default category; tags are optional.

/** A category or a tag with its products. */
export interface AdminLabelRow {
  id: number;
  name: string;
  color: string;
  version: number;
  /** The first products, by id. */
  products: { id: number; name: string }[];
  productsCount: number;
  /** Products whose default category this is; 0 for a tag. */
  defaultProductsCount: number;
}

export type LabelKind = "category" | "tag";

export const KINDS = {
  category: {
    table: categories,
    entity: "Category",
    listing: LISTING_KIND.category,
    cacheTag: CACHE_TAGS.categories,
    json: adminCategoryResource.toJson,
    fileName: "categories",
  },
  tag: {
    table: tags,
    entity: "Tag",
    listing: LISTING_KIND.tag,
    cacheTag: CACHE_TAGS.tags,
    json: adminTagResource.toJson,
    fileName: "tags",
  },
} as const;

/** Most products in the JSON of a label; all products are counted. */
const MAX_NAMED_PRODUCTS = 100;

async function readLabels(
  kind: LabelKind,
  { ids, tx = db }: ByIds,
): Promise<readonly AdminLabelRow[]> {
  const { table, listing } = KINDS[kind];
  const first = (isDigital: boolean) => sql`(
    select product_id from product_listings
    where kind = ${listing} and facet_id = t.id and is_digital = ${isDigital}
    order by product_id limit ${MAX_NAMED_PRODUCTS})`;
  const size = (sizeKind: keyof typeof LABEL_SIZE_KIND) => sql`(
    select coalesce(sum(s.products), 0)::int from label_sizes s
    where s.kind = ${LABEL_SIZE_KIND[sizeKind]} and s.label_id = t.id)`;
  return tx.execute<AdminLabelRow & Record<string, unknown>>(sql`
    select t.id, t.name, t.color, t.version,
      ${size(kind)} as "productsCount",
      ${kind === "category" ? size("defaultCategory") : sql`0`} as "defaultProductsCount",
      coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name) order by p.id)
        from (
          select product_id from (${first(false)} union all ${first(true)}) both_kinds
          order by product_id limit ${MAX_NAMED_PRODUCTS}
        ) named join products p on p.id = named.product_id
      ), '[]') as products
    from ${table} t where ${isAmong(sql`t.id`, ids)}`);
}

const COLUMNS: CsvColumns<AdminLabelRow> = {
  ID: ({ id }) => id,
  Nom: ({ name }) => name,
  Couleur: ({ color }) => color,
  Produits: ({ productsCount }) => productsCount,
};

const labelsOf = (kind: LabelKind) =>
  listOf({
    sourceOf: listSource<LabelListQuery>({
      from: sql`${KINDS[kind].table} t`,
      id: sql`t.id`,
      sorts: { name: inFrenchOrder(sql`t.name`), color: sql`t.color` },
      fallback: { field: "name", direction: "asc" },
      // Labels are few: no index is needed.
      where: ({ search }) => (search ? [contains(sql`t.name`, search)] : []),
    }),
    read: (which) => readLabels(kind, which),
    fileName: KINDS[kind].fileName,
    columns: COLUMNS,
    toJson: (label: AdminLabelRow) => label,
  });

/** The categories and the tags, with their products. */
export const LABEL_LISTS = { category: labelsOf("category"), tag: labelsOf("tag") };
