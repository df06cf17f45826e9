import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { categories, products } from "@/db/schema/catalogue";
import { type Act, type Actor, recordChange, recordDeletions } from "@/lib/audit/mutations";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { LabelChange, LabelInput } from "./admin-schemas";
import { type AdminLabelRow, KINDS, LABEL_LISTS, type LabelKind } from "./label-admin";
import { categoryInUse } from "./texts";

/** The JSON for the audit log, without products: they have their own entries. */
function snapshotOf({ id, name, color, version }: Omit<AdminLabelRow, "products">) {
  return { id, name, color, version };
}

interface LabelWrite<Input> {
  kind: LabelKind;
  actor: Actor;
  input: Input;
}

export async function createLabel({
  kind,
  actor,
  input,
}: LabelWrite<LabelInput>): Promise<AdminLabelRow> {
  const { table, entity, cacheTag } = KINDS[kind];
  const label = await db.transaction(async (tx) => {
    const [created] = await tx.insert(table).values(input).returning({ id: table.id });
    if (!created) throw new Error("The label was not written.");
    const label = await LABEL_LISTS[kind].one({ id: created.id, tx });
    const after = snapshotOf(label);
    await recordChange(tx, { actor, entity, id: label.id, before: null, after });
    return label;
  });
  await invalidate([cacheTag]);
  return label;
}

/** Changes the given fields of a category or a tag. @throws 404, 409 for an old version */
export async function updateLabel({
  kind,
  actor,
  id,
  input,
}: LabelWrite<LabelChange> & { id: number }): Promise<AdminLabelRow> {
  const { table, entity, cacheTag, json } = KINDS[kind];
  const label = await db.transaction(async (tx) => {
    const before = await lockLabel(tx, { kind, id });
    const current = json(await LABEL_LISTS[kind].one({ id, tx }));
    await requireVersion(tx, { entity, sent: input.version, current });
    await tx
      .update(table)
      .set({ name: input.name, color: input.color, ...nextVersion(table) })
      .where(eq(table.id, id));
    const label = await LABEL_LISTS[kind].one({ id, tx });
    const after = snapshotOf(label);
    await recordChange(tx, { actor, entity, id, before, after });
    return label;
  });
  // Cached lists of products contain the names and colours of labels.
  await invalidate([cacheTag, CACHE_TAGS.catalogue]);
  return label;
}

/**
 * Deletes a category or a tag, and removes it from its products.
 *
 * @throws 404, 409 for the default category of a product
 */
export async function deleteLabel({ kind, actor, id }: Act & { kind: LabelKind }): Promise<void> {
  const { table, entity, cacheTag } = KINDS[kind];
  await db.transaction(async (tx) => {
    // While the lock is held, no product can be added to the label.
    const before = await lockLabel(tx, { kind, id });
    if (kind === "category") {
      const count = await tx.$count(products, eq(products.defaultCategoryId, id));
      if (count > 0) throw fail.conflict(categoryInUse(count));
    }
    await lockProducts(tx, { kind, id, lock: "no key update" });
    await tx.delete(table).where(eq(table.id, id));
    await recordChange(tx, { actor, entity, id, before, after: null });
  });
  await invalidate([cacheTag, CACHE_TAGS.catalogue]);
}

/**
 * Deletes a category together with the products whose default category it is. Other products only lose the
 * category; orders keep their lines.
 *
 * @throws 404
 */
export async function deleteCategoryWithProducts({ actor, id }: Act): Promise<void> {
  const deleted = await db.transaction(async (tx) => {
    const before = await lockLabel(tx, { kind: "category", id });
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

/** Locks the products of a label in the order of their ids, as everywhere. */
async function lockProducts(
  tx: Transaction,
  { kind, id, lock }: { kind: LabelKind; id: number; lock: "update" | "no key update" },
): Promise<readonly { id: number; defaultCategoryId: number }[]> {
  return tx.execute<{ id: number; defaultCategoryId: number }>(sql`
    select p.id, p.default_category_id as "defaultCategoryId" from products p
    where p.id in (
      select product_id from product_listings where kind = ${KINDS[kind].listing} and facet_id = ${id})
    order by p.id for ${sql.raw(lock)}`);
}

/** Locks a label against other writes, and against the addition of products. */
async function lockLabel(
  tx: Transaction,
  { kind, id }: { kind: LabelKind; id: number },
): Promise<Pick<AdminLabelRow, "id" | "name" | "color" | "version">> {
  const { table } = KINDS[kind];
  const [label] = await tx
    .select({ id: table.id, name: table.name, color: table.color, version: table.version })
    .from(table)
    .where(eq(table.id, id))
    .for("update");
  if (!label) throw fail.notFound();
  return label;
}
