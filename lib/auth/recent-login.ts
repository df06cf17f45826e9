import { and, eq, isNotNull } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { fail } from "@/lib/errors/failure";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";

/** Seconds for which a login, a password or a code allows sensitive changes. */
const RECENT = 10 * 60;

/** The user who asks for a change, and the claims of their token. */
export interface Requester {
  user: { id: number };
  token: Pick<TokenClaims, "authenticatedAt">;
}

export interface Session extends Requester {
  user: SessionUser;
}

/**
 * Guards changes for which a stolen token must not suffice: the user must have logged in, or given a
 * password or code (POST /api/reauthenticate), in the last ten minutes.
 *
 * @throws 403, which says whether the password or a code is asked for
 */
export async function requireRecentLogin(
  { user, token }: Requester,
  tx: Pick<Transaction, "select"> = db,
): Promise<void> {
  if (Date.now() / 1000 - token.authenticatedAt <= RECENT) return;
  const isActive = await isTwoFactorActive({ userId: user.id, tx });
  throw fail.reauthenticationRequired(isActive ? "code" : "password");
}

export async function isTwoFactorActive({
  userId,
  tx = db,
}: {
  userId: number;
  tx?: Pick<Transaction, "select">;
}): Promise<boolean> {
  const rows = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.totpActiveSince)));
  return rows.length > 0;
}
