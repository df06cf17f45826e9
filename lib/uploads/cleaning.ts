import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { uploadedPictures } from "@/db/schema/uploads";
import { uploadedPictureIn, uploadedPictureOf } from "@/db/uploaded-picture";
import { fail } from "@/lib/errors";
import { log } from "@/lib/http/log";
import { readImage, removeImage, removeUnfinishedImages } from "./storage";
import { PICTURE_GONE } from "./texts";

// Uploaded pictures that nothing shows: of forms that were never saved, of products that have another
// one now, or are gone. Each picture is looked at once a day; one that two looks find unused is
// removed. See docs/decisions/042.

/** Pictures that one transaction looks at. */
const BATCH = 50;

const tomorrow = sql`now() + interval '1 day'`;

/** Milliseconds after which nobody is still writing a file. */
const WRITING = 86_400_000;

export interface CleaningReport {
  /** Pictures that something refers to. */
  used: number;
  /** Pictures that nothing refers to, since today. */
  unused: number;
  removed: number;
  /** Pictures that the storage has not removed; it is asked again tomorrow. */
  failed: number;
}

/** To be called before a picture is kept: it counts as new, also where it has been here before. */
export async function notePicture(name: string): Promise<void> {
  const fresh = { uploadedAt: sql`now()`, unusedSince: null, nextLookAt: tomorrow };
  // Waits for whoever removes it at this moment: then it is kept after that.
  await db
    .insert(uploadedPictures)
    .values({ name, nextLookAt: tomorrow })
    .onConflictDoUpdate({ target: uploadedPictures.name, set: fresh });
}

/**
 * To be called by a transaction that is about to show a picture: nobody removes it from now on.
 *
 * @throws 422 for an uploaded one that has been removed
 */
export async function claimPicture(tx: Transaction, image: string): Promise<void> {
  const name = uploadedPictureOf(image);
  if (name === null) return;
  const isIt = eq(uploadedPictures.name, name);
  const [known] = await tx
    .select({ unusedSince: uploadedPictures.unusedSince })
    .from(uploadedPictures)
    .where(isIt)
    .for("update");
  if (known)
    await tx.update(uploadedPictures).set({ unusedSince: null, nextLookAt: tomorrow }).where(isIt);
  if ((known && known.unusedSince === null) || isElsewhere(image)) return;
  // Somebody may have put it there by hand; and of one that was unused the file may be gone, where a
  // cleaning was cut off before it was written down. A storage that is away decides nothing.
  const isThere = await readImage(name).catch(() => "unknown");
  if (!isThere) throw fail.violation("image", PICTURE_GONE);
}

const isElsewhere = (image: string) => /^https?:/i.test(image);

/**
 * Looks at pictures whose turn it is, and removes those that were unused yesterday, too, besides what
 * interrupted uploads have left behind. Any number of processes may do so at once; one that is stopped
 * half-way leaves what it has begun to the next.
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
    const batch = await lookAtBatch(size);
    for (const key of Object.keys(report) as (keyof CleaningReport)[]) report[key] += batch[key];
    const looked = batch.used + batch.unused + batch.removed + batch.failed;
    // Where the storage is away the others need not be tried.
    if (looked < size || batch.failed > 0) break;
  }
  if (report.removed > 0) log.info({ ...report }, "unused pictures removed");
  return report;
}

/** What uploads have left behind whose process was ended: it has no name yet, and so no row. */
async function removeLeftovers(): Promise<void> {
  try {
    const count = await removeUnfinishedImages(new Date(Date.now() - WRITING));
    if (count > 0) log.info({ count }, "unfinished uploads removed");
  } catch (error) {
    log.error({ err: error }, "unfinished uploads not removed");
  }
}

async function lookAtBatch(size: number): Promise<CleaningReport> {
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
 * Those of the pictures that something shows, or is about to: products, carts, orders, and what is
 * being paid for. The history of the back office names pictures as they were; it keeps none.
 */
async function namesInUse(tx: Transaction, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const isOne = (picture: SQL) => sql`${picture} = any(${sql.param([...names])}::text[])`;
  const among = (table: string, column: string) => {
    const picture = uploadedPictureIn(column);
    return sql`select ${picture} as name from ${sql.identifier(table)} where ${isOne(picture)}`;
  };
  const ofLine = uploadedPictureIn("line->>'image'");
  const { rows } = await tx.execute<{ name: string }>(sql`
    ${among("products", '"image"')}
    union ${among("order_lines", '"image"')}
    union ${among("cart_items", '"seen_image"')}
    union select ${ofLine} from checkouts, jsonb_array_elements(lines) line
      where status = 'pending' and ${isOne(ofLine)}`);
  return new Set(rows.map(({ name }) => name));
}
