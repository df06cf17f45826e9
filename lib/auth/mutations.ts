import { and, eq, sql } from "drizzle-orm";
import { db } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { secondsFromNow } from "@/db/time";
import {
  codeAttempts,
  type LinkAttempt,
  loginAttempts,
  resetRequests,
  type Source,
  tryLink,
} from "@/lib/auth/attempts";
import { hideDuration } from "@/lib/auth/hide-duration";
import { createMailedToken, digestOf } from "@/lib/auth/mailed-token";
import { sendSecurityNotice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { hasEmail, hasResetToken, isResetToken } from "@/lib/auth/queries";
import { WRONG_RESET } from "@/lib/auth/texts";
import { fail } from "@/lib/errors/failure";
import { RESET_LIFETIME } from "@/lib/mail/link-lifetimes";
import { enqueueMail } from "@/lib/mail/outbox";

/** Raises the session version, which revokes every token of the user. */
export const nextSessionVersion = sql`${users.sessionVersion} + 1`;

/**
 * Mails a link for a new password if there is an account; the response is the same if there is none. An
 * unconfirmed account gets a link as well: the link proves the address.
 *
 * @throws 429
 */
export async function requestPasswordReset({
  email,
  ...source
}: { email: string } & Source): Promise<void> {
  await resetRequests.consume({ account: email, ...source });
  await hideDuration(mailResetLink(email));
}

async function mailResetLink(email: string): Promise<void> {
  const token = createMailedToken();
  await db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({
        resetTokenHash: digestOf(token),
        resetTokenExpiresAt: secondsFromNow(RESET_LIFETIME),
        ...nextVersion(users),
      })
      .where(and(hasEmail(email), eq(users.isDeleted, false)))
      .returning({ id: users.id, email: users.email });
    if (!user) return;
    // To the stored address, never to the one that was typed.
    await enqueueMail(tx, {
      template: "password-reset",
      data: { token },
      to: user.email,
      userId: user.id,
    });
  });
}

/**
 * Is this a valid token of a password reset?
 *
 * @throws 429 after too many wrong tokens
 */
export const checkResetToken = (link: LinkAttempt): Promise<boolean> => tryLink(link, isResetToken);

/**
 * Sets a new password with a mailed token. The token can be used once: of concurrent attempts one succeeds.
 * Ends every session.
 *
 * @returns the account's e-mail address
 * @throws 422 for a token that is unknown, used or too old, 429
 */
export async function resetPassword({
  password,
  ...link
}: LinkAttempt & { password: string }): Promise<string> {
  const { id, email } = await tryLink(link, (token) => replacePassword({ token, password }));
  // Earlier failures, perhaps of an attacker, must not lock the owner out.
  await Promise.all([
    resetRequests.reset(email),
    loginAttempts.reset(email),
    codeAttempts.reset(id),
  ]);
  return email;
}

async function replacePassword({
  token,
  password,
}: {
  token: string;
  password: string;
}): Promise<{ id: number; email: string }> {
  // Checked first, since a hash is expensive.
  if (!(await isResetToken(token))) throw fail.violation("", WRONG_RESET);
  const passwordHash = await hashPassword(password);
  return db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({
        ...newPassword(passwordHash),
        // Whoever reads the mail owns the address. A pending confirmation link then counts as opened, too.
        isVerified: true,
        confirmedTokenHash: sql`coalesce(${presentConfirmation}, ${users.confirmedTokenHash})`,
        confirmationTokenHash: null,
        confirmationTokenExpiresAt: null,
        ...nextVersion(users),
      })
      .where(hasResetToken(token))
      .returning({ id: users.id, email: users.email });
    if (!user) throw fail.violation("", WRONG_RESET);
    await sendSecurityNotice(tx, { userId: user.id, email: user.email, event: "password-changed" });
    return user;
  });
}

/** The digest of a link that confirms the current e-mail address, not a new one. */
const presentConfirmation = sql`case when ${users.pendingEmail} is null then ${users.confirmationTokenHash} end`;

/**
 * The columns that a new password changes. It ends sessions and reset links. It also ends an unconfirmed
 * change of the e-mail address: somebody else may have asked for that change.
 */
export function newPassword(passwordHash: string) {
  return {
    passwordHash,
    pendingEmail: null,
    confirmationTokenHash: presentConfirmation,
    resetTokenHash: null,
    resetTokenExpiresAt: null,
    sessionVersion: nextSessionVersion,
  };
}

/** Ends every session of a user, in all browsers. */
export async function revokeTokens({ userId }: { userId: number }): Promise<void> {
  await db.update(users).set({ sessionVersion: nextSessionVersion }).where(eq(users.id, userId));
}
