import { randomBytes } from "node:crypto";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { recoveryCodes } from "@/db/schema/auth";
import type { SealedColumn } from "@/db/sealed-column";
import { createRecoveryCodes } from "@/lib/auth/authenticator";
import { hmac, isSameText, keysFor, sealerFor } from "@/lib/seal";

// Recovery codes in the database. Six characters can be brute-forced, so each code's digest has its own
// key, and digest and key are sealed together. Unlike digests under AUTH_SECRET itself, they can be sealed
// again when AUTH_SECRET is replaced.

const PURPOSE = "two-factor-recovery-code";

const sealerOf = (userId: number) => sealerFor({ purpose: PURPOSE, owner: String(userId) });

interface StoredCode {
  digest: string;
  /** In hex. One of them made the digest. */
  keys: string[];
}

/** A digest is bound to its user. */
function digestOf({ userId, code, key }: { userId: number; code: string; key: string }): string {
  return hmac({ key: Buffer.from(key, "hex"), text: `${userId}:${code}` });
}

function sealCode({ userId, stored }: { userId: number; stored: StoredCode }): string {
  return sealerOf(userId).seal(JSON.stringify(stored));
}

/** Older rows hold a bare digest under a key derived from AUTH_SECRET. */
const isBareDigest = (codeHash: string) => /^[0-9a-f]{64}$/.test(codeHash);

function fromBareDigest(digest: string): StoredCode {
  return { digest, keys: keysFor(PURPOSE).map((key) => Buffer.from(key).toString("hex")) };
}

/** Null if none of the shop's secrets opens the code. */
function openCode({ userId, codeHash }: { userId: number; codeHash: string }): StoredCode | null {
  if (isBareDigest(codeHash)) return fromBareDigest(codeHash);
  try {
    return JSON.parse(sealerOf(userId).unseal(codeHash));
  } catch {
    return null;
  }
}

/** Replaces a user's codes by ten new ones. @returns the new codes, which are shown only once */
export async function replaceRecoveryCodes(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<string[]> {
  const codes = createRecoveryCodes();
  const rows = codes.map((code) => {
    const key = randomBytes(32).toString("hex");
    const stored = { digest: digestOf({ userId, code, key }), keys: [key] };
    return { userId, codeHash: sealCode({ userId, stored }) };
  });
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await tx.insert(recoveryCodes).values(rows);
  return codes;
}

/** Uses a code up. @returns how many codes are left; null if the code was wrong or used before */
export async function takeRecoveryCode(
  tx: Transaction,
  { userId, code }: { userId: number; code: string },
): Promise<number | null> {
  const unused = and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt));
  const rows = await tx.select().from(recoveryCodes).where(unused);
  const match = rows.find(({ codeHash }) => {
    const stored = openCode({ userId, codeHash });
    return stored?.keys.some((key) => isSameText(digestOf({ userId, code, key }), stored.digest));
  });
  if (!match) return null;
  // The condition decides: of concurrent uses one succeeds.
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(recoveryCodes.id, match.id), isNull(recoveryCodes.usedAt)))
    .returning({ id: recoveryCodes.id });
  if (used.length === 0) return null;
  return tx.$count(recoveryCodes, unused);
}

export const sealedRecoveryCodes: SealedColumn = {
  name: "recovery codes",
  table: recoveryCodes,
  id: recoveryCodes.id,
  sealed: recoveryCodes.codeHash,
  owner: recoveryCodes.userId,
  where: isNull(recoveryCodes.usedAt),
  reseal: ({ sealed, owner }) =>
    isBareDigest(sealed)
      ? sealCode({ userId: owner, stored: fromBareDigest(sealed) })
      : sealerOf(owner).reseal(sealed),
  set: (codeHash) => ({ codeHash }),
};
