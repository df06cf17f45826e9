import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { inFrenchOrder } from "@/db/french-order";
import { products } from "@/db/schema/catalogue";
import { type ByIds, type ListSource, listOf, type Reader } from "@/lib/backoffice/list";
import { sortFor } from "@/lib/backoffice/list-order";
import { sortOf } from "@/lib/backoffice/list-query";
import { idIn } from "@/lib/backoffice/search";
import { fail } from "@/lib/errors/failure";
import type { Page } from "@/lib/http/api/paging";
import type { ProductType } from "@/lib/shop/product-type";
import { adminProductResource, productCsvColumns } from "./admin-resource";
import type { AdminProductQuery } from "./admin-schemas";
import { conditionsOf } from "./conditions";
import { adminColumns, productColumns } from "./product-columns";
import type { ProductRow } from "./product-rows";
import { listProducts, type ProductPage } from "./queries";
import type { CatalogueLabel } from "./rules";
import { viewOfQuery } from "./schemas";
import { searchCondition } from "./search/words";

export type AdminProductRow = ProductRow & { downloadLink: string | null; version: number };

export type AdminProductPage = Page<AdminProductRow> & Pick<ProductPage, "approximate">;

/** Products by id, in their present state: labels are read from the database, too, not from the cache. */
async function readProducts({ ids, tx = db }: ByIds): Promise<AdminProductRow[]> {
  const label = (alias: SQL) =>
    sql`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'color', ${alias}.color)`;
  return tx
    .select({
      ...productColumns,
      ...adminColumns,
      defaultCategory: sql<CatalogueLabel>`(select ${label(sql`c`)} from categories c
        where c.id = products.default_category_id)`,
      categories: sql<CatalogueLabel[]>`coalesce((select json_agg(${label(sql`c`)} order by c.id)
        from product_categories l join categories c on c.id = l.category_id
        where l.product_id = products.id), '[]')`,
      tags: sql<CatalogueLabel[]>`coalesce((select json_agg(${label(sql`t`)} order by t.id)
        from product_tags l join tags t on t.id = l.tag_id
        where l.product_id = products.id), '[]')`,
    })
    .from(products)
    .where(isAmong(products.id, ids));
}

const SORTS = {
  name: inFrenchOrder(sql`p.name`),
  price: sql`p.price_cents`,
  createdAt: sql`p.created_at`,
  stock: sql`p.stock`,
} satisfies Record<string, SQL>;

/** The public list's view of a query, with drafts. */
const viewOf = (query: AdminProductQuery) => ({
  ...viewOfQuery(query),
  status: query.status ?? ("any" as const),
});

async function sourceOf(query: Partial<AdminProductQuery>): Promise<ListSource> {
  const { search, ...filters } = viewOf({ page: 1, itemsPerPage: 30, ...query });
  const where = conditionsOf(filters);
  if (search) {
    const matches = await searchCondition(search);
    // The search text may be a product id.
    const id = idIn(search);
    where.push(id === null ? matches : sql`(p.id = ${id} or ${matches})`);
  }
  if (query.withoutImage !== undefined)
    where.push(
      query.withoutImage ? sql`coalesce(p.image, '') = ''` : sql`coalesce(p.image, '') <> ''`,
    );
  if (query.withoutWeight !== undefined)
    where.push(
      query.withoutWeight
        ? sql`p.weight is null and p.type = 'physical'`
        : sql`p.weight is not null`,
    );
  // The same conditions as in the partial indexes of these states.
  if (query.stockState === "sold_out") where.push(sql`p.stock = 0`);
  if (query.stockState === "low") where.push(sql`p.stock > 0 and p.stock <= p.low_stock_threshold`);
  return { from: sql`products p`, id: sql`p.id`, where, ...orderOf(query) };
}

/** The back office's own sort, else the public list's: by price, then by date. */
function orderOf({
  price_sort: price,
  date_sort: date,
  ...query
}: Partial<AdminProductQuery>): Pick<ListSource, "by" | "direction"> {
  const listed = {
    field: date ? "createdAt" : price ? "price" : "id",
    direction: date ?? price ?? "asc",
  } as const;
  if (!price || !date || sortOf(query, listed) !== listed)
    return sortFor(query, { sorts: SORTS, fallback: listed });
  // Both keys as one, sorted in one direction. A missing date counts as the newest, as in a sort by date
  // alone.
  const sign = sql.raw(price === date ? "" : "-");
  return { by: sql`(${sign}p.price_cents, p.created_at)`, direction: date };
}

const list = listOf({
  sourceOf,
  read: readProducts,
  fileName: "produits",
  columns: productCsvColumns,
  toJson: adminProductResource.toJson,
});

/** @throws 404, also for a product of another kind than `type` */
export async function requireAdminProduct({
  id,
  type,
  tx = db,
}: {
  id: number;
  type?: ProductType;
  tx?: Reader;
}): Promise<AdminProductRow> {
  const product = await list.one({ id, tx });
  if (type && product.type !== type) throw fail.notFound();
  return product;
}

/**
 * One page of the products for administrators. The public list answers the queries that it supports. The back
 * office's own sorts and filters use other indexes.
 */
export async function listAdminProducts(query: AdminProductQuery): Promise<AdminProductPage> {
  const isOwn =
    query.withoutImage !== undefined ||
    query.withoutWeight !== undefined ||
    query.stockState !== undefined ||
    Object.keys(query).some((key) => key.startsWith("order[")) ||
    idIn(query.search) !== null;
  if (isOwn) return { ...(await list.page(query)), approximate: false };
  const page = await listProducts({ ...viewOf(query), itemsPerPage: query.itemsPerPage });
  const found = await readProducts({ ids: page.items.map(({ id }) => id) });
  const byId = new Map(found.map((product) => [product.id, product]));
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** All matching products, for the CSV export. */
export const exportProducts = list.table;
