import { eq, SQL, sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { db } from "@/db";
import { products } from "@/db/schema/catalogue";
import { requireRow } from "@/lib/errors/failure";
import type { Page } from "@/lib/http/api/paging";
import { listCategories, listTags } from "./labels";
import { productColumns } from "./product-columns";
import type { CatalogueLabel } from "./rules";
import type { ProductFilters } from "./schemas";

type LabelIds = "defaultCategoryId" | "categoryIds" | "tagIds";
type ReadRow = SelectResultFields<typeof productColumns>;

/** A product with its labels, as the API shows it. It never contains the download link. */
export type ProductRow = Omit<ReadRow, LabelIds> & {
  defaultCategory: CatalogueLabel;
  categories: CatalogueLabel[];
  tags: CatalogueLabel[];
};

/** The condition on the table `products` that a product has this status: by default that it is on sale. */
export const isOnSale = ({ status = "active" }: Pick<ProductFilters, "status"> = {}) =>
  status === "any" ? undefined : eq(products.status, status);

export const EMPTY_PAGE: Page<ProductRow> = { items: [], total: 0, hasNext: false };

/**
 * The products with these ids, or with the ids of a query, in the same order. Unknown ids are left out.
 *
 * @param isUncategorized leaves out the names of categories, so that categories need not be read
 * @param status by default drafts are left out, too
 */
export async function listProductsByIds(
  ids: SQL | readonly number[],
  {
    isUncategorized = false,
    status,
  }: { isUncategorized?: boolean | undefined } & Pick<ProductFilters, "status"> = {},
): Promise<ProductRow[]> {
  if (Array.isArray(ids) && ids.length === 0) return [];
  const list = ids instanceof SQL ? sql`array(${ids})` : sql`${sql.param([...ids])}::int[]`;
  const wanted = sql`unnest(${list}) with ordinality as wanted (id, place)`;
  const rows = await db
    .select(productColumns)
    .from(products)
    .innerJoin(wanted, sql`${products.id} = wanted.id`)
    .where(isOnSale({ status }))
    .orderBy(sql`wanted.place`);
  return withLabels(rows, { isUncategorized });
}

/** A product on sale. */
export async function getProduct(id: number): Promise<ProductRow | null> {
  return (await listProductsByIds([id]))[0] ?? null;
}

/** Adds the names and colours of categories and tags, from their cache. */
async function withLabels(
  rows: readonly ReadRow[],
  { isUncategorized }: { isUncategorized: boolean },
): Promise<ProductRow[]> {
  const [categories, tags] = await Promise.all([
    isUncategorized ? new Map() : labelsById(listCategories),
    labelsById(listTags),
  ]);
  const named = (labels: Map<number, CatalogueLabel>, id: number) =>
    labels.get(id) ?? { id, name: "", color: "#eeeeee" };
  return rows.map(({ defaultCategoryId, categoryIds, tagIds, ...row }) => ({
    ...row,
    defaultCategory: named(categories, defaultCategoryId),
    categories: categoryIds.map((id) => named(categories, id)),
    tags: tagIds.map((id) => named(tags, id)),
  }));
}

async function labelsById(list: () => Promise<CatalogueLabel[]>) {
  return new Map((await list()).map((label) => [label.id, label]));
}

/** The product on sale. @throws 404 */
export const requireProduct = async (id: number) => requireRow(await getProduct(id));
