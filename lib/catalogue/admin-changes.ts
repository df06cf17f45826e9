import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { nextVersion } from "@/db/next-version";
import { type ProductImage, productCategories, products, productTags } from "@/db/schema/catalogue";
import { refuseDuplicate } from "@/db/unique";
import { type Act, type Actor, recordChange } from "@/lib/audit/mutations";
import { requireVersion } from "@/lib/backoffice/version";
import { fail, type Violation } from "@/lib/errors/failure";
import { isDownloadLink } from "@/lib/files/sold-file";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { ProductType } from "@/lib/shop/product-type";
import { recordCorrections } from "@/lib/stock/mutations";
import { stockChanged } from "@/lib/stock/texts";
import { claimPictures } from "@/lib/uploads/cleaning";
import { PICTURE_GONE } from "@/lib/uploads/texts";
import { type AdminProductRow, requireAdminProduct } from "./admin";
import { adminProductResource } from "./admin-resource";
import type {
  DigitalProductChange,
  DigitalProductInput,
  PhysicalProductChange,
  PhysicalProductInput,
} from "./admin-schemas";
import { columnsOf } from "./product-columns";
import { columnsOfImages, type ImageColumns, imagesAfter, imagesOf } from "./product-images";
import {
  FILE_SIZE_REQUIRED,
  GTIN_IN_USE,
  SKU_IN_USE,
  UNKNOWN_CATEGORY,
  UNKNOWN_TAG,
  WRONG_DOWNLOAD_LINK,
} from "./texts";

type ProductInput =
  | { type: "physical"; input: PhysicalProductInput }
  | { type: "digital"; input: DigitalProductInput };

type ProductChange =
  | { type: "physical"; input: PhysicalProductChange }
  | { type: "digital"; input: DigitalProductChange };

/** The keys check concurrent writes, too. */
const refuseUsedReference = refuseDuplicate({
  products_sku_key: () => fail.violation("sku", SKU_IN_USE),
  products_gtin_key: () => fail.violation("gtin", GTIN_IN_USE),
});

/**
 * Puts a product on sale, or adds a draft.
 *
 * @throws 422 for an unknown category or tag, a deleted picture, an invalid link, or a reference or barcode of
 *   another product
 */
export async function createProduct({
  actor,
  ...product
}: { actor: Actor } & ProductInput): Promise<AdminProductRow> {
  const { input } = product;
  if (product.type === "digital") requireDownloadLink(product.input.downloadLink);
  const gone = await claimPictures(picturesOf(input));
  const write = db.transaction(async (tx) => {
    await requireLabels(tx, input);
    requirePictures(input, { gone, before: [] });
    const [row] = await tx
      .insert(products)
      .values({ ...columnsOf(product.type, input), ...pictureColumns(input, { before: [] }) })
      .returning({ id: products.id });
    if (!row) throw new Error("The product was not written.");
    await writeLabels(tx, { id: row.id, ...input });
    const created = await requireAdminProduct({ id: row.id, tx });
    await recordCorrections(tx, {
      actor,
      changes: [{ productId: row.id, before: null, after: created.stock }],
    });
    const after = snapshotOf(created);
    await recordChange(tx, { actor, entity: "Product", id: created.id, before: null, after });
    return created;
  });
  const created = await write.catch(refuseUsedReference);
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(created.id)]);
  return created;
}

/**
 * Changes the given fields of a product, and sets its kind: the fields of the other kind are cleared.
 *
 * @throws 404, 409 for an old version, or where the stock differs from the stock that the client read, 422
 *   for an unknown category or tag, a deleted picture, a file without size, an invalid new link, or a reference
 *   or barcode of another product
 */
export async function updateProduct({
  actor,
  id,
  ...change
}: Act & ProductChange): Promise<AdminProductRow> {
  const { input } = change;
  const gone = await claimPictures(picturesOf(input));
  const write = db.transaction(async (tx) => {
    // Lock labels before products, in the same order as the deletion of a category with its products.
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
    if (change.type === "physical") requireSameStock({ input: change.input, before });
    else {
      const { downloadLink, filesize } = change.input;
      if ((filesize ?? before.fileSizeKb) === null)
        throw fail.violation("filesize", FILE_SIZE_REQUIRED);
      if (downloadLink !== before.downloadLink) requireDownloadLink(downloadLink);
    }
    requirePictures(input, { gone, before: imagesOf(before) });
    const isMadePhysical = change.type === "physical" && before.type !== "physical";
    await tx
      .update(products)
      .set({
        ...(isMadePhysical && { characteristics: [] }),
        ...columnsOf(change.type, input),
        ...pictureColumns(input, { before: imagesOf(before) }),
        ...nextVersion(products),
      })
      .where(eq(products.id, id));
    await writeLabels(tx, { id, ...input });
    const changed = await requireAdminProduct({ id, tx });
    await recordCorrections(tx, {
      actor,
      changes: [{ productId: id, before: before.stock, after: changed.stock }],
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
  const changed = await write.catch(refuseUsedReference);
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(id)]);
  return changed;
}

/**
 * Deletes a product with its reviews. Orders keep their lines; carts show that the product is no longer
 * available.
 *
 * @throws 404
 */
export async function deleteProduct({
  actor,
  id,
  type,
}: Act & { type?: ProductType }): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select from products where id = ${id} for update`);
    const before = snapshotOf(await requireAdminProduct({ id, tx, ...(type && { type }) }));
    await tx.delete(products).where(eq(products.id, id));
    await recordChange(tx, { actor, entity: "Product", id, before, after: null });
  });
  await invalidate([CACHE_TAGS.catalogue, CACHE_TAGS.product(id)]);
}

type Pictures = Pick<PhysicalProductChange, "image" | "images">;

const picturesOf = ({ image, images = [] }: Pictures): string[] => [
  ...(image ? [image] : []),
  ...images.map(({ url }) => url),
];

/** @throws 422 for a picture that was deleted, unless the product has it already */
function requirePictures(
  { image, images = [] }: Pictures,
  { gone, before }: { gone: ReadonlySet<string>; before: readonly ProductImage[] },
): void {
  const isGone = (url: string) => gone.has(url) && !before.some((picture) => picture.url === url);
  const violations = images.flatMap(({ url }, index) =>
    isGone(url) ? [{ propertyPath: `images[${index}].url`, message: PICTURE_GONE }] : [],
  );
  if (image && isGone(image)) violations.unshift({ propertyPath: "image", message: PICTURE_GONE });
  if (violations.length > 0) throw fail.violations(violations);
}

/** The columns of the pictures, where a write changes them. */
function pictureColumns(
  { image, images }: Pictures,
  { before }: { before: readonly ProductImage[] },
): Partial<ImageColumns> {
  const after = imagesAfter({ before, image, images });
  return after ? columnsOfImages(after) : {};
}

/** The JSON for the audit log, without the counts that reviews and orders change. */
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

/** Needed besides the version check: sales change the stock, but not the version. @throws 409 */
function requireSameStock({
  input: { stock, currentStock },
  before,
}: {
  input: PhysicalProductChange;
  before: AdminProductRow;
}): void {
  if (stock === undefined || currentStock === undefined || currentStock === before.stock) return;
  throw fail.conflict(stockChanged(before.stock), { current: adminProductResource.toJson(before) });
}

type Labels = Pick<PhysicalProductChange, "defaultCategory" | "categories" | "tags">;

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

/** Replaces the categories and the tags; a list that is not given stays. */
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
