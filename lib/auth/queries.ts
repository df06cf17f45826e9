import { and, eq, sql } from "drizzle-orm";
import { db, plannedDb, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { digestOf } from "@/lib/auth/mailed-token";
import { type TokenClaims, verifyToken } from "@/lib/auth/token";
import { fail } from "@/lib/errors";

/** The person behind a request. */
export interface SessionUser {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  sessionVersion: number;
}

/** The user of a token, as they are now; null where the token was revoked or the account closed. */
export async function getSessionUser({
  userId,
  sessionVersion,
}: Pick<TokenClaims, "userId" | "sessionVersion">): Promise<SessionUser | null> {
  const [user] = await plannedDb
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      roles: users.roles,
      sessionVersion: users.sessionVersion,
    })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        eq(users.sessionVersion, sessionVersion),
        eq(users.isDeleted, false),
      ),
    );
  return user ?? null;
}

/** The user of a bearer token as the browser sends it; null for a token that opens nothing. */
export async function getUserByToken(token: string): Promise<SessionUser | null> {
  const claims = await verifyToken(token);
  return claims?.type === "access" ? getSessionUser(claims) : null;
}

/** The account with this e-mail address; capitals do not matter. */
export function hasEmail(email: string) {
  return sql`lower(${users.email}) = lower(${email})`;
}

/** What the login needs to know of an account, closed or not; null where there is none. */
export async function getAccountByEmail(email: string) {
  const [user] = await db
    .select({
      id: users.id,
      passwordHash: users.passwordHash,
      firstName: users.firstName,
      lastName: users.lastName,
      roles: users.roles,
      sessionVersion: users.sessionVersion,
      isVerified: users.isVerified,
      isDeleted: users.isDeleted,
      totpActiveSince: users.totpActiveSince,
    })
    .from(users)
    .where(hasEmail(email));
  return user ?? null;
}

/** Would this token of a mail set a new password? */
export async function isResetToken(token: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(hasResetToken(token));
  return rows.length > 0;
}

/** The account whose password this token of a mail may set. */
export function hasResetToken(token: string) {
  return and(
    eq(users.resetTokenHash, digestOf(token)),
    sql`${users.resetTokenExpiresAt} > now()`,
    eq(users.isDeleted, false),
  );
}

/**
 * Locks the caller's row to the end of the transaction, for what decides over the account itself: a
 * body that takes its time to come is read after the token was looked at.
 *
 * @throws 401 where the token has been revoked since
 */
export async function holdSession(
  tx: Transaction,
  { id, sessionVersion }: Pick<SessionUser, "id" | "sessionVersion">,
): Promise<void> {
  const [held] = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(eq(users.id, id), eq(users.sessionVersion, sessionVersion), eq(users.isDeleted, false)),
    )
    .for("update");
  if (!held) throw fail.unauthorized();
}

/**
 * Is there an administrator besides this user who can log in? Keeps all of them as they are until
 * the transaction ends, so that two who leave at once do not each count on the other.
 */
export async function hasOtherAdmin(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<boolean> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        sql`'ROLE_ADMIN' = any(${users.roles})`,
        eq(users.isDeleted, false),
        eq(users.isVerified, true),
      ),
    )
    .orderBy(users.id)
    .for("update");
  return admins.some(({ id }) => id !== userId);
}
