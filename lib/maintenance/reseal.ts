import { performance } from "node:perf_hooks";
import { recoveryCodeResealing } from "@/lib/auth/recovery-codes";
import { twoFactorResealing } from "@/lib/auth/two-factor";
import { recipientResealing } from "@/lib/checkout/reversals";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { mailResealing } from "@/lib/mail/outbox";
import type { Resealing } from "@/lib/seal";

/** Milliseconds between two runs in a process: other processes may still seal with the old secret. */
const INTERVAL = 3_600_000;

const BATCH_SIZE = 500;

const ALL = [twoFactorResealing, recoveryCodeResealing, mailResealing, recipientResealing];

let last: number | undefined;

/**
 * While AUTH_SECRET_PREVIOUS is set: seals with AUTH_SECRET what is still sealed with the previous
 * secret, so that the latter can be removed. Any number of processes may do so at once.
 *
 * @param isEager also within an hour of the last run
 */
export async function resealStoredSecrets({ isEager = false } = {}): Promise<void> {
  if (env().AUTH_SECRET_PREVIOUS === undefined) return;
  const now = performance.now();
  if (!isEager && last !== undefined && now - last < INTERVAL) return;
  for (const resealing of ALL) {
    const { resealed, unreadable } = await resealColumn(resealing);
    const counts = { secrets: resealing.name, resealed, unreadable };
    if (unreadable > 0) log.error(counts, "some secrets open with neither AUTH_SECRET");
    else log.info(counts, "secrets are sealed with the present AUTH_SECRET");
  }
  last = now;
}

async function resealColumn({
  read,
}: Resealing): Promise<{ resealed: number; unreadable: number }> {
  const counts = { resealed: 0, unreadable: 0 };
  for (let after = "0"; ; ) {
    const rows = await read({ after, limit: BATCH_SIZE });
    for (const { reseal, write } of rows) {
      let sealed: string | null;
      try {
        sealed = reseal();
      } catch {
        counts.unreadable++;
        continue;
      }
      if (sealed === null) continue;
      await write(sealed);
      counts.resealed++;
    }
    const end = rows.at(-1);
    if (end === undefined) return counts;
    after = String(end.id);
  }
}
