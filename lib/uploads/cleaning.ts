import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { uploadedPictures } from "@/db/schema/uploads";
import { uploadedPictureIn, uploadedPictureOf } from "@/db/uploaded-picture";
import { log } from "@/lib/http/server/log";
import { readImage, removeImage, removeUnfinishedImages } from "./storage";

// Removes unused uploaded pictures: of forms that were never saved, of products that have another one
// now or were deleted. Each picture is checked once a day; one that two checks find unused is removed.
// See docs/decisions/042.

/** Pictures per transaction. */
const BATCH = 50;

const tomorrow = sql`now() + interval '1 day'`;

/** Age in milliseconds of temporary files that no upload is still writing. */
const UNFINISHED_AFTER_MS = 86_400_000;

export interface CleaningReport {
  /** Pictures that something refers to. */
  used: number;
  /** Pictures that nothing has referred to since today. */
  unused: number;
  removed: number;
  /** Pictures that the storage could not remove; retried tomorrow. */
  failed: number;
}

/** To be called before a picture is saved: it counts as new, also where it was uploaded before. */
export async function registerPicture(name: string): Promise<void> {
  const fresh = { uploadedAt: sql`now()`, unusedSince: null, nextLookAt: tomorrow };
  // Waits for a removal in progress; the picture is saved after it.
  await db
    .insert(uploadedPictures)
    .values({ name, nextLookAt: tomorrow })
    .onConflictDoUpdate({ target: uploadedPictures.name, set: fresh });
}

/**
 * To be called before a transaction that refers to a picture: it is not removed for a day. Within the
 * transaction it would wait for the storage, and for a removal, with the product locked.
 *
 * @returns whether it exists; false for an uploaded one that has been removed
 */
export async function claimPicture(image: string): Promise<boolean> {
  const name = uploadedPictureOf(image);
  if (name === null) return true;
  const isThisPicture = eq(uploadedPictures.name, name);
  const [known] = await db
    .update(uploadedPictures)
    .set({ nextLookAt: tomorrow })
    .where(isThisPicture)
    .returning({ unusedSince: uploadedPictures.unusedSince });
  if ((known && known.unusedSince === null) || isElsewhere(image)) return true;
  // Its file may have been put there by hand; that of an unused one may be gone, where a removal was
  // interrupted before its commit. An unreachable storage decides nothing.
  const found = await readImage(name).catch(() => "unknown");
  if (known && found)
    await db.update(uploadedPictures).set({ unusedSince: null }).where(isThisPicture);
  return found !== null;
}

const isElsewhere = (image: string) => /^https?:/i.test(image);

/**
 * Checks the pictures that are due, and removes those that were unused yesterday, too, and temporary
 * files of interrupted uploads. Any number of processes may do so at once; another one continues where
 * one was stopped.
 *
 * @param limit pictures at most
 * @param signal ends the round before the next batch
 */
export async function removeUnusedPictures({
  limit,
  signal,
}: {
  limit: number;
  signal?: AbortSignal;
}): Promise<CleaningReport> {
  await removeLeftovers();
  const report: CleaningReport = { used: 0, unused: 0, removed: 0, failed: 0 };
  for (let left = limit; left > 0 && !signal?.aborted; left -= BATCH) {
    const size = Math.min(left, BATCH);
    const batch = await checkBatch(size);
    for (const key of Object.keys(report) as (keyof CleaningReport)[]) report[key] += batch[key];
    const checked = batch.used + batch.unused + batch.removed + batch.failed;
    // Not tried further while the storage is unreachable.
    if (checked < size || batch.failed > 0) break;
  }
  if (report.removed > 0) log.info({ ...report }, "unused pictures removed");
  return report;
}

/** Temporary files of uploads whose process was killed; they have no row. */
async function removeLeftovers(): Promise<void> {
  try {
    const count = await removeUnfinishedImages(new Date(Date.now() - UNFINISHED_AFTER_MS));
    if (count > 0) log.info({ count }, "unfinished uploads removed");
  } catch (error) {
    log.error({ err: error }, "unfinished uploads not removed");
  }
}

async function checkBatch(size: number): Promise<CleaningReport> {
  return db.transaction(async (tx) => {
    const due = await tx
      .select({ name: uploadedPictures.name, unusedSince: uploadedPictures.unusedSince })
      .from(uploadedPictures)
      .where(lte(uploadedPictures.nextLookAt, sql`now()`))
      .orderBy(uploadedPictures.nextLookAt)
      .limit(size)
      .for("update", { skipLocked: true });
    const used = await namesInUse(
      tx,
      due.map(({ name }) => name),
    );
    const names = (isWanted: (picture: (typeof due)[number]) => boolean) =>
      due.filter(isWanted).map(({ name }) => name);
    const usedNames = names(({ name }) => used.has(name));
    const newlyUnused = names(({ name, unusedSince }) => !used.has(name) && unusedSince === null);
    const unwanted = names(({ name, unusedSince }) => !used.has(name) && unusedSince !== null);

    const { removed, failed } = await removeAll(unwanted);
    const among = (list: readonly string[]) => inArray(uploadedPictures.name, [...list]);
    if (removed.length > 0) await tx.delete(uploadedPictures).where(among(removed));
    if (usedNames.length > 0)
      await tx
        .update(uploadedPictures)
        .set({ unusedSince: null, nextLookAt: tomorrow })
        .where(among(usedNames));
    const later = [...newlyUnused, ...failed];
    if (later.length > 0)
      await tx
        .update(uploadedPictures)
        .set({
          unusedSince: sql`coalesce(${uploadedPictures.unusedSince}, now())`,
          nextLookAt: tomorrow,
        })
        .where(among(later));
    return {
      used: usedNames.length,
      unused: newlyUnused.length,
      removed: removed.length,
      failed: failed.length,
    };
  });
}

async function removeAll(
  names: readonly string[],
): Promise<{ removed: string[]; failed: string[] }> {
  const removed: string[] = [];
  const failed: string[] = [];
  await Promise.all(
    names.map(async (name) => {
      try {
        await removeImage(name);
        removed.push(name);
      } catch (error) {
        log.error({ err: error, name }, "unused picture not removed");
        failed.push(name);
      }
    }),
  );
  return { removed, failed };
}

/**
 * The pictures that products, carts, orders and open checkouts refer to. The history of the back
 * office does not count.
 */
async function namesInUse(tx: Transaction, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const isOne = (picture: SQL) => sql`${picture} = any(${sql.param([...names])}::text[])`;
  const among = (table: string, column: string) => {
    const picture = uploadedPictureIn(column);
    return sql`select ${picture} as name from ${sql.identifier(table)} where ${isOne(picture)}`;
  };
  const ofLine = uploadedPictureIn("line->>'image'");
  const rows = await tx.execute<{ name: string }>(sql`
    ${among("products", '"image"')}
    union ${among("order_lines", '"image"')}
    union ${among("cart_items", '"seen_image"')}
    union select ${ofLine} from checkouts, jsonb_array_elements(lines) line
      where status = 'pending' and ${isOne(ofLine)}`);
  return new Set(rows.map(({ name }) => name));
}
