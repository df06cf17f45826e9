import { eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { uploadedPictures } from "@/db/schema/uploads";
import { uploadedPictureIn, uploadedPictureOf, uploadedPicturesIn } from "@/db/uploaded-picture";
import { log } from "@/lib/http/server/log";
import { readImage, removeImage, removeUnfinishedImages } from "./storage";

// Removes unused uploaded pictures: of forms that were never saved, and of products that were deleted or
// have another picture. Each picture is checked once a day, and removed when two checks find it unused.
// See docs/decisions/042.

/** Pictures per transaction. */
const BATCH = 50;

const tomorrow = sql`now() + interval '1 day'`;

/** Milliseconds: no upload is still writing a temporary file of this age. */
const UNFINISHED_AFTER_MS = 86_400_000;

export interface CleaningReport {
  /** Pictures with a reference. */
  used: number;
  /** Pictures found unused for the first time. */
  unused: number;
  removed: number;
  /** Pictures that the storage could not remove; retried the next day. */
  failed: number;
}

/** Call it before saving a picture: the picture counts as new, even if it was uploaded before. */
export async function registerPicture(name: string): Promise<void> {
  const fresh = { uploadedAt: sql`now()`, unusedSince: null, nextLookAt: tomorrow };
  // Waits for a removal in progress; the picture is saved after it.
  await db
    .insert(uploadedPictures)
    .values({ name, nextLookAt: tomorrow })
    .onConflictDoUpdate({ target: uploadedPictures.name, set: fresh });
}

/**
 * Call it before a transaction that refers to a picture: the picture is not removed for a day. Called within
 * the transaction, it would wait for the storage and for a removal while the product is locked.
 *
 * @returns whether the picture exists; false for an uploaded picture that was removed
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
  // Look for the file: a picture without a row may have been stored by hand, and the file of an unused
  // picture may be gone if a removal was interrupted before its commit. If the storage is unreachable,
  // assume that the file exists.
  const found = await readImage(name).catch(() => "unknown");
  if (known && found)
    await db.update(uploadedPictures).set({ unusedSince: null }).where(isThisPicture);
  return found !== null;
}

const isElsewhere = (image: string) => /^https?:/i.test(image);

/**
 * Claims several pictures, as `claimPicture`.
 *
 * @returns those that were removed
 */
export async function claimPictures(images: readonly string[]): Promise<Set<string>> {
  const gone = new Set<string>();
  for (const image of new Set(images)) if (!(await claimPicture(image))) gone.add(image);
  return gone;
}

/**
 * Checks the due pictures, removes pictures that were already unused the day before, and removes temporary
 * files of interrupted uploads. Any number of processes may run it at once; a stopped round is continued by
 * another process.
 *
 * @param limit maximum number of pictures
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
    // Stop when a removal fails: the storage is unreachable.
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
 * The pictures that products, carts, orders and open checkouts refer to. References in the back office's
 * history do not count.
 */
async function namesInUse(tx: Transaction, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const isOne = (picture: SQL) => sql`${picture} = any(${sql.param([...names])}::text[])`;
  const among = (table: string, column: string) => {
    const picture = uploadedPictureIn(column);
    return sql`select ${picture} as name from ${sql.identifier(table)} where ${isOne(picture)}`;
  };
  const ofLine = uploadedPictureIn("line->>'image'");
  const more = uploadedPicturesIn('"more_images"');
  const rows = await tx.execute<{ name: string }>(sql`
    ${among("products", '"image"')}
    union select unnest(${more}) from products
      where more_images <> '[]'::jsonb and ${more} && ${sql.param([...names])}::text[]
    union ${among("order_lines", '"image"')}
    union ${among("cart_items", '"seen_image"')}
    union select ${ofLine} from checkouts, jsonb_array_elements(lines) line
      where status = 'pending' and ${isOne(ofLine)}`);
  return new Set(rows.map(({ name }) => name));
}
