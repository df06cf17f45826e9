import { eq, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { productCategories, products, productTags } from "@/db/schema/catalogue";
import { type Actor, recordChange } from "@/lib/audit/mutations";
import { isAmong, type ListSource, readPage, sortFor, tableOf } from "@/lib/backoffice/list";
import { sortOf } from "@/lib/backoffice/list-query";
import { idIn } from "@/lib/backoffice/search";
import { requireVersion } from "@/lib/backoffice/version";
import { fail, type Violation } from "@/lib/errors";
import type { CsvTable } from "@/lib/http/api/csv";
import type { Page } from "@/lib/http/api/paging";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { ProductType } from "@/lib/product-type";
import { isDownloadLink } from "@/lib/sold-file";
import { recordCorrection } from "@/lib/stock/mutations";
import { claimPicture } from "@/lib/uploads/cleaning";
import { PICTURE_GONE } from "@/lib/uploads/texts";
import { adminProductResource, productCsvColumns } from "./admin-resource";
import type {
  AdminProductQuery,
  DigitalProductChange,
  DigitalProductInput,
  PhysicalProductChange,
  PhysicalProductInput,
} from "./admin-schemas";
import type { LabelRow } from "./labels";
import { adminColumns, columnsOf, productColumns } from "./product-columns";
import type { ProductRow } from "./product-rows";
import { listProducts, type ProductPage } from "./queries";
import { viewOfQuery } from "./schemas";
import { productConditions, searchCondition } from "./search-pages";
import { FILE_SIZE_REQUIRED, UNKNOWN_CATEGORY, UNKNOWN_TAG, WRONG_DOWNLOAD_LINK } from "./texts";

/** A product as administrators see it. */
export type AdminProductRow = ProductRow & { downloadLink: string | null; version: number };

export type AdminProductPage = Page<AdminProductRow> & Pick<ProductPage, "approximate">;

type Reader = Pick<Transaction, "select">;

/** Products by their ids, as they are now: labels, too, come from the database. */
async function readProducts({
  ids,
  tx = db,
}: {
  ids: readonly number[];
  tx?: Reader;
}): Promise<AdminProductRow[]> {
  const label = (alias: SQL) =>
    sql`json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'color', ${alias}.color)`;
  return tx
    .select({
      ...productColumns,
      ...adminColumns,
      defaultCategory: sql<LabelRow>`(select ${label(sql`c`)} from categories c
        where c.id = products.default_category_id)`,
      categories: sql<LabelRow[]>`coalesce((select json_agg(${label(sql`c`)} order by c.id)
        from product_categories l join categories c on c.id = l.category_id
        where l.product_id = products.id), '[]')`,
      tags: sql<LabelRow[]>`coalesce((select json_agg(${label(sql`t`)} order by t.id)
        from product_tags l join tags t on t.id = l.tag_id
        where l.product_id = products.id), '[]')`,
    })
    .from(products)
    .where(isAmong(products.id, ids));
}

/** @throws 404, also for a product of the other kind where one is named */
export async function requireAdminProduct({
  id,
  type,
  tx = db,
}: {
  id: number;
  type?: ProductType;
  tx?: Reader;
}): Promise<AdminProductRow> {
  const [product] = await readProducts({ ids: [id], tx });
  if (!product || (type && product.type !== type)) throw fail.notFound();
  return product;
}

const SORTS = {
  name: inFrenchOrder(sql`p.name`),
  price: sql`p.price_cents`,
  createdAt: sql`p.created_at`,
  stock: sql`p.stock`,
} satisfies Record<string, SQL>;

async function sourceOf(query: Partial<AdminProductQuery>): Promise<ListSource> {
  const { search, ...filters } = viewOfQuery({ page: 1, itemsPerPage: 30, ...query });
  const where = productConditions(filters);
  if (search) {
    const matches = await searchCondition(search);
    // A number may be an id.
    const id = idIn(search);
    where.push(id === null ? matches : sql`(p.id = ${id} or ${matches})`);
  }
  if (query.withoutImage !== undefined)
    where.push(
      query.withoutImage ? sql`coalesce(p.image, '') = ''` : sql`coalesce(p.image, '') <> ''`,
    );
  // As the indexes of these states say it.
  if (query.stockState === "sold_out") where.push(sql`p.stock = 0`);
  if (query.stockState === "low") where.push(sql`p.stock > 0 and p.stock <= p.low_stock_threshold`);
  return { from: sql`products p`, id: sql`p.id`, where, ...orderOf(query) };
}

/** The order of the back office, else that of the public list: by price, then by date. */
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
  // One key of two, in one direction. A missing date counts as the newest, as it does by itself.
  const sign = sql.raw(price === date ? "" : "-");
  return { by: sql`(${sign}p.price_cents, p.created_at)`, direction: date };
}

const rowsOf = (ids: readonly number[]) => readProducts({ ids });

/**
 * One page of the products for administrators. Queries that the public list supports are answered by
 * it; the back office's own sorts and filters use other indexes.
 */
export async function listAdminProducts(query: AdminProductQuery): Promise<AdminProductPage> {
  const isOwn =
    query.withoutImage !== undefined ||
    query.stockState !== undefined ||
    Object.keys(query).some((key) => key.startsWith("order[")) ||
    idIn(query.search) !== null;
  if (isOwn) {
    const page = await readPage({ source: await sourceOf(query), request: query, rows: rowsOf });
    return { ...page, approximate: false };
  }
  const page = await listProducts({ ...viewOfQuery(query), itemsPerPage: query.itemsPerPage });
  const found = await rowsOf(page.items.map(({ id }) => id));
  const byId = new Map(found.map((product) => [product.id, product]));
  return { ...page, items: page.items.flatMap(({ id }) => byId.get(id) ?? []) };
}

/** All products that match, for spreadsheets. */
export const exportProducts = (query: Partial<AdminProductQuery>): CsvTable =>
  tableOf({
    name: "produits",
    columns: productCsvColumns,
    source: () => sourceOf(query),
    rows: rowsOf,
    toJson: adminProductResource.toJson,
  });

type ProductInput =
  | { type: "physical"; input: PhysicalProductInput }
  | { type: "digital"; input: DigitalProductInput };

type ProductChange =
  | { type: "physical"; input: PhysicalProductChange }
  | { type: "digital"; input: DigitalProductChange };

/**
 * Puts a product on sale.
 *
 * @throws 422 for an unknown category or tag, a deleted picture, or an invalid link
 */
export async function createProduct({
  actor,
  ...product
}: { actor: Actor } & ProductInput): Promise<AdminProductRow> {
  const { input } = product;
  if (product.type === "digital") requireDownloadLink(product.input.downloadLink);
  const isPictureThere = !input.image || (await claimPicture(input.image));
  const created = await db.transaction(async (tx) => {
    await requireLabels(tx, input);
    if (!isPictureThere) throw fail.violation("image", PICTURE_GONE);
    const [row] = await tx
      .insert(products)
      .values(columnsOf(product.type, input))
      .returning({ id: products.id });
    if (!row) throw new Error("The product was not written.");
    await writeLabels(tx, { id: row.id, ...input });
    const created = await requireAdminProduct({ id: row.id, tx });
    await recordCorrection(tx, { actor, productId: row.id, before: null, after: created.stock });
    await recordChange(tx, {
      actor,
      entity: "Product",
      id: created.id,
      before: null,
      after: snapshotOf(created),
    });
    return created;
  });
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(created.id)]);
  return created;
}

/**
 * Changes what is given of a product, and makes it one of this kind: the fields of the other kind
 * are cleared.
 *
 * @throws 404, 409 for an old version, 422 for an unknown category or tag, a deleted picture, a file
 *   without size, or an invalid new link
 */
export async function updateProduct({
  actor,
  id,
  ...change
}: { actor: Actor; id: number } & ProductChange): Promise<AdminProductRow> {
  const { input } = change;
  const isPictureThere = !input.image || (await claimPicture(input.image));
  const changed = await db.transaction(async (tx) => {
    // Labels are locked before products, as by the deletion of a category with its products.
    await requireLabels(tx, input);
    const [locked] = await tx
      .select({ id: products.id })
      .from(products)
      .where(eq(products.id, id))
      .for("no key update");
    if (!locked) throw fail.notFound();
    const before = await requireAdminProduct({ id, tx });
    await requireVersion(tx, {
      entity: "Product",
      sent: input.version,
      current: adminProductResource.toJson(before),
    });
    if (change.type === "digital") {
      const { downloadLink, filesize } = change.input;
      if ((filesize ?? before.fileSizeKb) === null)
        throw fail.violation("filesize", FILE_SIZE_REQUIRED);
      if (downloadLink !== before.downloadLink) requireDownloadLink(downloadLink);
    }
    if (!isPictureThere && input.image !== before.image)
      throw fail.violation("image", PICTURE_GONE);
    const isMadePhysical = change.type === "physical" && before.type !== "physical";
    await tx
      .update(products)
      .set({
        ...(isMadePhysical && { characteristics: [] }),
        ...columnsOf(change.type, input),
        updatedAt: sql`now()`,
        version: sql`${products.version} + 1`,
      })
      .where(eq(products.id, id));
    await writeLabels(tx, { id, ...input });
    const changed = await requireAdminProduct({ id, tx });
    await recordCorrection(tx, {
      actor,
      productId: id,
      before: before.stock,
      after: changed.stock,
    });
    await recordChange(tx, {
      actor,
      entity: "Product",
      id,
      before: snapshotOf(before),
      after: snapshotOf(changed),
    });
    return changed;
  });
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(id)]);
  return changed;
}

/**
 * Takes a product out of the shop with its reviews. Orders keep their lines; carts say that it is
 * no longer available.
 *
 * @throws 404
 */
export async function deleteProduct({
  actor,
  id,
  type,
}: {
  actor: Actor;
  id: number;
  type?: ProductType;
}): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from products where id = ${id} for update`);
    const before = await requireAdminProduct({ id, tx, ...(type && { type }) });
    await tx.delete(products).where(eq(products.id, id));
    await recordChange(tx, {
      actor,
      entity: "Product",
      id,
      before: snapshotOf(before),
      after: null,
    });
  });
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(id)]);
}

/** The audited JSON: without the counts that reviews and orders change. */
function snapshotOf(product: AdminProductRow): Record<string, unknown> {
  const {
    avgRating: _,
    reviewsCount: __,
    sales_count: ___,
    ...json
  } = adminProductResource.toJson(product);
  return json;
}

/** @throws 422 for a link that buyers could not open */
function requireDownloadLink(link: string | null | undefined): void {
  if (link && !isDownloadLink(link)) throw fail.violation("downloadLink", WRONG_DOWNLOAD_LINK);
}

interface Labels {
  defaultCategory?: number | undefined;
  categories?: readonly number[] | undefined;
  tags?: readonly number[] | undefined;
}

/** Locks the categories and tags. @throws 422 for unknown ones */
async function requireLabels(
  tx: Transaction,
  { defaultCategory, categories = [], tags = [] }: Labels,
): Promise<void> {
  const wanted = defaultCategory === undefined ? categories : [defaultCategory, ...categories];
  const knownCategories = await lockedIds(tx, { table: "categories", ids: wanted });
  const knownTags = await lockedIds(tx, { table: "tags", ids: tags });
  const violations: Violation[] = [];
  if (defaultCategory !== undefined && !knownCategories.has(defaultCategory))
    violations.push({ propertyPath: "defaultCategory", message: UNKNOWN_CATEGORY });
  categories.forEach((id, index) => {
    if (!knownCategories.has(id))
      violations.push({ propertyPath: `categories[${index}]`, message: UNKNOWN_CATEGORY });
  });
  tags.forEach((id, index) => {
    if (!knownTags.has(id))
      violations.push({ propertyPath: `tags[${index}]`, message: UNKNOWN_TAG });
  });
  if (violations.length > 0) throw fail.violations(violations);
}

async function lockedIds(
  tx: Transaction,
  { table, ids }: { table: "categories" | "tags"; ids: readonly number[] },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.execute<{ id: number }>(
    sql`select id from ${sql.identifier(table)} where ${isAmong(sql`id`, ids)}
      order by id for key share`,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Replaces the categories and tags that are given. */
async function writeLabels(
  tx: Transaction,
  { id, categories, tags }: { id: number } & Labels,
): Promise<void> {
  if (categories) {
    await tx.execute(sql`delete from product_categories
      where product_id = ${id} and not (${isAmong(sql`category_id`, categories)})`);
    if (categories.length > 0)
      await tx
        .insert(productCategories)
        .values(categories.map((categoryId) => ({ productId: id, categoryId })))
        .onConflictDoNothing();
  }
  if (tags) {
    await tx.execute(sql`delete from product_tags
      where product_id = ${id} and not (${isAmong(sql`tag_id`, tags)})`);
    if (tags.length > 0)
      await tx
        .insert(productTags)
        .values(tags.map((tagId) => ({ productId: id, tagId })))
        .onConflictDoNothing();
  }
}
