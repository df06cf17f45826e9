import { type SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { fromReplica } from "@/db/replica";
import { products } from "@/db/schema/catalogue";
import { found } from "@/lib/errors";
import type { Page } from "@/lib/http/api/paging";
import { type LabelRow, listCategories, listTags } from "./labels";
import { productColumns } from "./product-columns";

type LabelIds = "defaultCategoryId" | "categoryIds" | "tagIds";
type ReadRow = SelectResultFields<typeof productColumns>;

/** A product with its labels, as the API shows it. Never holds the download link. */
export type ProductRow = Omit<ReadRow, LabelIds> & {
  defaultCategory: LabelRow;
  categories: LabelRow[];
  tags: LabelRow[];
};

/** A page from its products and one more. */
export function pageOf({
  items,
  limit,
  offset,
  total,
}: {
  items: ProductRow[];
  limit: number;
  offset: number;
  total: number;
}): Page<ProductRow> {
  const hasNext = items.length > limit;
  // An estimate must not contradict the rows that were read.
  const seen = offset + items.length;
  return {
    items: items.slice(0, limit),
    total: hasNext ? Math.max(total, seen) : items.length > 0 ? seen : total,
    hasNext,
  };
}

export type InOrder = {
  /** A query of product ids in the wanted order. */
  ids: SQL;
  /** CTEs for both others: `with …`. */
  prelude?: SQL;
  /** How many there are in all, where that is known. */
  total?: SQL;
  /** Leaves the names of the categories out, which then need not be read. */
  isUncategorized?: boolean | undefined;
};

export const EMPTY_PAGE: Page<ProductRow> = { items: [], total: 0, hasNext: false };

/** The products of a query of ids, in its order, by one statement. */
export async function readInOrder({
  ids,
  prelude = sql``,
  total = sql`null`,
  isUncategorized = false,
}: InOrder) {
  const found = sql`(${prelude} select array(${ids}) as ids, ${total} as total) found
    cross join lateral unnest(found.ids) with ordinality as wanted (id, place)`;
  const rows = await fromReplica((db) =>
    db
      .select({ ...productColumns, total: sql<number | null>`found.total` })
      .from(found)
      .innerJoin(products, sql`${products.id} = wanted.id`)
      .orderBy(sql`wanted.place`),
  );
  return { items: await withLabels(rows, { isUncategorized }), total: rows[0]?.total ?? null };
}

/** The products with these ids, in their order, without unknown ones. */
export async function listProductsByIds(ids: readonly number[]): Promise<ProductRow[]> {
  if (ids.length === 0) return [];
  return (await readInOrder({ ids: sql`select unnest(${sql.param([...ids])}::int[])` })).items;
}

export async function getProduct(id: number): Promise<ProductRow | null> {
  return (await listProductsByIds([id]))[0] ?? null;
}

/** Adds the names and colours of categories and tags, which are few and cached. */
async function withLabels(
  rows: readonly (ReadRow & { total: number | null })[],
  { isUncategorized }: { isUncategorized: boolean },
): Promise<ProductRow[]> {
  const [categories, tags] = await Promise.all([
    isUncategorized ? new Map() : labelsById(listCategories),
    labelsById(listTags),
  ]);
  const named = (labels: Map<number, LabelRow>, id: number) =>
    labels.get(id) ?? { id, name: "", color: "#eeeeee" };
  return rows.map(({ defaultCategoryId, categoryIds, tagIds, total: _, ...row }) => ({
    ...row,
    defaultCategory: named(categories, defaultCategoryId),
    categories: categoryIds.map((id) => named(categories, id)),
    tags: tagIds.map((id) => named(tags, id)),
  }));
}

async function labelsById(list: () => Promise<LabelRow[]>) {
  return new Map((await list()).map((label) => [label.id, label]));
}

/** The product; 404 where there is none. */
export const requireProduct = async (id: number) => found(await getProduct(id));
