import { and, asc, eq, gt, isNotNull, sql } from "drizzle-orm";
import { db } from "@/db";
import type { SealedColumn } from "@/db/sealed-column";
import { sealedRecoveryCodes } from "@/lib/auth/recovery-codes";
import { sealedSecrets } from "@/lib/auth/two-factor";
import { sealedRecipients } from "@/lib/checkout/reversals";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { sealedMailRecipients, sealedMails } from "@/lib/mail/outbox";

const BATCH_SIZE = 500;

const ALL: SealedColumn[] = [
  sealedSecrets,
  sealedRecoveryCodes,
  sealedMails,
  sealedMailRecipients,
  sealedRecipients,
];

/**
 * While AUTH_SECRET_PREVIOUS is set: reseals with AUTH_SECRET all texts that are sealed with the previous
 * secret, so that the previous secret can be removed. It runs repeatedly, since other processes may still
 * seal with the previous secret. Any number of processes may run it at once.
 */
export async function resealStoredSecrets(): Promise<void> {
  if (env().AUTH_SECRET_PREVIOUS === undefined) return;
  for (const column of ALL) {
    const { resealed, unreadable } = await resealColumn(column);
    const counts = { secrets: column.name, resealed, unreadable };
    if (unreadable > 0) log.error(counts, "some secrets open with neither AUTH_SECRET");
    else log.info(counts, "secrets are sealed with the present AUTH_SECRET");
  }
}

async function resealColumn(
  column: SealedColumn,
): Promise<{ resealed: number; unreadable: number }> {
  const { table, id, sealed, reseal, set } = column;
  const counts = { resealed: 0, unreadable: 0 };
  for (let after = "0"; ; ) {
    const rows = await readBatch(column, after);
    for (const row of rows) {
      let text: string | null;
      try {
        text = reseal(row);
      } catch {
        counts.unreadable++;
        continue;
      }
      if (text === null) continue;
      // Update only if the row has not changed since it was read.
      await db
        .update(table)
        .set(set(text))
        .where(and(eq(id, row.id), sql`${sealed} = ${row.sealed}`));
      counts.resealed++;
    }
    const end = rows.at(-1);
    if (end === undefined) return counts;
    after = String(end.id);
  }
}

const readBatch = ({ table, id, sealed, owner, where }: SealedColumn, after: string) =>
  db
    .select({
      id: sql<string | number>`${id}`,
      sealed: sql<string>`${sealed}`,
      owner: sql<number>`${owner ?? null}`,
    })
    .from(table)
    .where(and(gt(id, after), isNotNull(sealed), where))
    .orderBy(asc(id))
    .limit(BATCH_SIZE);
