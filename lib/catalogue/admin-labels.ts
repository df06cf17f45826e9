import { eq, sql } from "drizzle-orm";
import type { z } from "zod";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { inFrenchOrder } from "@/db/french-order";
import {
  categories,
  DRAFT_LISTINGS,
  LABEL_SIZE_KIND,
  LISTING_KIND,
  products,
  tags,
} from "@/db/schema/catalogue";
import { contains } from "@/db/search-text";
import { type Act, recordChange, recordDeletions } from "@/lib/audit/mutations";
import { adminEntity, changeRow, insertRow } from "@/lib/backoffice/entity";
import type { ByIds, CsvColumns } from "@/lib/backoffice/list";
import { fail } from "@/lib/errors/failure";
import type { Resource } from "@/lib/http/api/resource";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { adminCategoryResource, adminTagResource } from "./admin-resource";
import {
  categoryChange,
  categoryInput,
  labelChange,
  labelInput,
  labelListQuery,
} from "./admin-schemas";
import { categoryInUse } from "./texts";

// Labels are categories and tags. A product must have a default category; tags are optional.

/** A category or a tag with its products. */
export interface AdminLabelRow {
  id: number;
  name: string;
  color: string;
  /** A category's characteristics to filter by; none for a tag. */
  filters: string[];
  version: number;
  /** The first products on sale, by id. */
  products: { id: number; name: string }[];
  /** Without drafts. */
  productsCount: number;
  /** Products whose default category this is, drafts included; 0 for a tag. */
  defaultProductsCount: number;
}

type LabelKind = "category" | "tag";

const TABLES = { category: categories, tag: tags } as const;

/** Most products in the JSON of a label; all products are counted. */
const MAX_NAMED_PRODUCTS = 100;

async function readLabels(
  kind: LabelKind,
  { ids, tx = db }: ByIds,
): Promise<readonly AdminLabelRow[]> {
  const first = (isDigital: boolean) => sql`(
    select product_id from product_listings
    where kind = ${LISTING_KIND[kind]} and facet_id = t.id and is_digital = ${isDigital}
    order by product_id limit ${MAX_NAMED_PRODUCTS})`;
  const size = (sizeKind: keyof typeof LABEL_SIZE_KIND) => sql`(
    select coalesce(sum(s.products), 0)::int from label_sizes s
    where s.kind = ${LABEL_SIZE_KIND[sizeKind]} and s.label_id = t.id)`;
  return tx.execute<AdminLabelRow & Record<string, unknown>>(sql`
    select t.id, t.name, t.color, t.version,
      ${kind === "category" ? sql`t.filters` : sql`'{}'::text[]`} as filters,
      ${size(kind)} as "productsCount",
      ${kind === "category" ? size("defaultCategory") : sql`0`} as "defaultProductsCount",
      coalesce((
        select json_agg(json_build_object('id', p.id, 'name', p.name) order by p.id)
        from (
          select product_id from (${first(false)} union all ${first(true)}) both_kinds
          order by product_id limit ${MAX_NAMED_PRODUCTS}
        ) named join products p on p.id = named.product_id
      ), '[]') as products
    from ${TABLES[kind]} t where ${isAmong(sql`t.id`, ids)}`);
}

const COLUMNS: CsvColumns<AdminLabelRow> = {
  ID: ({ id }) => id,
  Nom: ({ name }) => name,
  Couleur: ({ color }) => color,
  Produits: ({ productsCount }) => productsCount,
};

function labelEntity<
  S extends z.ZodObject,
  Input extends typeof labelInput,
  Change extends typeof labelChange,
>({
  kind,
  entity,
  fileName,
  resource,
  input,
  change,
}: {
  kind: LabelKind;
  entity: "Category" | "Tag";
  fileName: "categories" | "tags";
  resource: Resource<AdminLabelRow, S>;
  input: Input;
  change: Change;
}) {
  const table = TABLES[kind];
  return adminEntity({
    entity,
    table,
    resource,
    query: labelListQuery,
    source: {
      from: sql`${table} t`,
      id: sql`t.id`,
      sorts: { name: inFrenchOrder(sql`t.name`), color: sql`t.color` },
      fallback: { field: "name", direction: "asc" },
      // Labels are few: no index is needed.
      where: ({ search }) => (search ? [contains(sql`t.name`, search)] : []),
    },
    read: (which) => readLabels(kind, which),
    fileName,
    columns: COLUMNS,
    csvItem: (label: AdminLabelRow) => label,
    input,
    change,
    create: (tx, { input }) => insertRow(tx, table, input),
    update: (tx, { id, input }) => changeRow(tx, table, { id, ...input }),
    /** Removes the label from its products, too. @throws 409 for the default category of a product */
    remove: async (tx, { id }) => {
      // While the label is locked, no product can be added to it.
      const isDefault = eq(products.defaultCategoryId, id);
      const count = kind === "category" ? await tx.$count(products, isDefault) : 0;
      if (count > 0) throw fail.conflict(categoryInUse(count));
      await lockProducts(tx, { kind, id, lock: "no key update" });
      await tx.delete(table).where(eq(table.id, id));
    },
    snapshotOf: kind === "category" ? categorySnapshotOf : snapshotOf,
    // Cached lists of products contain the names and colours of labels.
    expire: ({ before }) =>
      invalidate([CACHE_TAGS[fileName], ...(before ? [CACHE_TAGS.catalogue] : [])]),
  });
}

export const adminCategories = labelEntity({
  kind: "category",
  entity: "Category",
  fileName: "categories",
  resource: adminCategoryResource,
  input: categoryInput,
  change: categoryChange,
});

export const adminTags = labelEntity({
  kind: "tag",
  entity: "Tag",
  fileName: "tags",
  resource: adminTagResource,
  input: labelInput,
  change: labelChange,
});

/** The JSON for the history, without products: they have their own entries. */
function snapshotOf({ id, name, color, version }: AdminLabelRow) {
  return { id, name, color, version };
}

function categorySnapshotOf(category: AdminLabelRow) {
  return { ...snapshotOf(category), filters: category.filters };
}

/**
 * Deletes a category together with the products whose default category it is. Other products only lose the
 * category; orders keep their lines.
 *
 * @throws 404
 */
export async function deleteCategoryWithProducts({ actor, id }: Act): Promise<void> {
  const deleted = await db.transaction(async (tx) => {
    await tx.select().from(categories).where(eq(categories.id, id)).for("update");
    const before = categorySnapshotOf(await adminCategories.one({ id, tx }));
    const listed = await lockProducts(tx, { kind: "category", id, lock: "update" });
    const ids = listed
      .filter(({ defaultCategoryId }) => defaultCategoryId === id)
      .map((row) => row.id);
    await recordDeletions(tx, {
      actor,
      entity: "Product",
      objects: sql`
        select p.id, jsonb_build_object('id', p.id, 'name', p.name, 'productType', p.type,
          'price', p.price_cents / 100.0, 'defaultCategory',
          jsonb_build_object('id', ${id}::int, 'name', ${before.name}::text)) as before
        from products p where p.default_category_id = ${id}`,
    });
    await tx.execute(sql`delete from products where default_category_id = ${id}`);
    await tx.delete(categories).where(eq(categories.id, id));
    await recordChange(tx, {
      actor,
      entity: "Category",
      id,
      before: { ...before, deletedProducts: ids.length },
      after: null,
    });
    return ids;
  });
  await invalidate([
    CACHE_TAGS.categories,
    CACHE_TAGS.catalogue,
    ...deleted.map(CACHE_TAGS.product),
  ]);
}

/** Locks the products of a label, drafts included, in the order of their ids, as everywhere. */
async function lockProducts(
  tx: Transaction,
  { kind, id, lock }: { kind: LabelKind; id: number; lock: "update" | "no key update" },
): Promise<readonly { id: number; defaultCategoryId: number }[]> {
  return tx.execute<{ id: number; defaultCategoryId: number }>(sql`
    select p.id, p.default_category_id as "defaultCategoryId" from products p
    where p.id in (
      select product_id from product_listings
      where kind in (${LISTING_KIND[kind]}, ${LISTING_KIND[kind] + DRAFT_LISTINGS}) and facet_id = ${id})
    order by p.id for ${sql.raw(lock)}`);
}
