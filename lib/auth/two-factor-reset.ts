import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { recoveryCodes, users } from "@/db/schema/auth";
import { nextSessionVersion } from "@/lib/auth/mutations";
import { sendSecurityNotice } from "@/lib/auth/notices";

// Apart from two-factor.ts, whose pictures scripts/admin-create.ts does not need.

/** The columns of an account without two-factor. */
export const NO_TWO_FACTOR = { totpSecret: null, totpActiveSince: null, totpLastStep: null };

/**
 * Deactivates two-factor for somebody who has lost the app and the recovery codes: ends their sessions
 * and mails them.
 *
 * @returns whether it was active; otherwise nothing changes
 */
export async function resetTwoFactor(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<boolean> {
  const [user] = await tx
    .update(users)
    .set({
      ...NO_TWO_FACTOR,
      sessionVersion: nextSessionVersion,
      updatedAt: sql`now()`,
      version: sql`${users.version} + 1`,
    })
    .where(and(eq(users.id, userId), isNotNull(users.totpActiveSince)))
    .returning({ email: users.email });
  if (!user) return false;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await sendSecurityNotice(tx, { userId, email: user.email, event: "two-factor-reset" });
  return true;
}
