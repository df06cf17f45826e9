import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { holdsEmail, storedFormsOf } from "@/lib/auth/email-forms";
import { digestOf } from "@/lib/auth/mailed-token";
import { fail } from "@/lib/errors/failure";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";

/** The condition that a token with this session version is still valid for its user. */
const isSession = ({ id, sessionVersion }: Pick<SessionUser, "id" | "sessionVersion">) =>
  and(eq(users.id, id), eq(users.sessionVersion, sessionVersion), eq(users.isDeleted, false));

/** The current state of a token's user; null if the token was revoked or the account closed. */
export async function getSessionUser({
  userId,
  sessionVersion,
}: Pick<TokenClaims, "userId" | "sessionVersion">): Promise<SessionUser | null> {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      roles: users.roles,
      sessionVersion: users.sessionVersion,
    })
    .from(users)
    .where(isSession({ id: userId, sessionVersion }));
  return user ?? null;
}

/**
 * The condition that an account has this e-mail address, without regard to case. If two accounts have two
 * forms of it, the one with the canonical form is meant.
 */
export function hasEmail(email: string): SQL {
  const [kept, ...former] = storedFormsOf(email);
  if (former.length === 0) return sql`lower(${users.email}) = lower(${kept})`;
  return sql`${users.id} = (select u.id from users u where ${holdsEmail(sql`u.email`, email)}
    order by lower(u.email) = lower(${kept}) desc limit 1)`;
}

/**
 * Is there another account with this e-mail address? A unique key decides between concurrent registrations;
 * it does not cover the older forms of addresses.
 */
export async function isEmailInUse(
  tx: Transaction,
  { email, except = 0 }: { email: string; except?: number },
): Promise<boolean> {
  const others = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(holdsEmail(users.email, email), ne(users.id, except)))
    .limit(1);
  return others.length > 0;
}

/** The account with this e-mail address, closed or not, for the login; null where there is none. */
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

/** Is this a valid token of a password reset? */
export async function isResetToken(token: string): Promise<boolean> {
  const rows = await db.select({ id: users.id }).from(users).where(hasResetToken(token));
  return rows.length > 0;
}

/** The condition that this mailed token may set an account's password. */
export function hasResetToken(token: string) {
  return and(
    eq(users.resetTokenHash, digestOf(token)),
    sql`${users.resetTokenExpiresAt} > now()`,
    eq(users.isDeleted, false),
  );
}

/**
 * Locks the session's user until the end of the transaction, and checks the session again. For changes of
 * the account itself: the token was verified before the body was read, which may take a while.
 *
 * @throws 401 if the token has been revoked since
 */
export async function lockSession(
  tx: Transaction,
  session: Pick<SessionUser, "id" | "sessionVersion">,
): Promise<void> {
  const [user] = await tx
    .select({ id: users.id })
    .from(users)
    .where(isSession(session))
    // Not `update`: rows that refer to the user (carts, audit entries) would have to wait.
    .for("no key update");
  if (!user) throw fail.unauthorized();
}

/**
 * Locks all administrators who can log in, until the end of the transaction: of the last two only one can
 * leave.
 *
 * @returns whether there is one other than this user
 */
export async function lockAdmins(
  tx: Transaction,
  { except }: { except: number },
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
    // Not `update`: audit entries refer to their authors, and would have to wait.
    .for("no key update");
  return admins.some(({ id }) => id !== except);
}
