import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { eraseUser } from "@/lib/account/erasure";
import { sendClosingNotice } from "@/lib/account/notices";
import { type Account, listReviewedProducts, requireAccount } from "@/lib/account/queries";
import { EMAIL_CHANGE_MAILED, LAST_ADMIN } from "@/lib/account/texts";
import { passwordChanges, registrations } from "@/lib/auth/attempts";
import { openSession } from "@/lib/auth/login";
import { newPassword, nextSessionVersion } from "@/lib/auth/mutations";
import { sendSecurityNotice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { lockAdmins, lockSession } from "@/lib/auth/queries";
import { requireRecentLogin, type Session } from "@/lib/auth/recent-login";
import { mailEmailChange } from "@/lib/auth/registration";
import { fail } from "@/lib/errors/failure";
import type { SessionUser } from "@/lib/http/api/caller";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { isAdmin } from "@/lib/roles";
import { isEmail, isSameEmail } from "@/lib/text/email";
import { WRONG_EMAIL } from "@/lib/text/texts";

/**
 * Changes the user's own account; undefined fields stay unchanged. A new password ends every session, and
 * the response carries the token of a new session. A new e-mail address replaces the current one when the
 * link mailed to it is opened.
 *
 * @throws 401 if the caller's session has ended meanwhile; for a new password or e-mail address also 403
 *   for a session that has to authenticate again, 429 for too many, and 422 for an address that is
 *   malformed or in use
 */
export async function updateAccount({
  user,
  token,
  firstName,
  lastName,
  email,
  password,
  network,
}: Session & {
  firstName: string | undefined;
  lastName: string | undefined;
  email: string | undefined;
  password: string | null | undefined;
  network: string;
}): Promise<{ account: Account; token?: string; message?: string }> {
  const { id: userId } = user;
  const newEmail = email && !isSameEmail(email, user.email) ? email : null;
  if (newEmail !== null && !isEmail(newEmail)) throw fail.violation("email", WRONG_EMAIL);
  if (password || newEmail !== null) await requireRecentLogin({ user, token });
  if (password) await passwordChanges.consume(String(userId));
  // Like a registration, a new address reveals who has an account, and sends a mail.
  if (newEmail !== null) await registrations.consume({ account: newEmail, network });
  const passwordHash = password ? await hashPassword(password) : null;
  const { account, sessionVersion, reviewed } = await db.transaction(async (tx) => {
    await lockSession(tx, user);
    const before = await requireAccount({ userId, tx });
    const [changed] = await tx
      .update(users)
      .set({
        firstName,
        lastName,
        ...(passwordHash !== null && newPassword(passwordHash)),
        ...nextVersion(users),
      })
      .where(eq(users.id, userId))
      .returning({ sessionVersion: users.sessionVersion });
    if (!changed) throw fail.unauthorized();
    if (passwordHash !== null)
      await sendSecurityNotice(tx, { userId, email: before.email, event: "password-changed" });
    if (newEmail !== null)
      await mailEmailChange(tx, { userId, present: before.email, email: newEmail });
    const account = await requireAccount({ userId, tx });
    const isRenamed =
      account.firstName !== before.firstName || account.lastName !== before.lastName;
    const reviewed = isRenamed ? await listReviewedProducts(tx, { userId }) : [];
    return { account, sessionVersion: changed.sessionVersion, reviewed };
  });
  // The pages of reviewed products show the author's name.
  if (reviewed.length > 0) await invalidate(reviewed.map(CACHE_TAGS.product));
  const answer = { account, ...(newEmail !== null && { message: EMAIL_CHANGE_MAILED }) };
  if (passwordHash === null) return answer;
  const { authenticatedAt } = token;
  const session = await openSession({ ...account, sessionVersion }, { authenticatedAt });
  return { ...answer, token: session.token };
}

/**
 * Closes the user's own account: nobody can log in to it, its data stays.
 *
 * @throws 403 for a session that has to authenticate again, 422 for the last administrator
 */
export async function deactivateAccount({ user, token }: Session): Promise<void> {
  await requireRecentLogin({ user, token });
  await db.transaction(async (tx) => {
    await requireOtherAdmin(tx, user);
    await lockSession(tx, user);
    const [closed] = await tx
      .update(users)
      .set({
        isDeleted: true,
        deletedAt: sql`now()`,
        sessionVersion: nextSessionVersion,
        resetTokenHash: null,
        resetTokenExpiresAt: null,
        confirmationTokenHash: null,
        confirmationTokenExpiresAt: null,
        pendingEmail: null,
        ...nextVersion(users),
      })
      .where(eq(users.id, user.id))
      .returning({ email: users.email });
    if (!closed) throw fail.unauthorized();
    await sendClosingNotice(tx, {
      template: "account-deactivated",
      userId: user.id,
      email: closed.email,
      isByShop: false,
    });
  });
}

/**
 * Erases the user's own account and everything about the person, except invoices and orders.
 *
 * @throws 403 for a session that has to authenticate again, 422 for the last administrator
 */
export async function deleteAccount({ user, token }: Session): Promise<void> {
  await requireRecentLogin({ user, token });
  const reviewed = await db.transaction(async (tx) => {
    await requireOtherAdmin(tx, user);
    await lockSession(tx, user);
    return eraseUser(tx, { userId: user.id });
  });
  // The user's reviews are deleted, too, which changes the products' ratings.
  if (reviewed.length > 0)
    await invalidate([CACHE_TAGS.catalogue, ...reviewed.map(CACHE_TAGS.product)]);
}

/** The last administrator must stay. @throws 422 */
async function requireOtherAdmin(tx: Transaction, user: SessionUser): Promise<void> {
  if (!isAdmin(user)) return;
  if (!(await lockAdmins(tx, { except: user.id }))) throw fail.violation("", LAST_ADMIN);
}
