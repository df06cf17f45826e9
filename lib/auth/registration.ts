import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { users } from "@/db/schema/auth";
import { secondsFromNow } from "@/db/time";
import { type LinkAttempt, registrations, tryLink } from "@/lib/auth/attempts";
import { hideDuration } from "@/lib/auth/hide-duration";
import { createMailedToken, digestOf } from "@/lib/auth/mailed-token";
import { sendSecurityNotice } from "@/lib/auth/notices";
import { hashPassword } from "@/lib/auth/password";
import { hasEmail, isEmailInUse } from "@/lib/auth/queries";
import { ACCOUNT_EXISTS, EMAIL_IN_USE } from "@/lib/auth/texts";
import { fail } from "@/lib/errors/failure";
import { sqlErrorIn } from "@/lib/errors/sql-error";
import { plainReturnPath } from "@/lib/guards";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";
import { enqueueMail } from "@/lib/mail/outbox";

// Registration, and confirmation of an account's first or new e-mail address.

type NewUser = Pick<
  typeof users.$inferInsert,
  "firstName" | "lastName" | "email" | "passwordHash" | "confirmationTokenHash"
> & { confirmationTokenExpiresAt: SQL };

/**
 * Creates an account, which can be used once its e-mail address is confirmed. An existing account stays as
 * it is; if it was never confirmed, it gets another link by mail. The response is the same for both.
 *
 * @throws 422 for an e-mail in use, 429
 */
export async function registerUser({
  firstName,
  lastName,
  email,
  password,
  returnTo,
  network,
}: Pick<NewUser, "firstName" | "lastName" | "email"> & {
  password: string;
  /** The page that the visitor wanted before: the mailed link leads to the login, and the login to that page. */
  returnTo: string | null;
  network: string;
}): Promise<void> {
  await registrations.consume({ account: email, network });
  const passwordHash = await hashPassword(password);
  const token = createMailedToken();
  const returnPath = returnTo === null ? null : plainReturnPath(returnTo);
  const isNew = await db.transaction(async (tx) => {
    const userId = await insertUser(tx, {
      firstName,
      lastName,
      email,
      passwordHash,
      ...confirmationLink(token),
    });
    if (userId === null) return false;
    const data = { token, returnPath };
    await enqueueMail(tx, { template: "verification", data, to: email, userId });
    return true;
  });
  if (isNew) return;
  await hideDuration(
    mailConfirmation({ account: hasEmail(email), isRegisteredAgain: true, returnPath }),
  );
  throw fail.violation("email", ACCOUNT_EXISTS);
}

/** @returns the new user's id; null if an account has the e-mail address */
async function insertUser(tx: Transaction, user: NewUser): Promise<number | null> {
  if (await isEmailInUse(tx, { email: user.email })) return null;
  const [inserted] = await tx
    .insert(users)
    .values(user)
    .onConflictDoNothing()
    .returning({ id: users.id });
  return inserted?.id ?? null;
}

/**
 * The columns of a mailed confirmation link.
 *
 * @param pendingEmail the new address that the link is mailed to; null for the account's current address
 */
const confirmationLink = (token: string, pendingEmail: string | null = null) => ({
  pendingEmail,
  confirmationTokenHash: digestOf(token),
  confirmationTokenExpiresAt: secondsFromNow(CONFIRMATION_LIFETIME),
});

/** If the account is not confirmed, mails another confirmation link, which replaces the last one. */
async function mailConfirmation({
  account,
  isRegisteredAgain,
  returnPath = null,
}: {
  /** The condition that selects the account. */
  account: SQL | undefined;
  isRegisteredAgain: boolean;
  returnPath?: string | null;
}): Promise<void> {
  const token = createMailedToken();
  await db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({ ...confirmationLink(token), ...nextVersion(users) })
      .where(and(account, eq(users.isVerified, false), eq(users.isDeleted, false)))
      .returning({ id: users.id, email: users.email });
    if (!user) return;
    // To the stored address, never to the one that was typed.
    await enqueueMail(tx, {
      template: "verification",
      data: { token, isRegisteredAgain, returnPath },
      to: user.email,
      userId: user.id,
    });
  });
}

/**
 * Sends another confirmation link if the last one has expired unused. Only for users who have just given
 * the right password.
 */
export async function renewConfirmation({ userId }: { userId: number }): Promise<void> {
  const hasNoLink = sql`coalesce(${users.confirmationTokenExpiresAt}, '-infinity') <= now()`;
  const account = and(eq(users.id, userId), hasNoLink);
  await mailConfirmation({ account, isRegisteredAgain: false });
}

/**
 * Mails a link to the new e-mail address of an account, and a notice to its current address. The account
 * keeps the current address until the link is opened.
 *
 * @throws 422 for an e-mail in use
 */
export async function mailEmailChange(
  tx: Transaction,
  { userId, present, email }: { userId: number; present: string; email: string },
): Promise<void> {
  if (await isEmailInUse(tx, { email, except: userId }))
    throw fail.violation("email", EMAIL_IN_USE);
  const token = createMailedToken();
  await tx.update(users).set(confirmationLink(token, email)).where(eq(users.id, userId));
  await enqueueMail(tx, { template: "email-change", data: { token }, to: email, userId });
  await sendSecurityNotice(tx, { userId, email: present, event: "email-change-requested" });
}

/**
 * Confirms an e-mail address with a mailed token; a new address then replaces the account's. Idempotent,
 * since mail scanners open links, too: a link that has succeeded keeps succeeding as long as its account is
 * confirmed.
 *
 * @returns whether the account is confirmed by this token
 * @throws 429 after too many wrong tokens
 */
export const verifyEmail = (link: LinkAttempt): Promise<boolean> => tryLink(link, confirmEmail);

async function confirmEmail(token: string): Promise<boolean> {
  const digest = digestOf(token);
  return (await openLink(digest)) || (await wasOpened(digest));
}

/** @returns whether the link was valid; if so, the account has the link's e-mail address */
async function openLink(digest: string): Promise<boolean> {
  const opening = db.transaction(async (tx) => {
    const [user] = await tx
      .select({ id: users.id, pendingEmail: users.pendingEmail })
      .from(users)
      .where(
        and(
          eq(users.confirmationTokenHash, digest),
          sql`${users.confirmationTokenExpiresAt} > now()`,
          eq(users.isDeleted, false),
        ),
      )
      .for("no key update");
    if (!user) return false;
    const { id, pendingEmail: email } = user;
    if (email !== null && (await isEmailInUse(tx, { email, except: id }))) return false;
    await tx
      .update(users)
      .set({
        isVerified: true,
        confirmedTokenHash: digest,
        confirmationTokenHash: null,
        confirmationTokenExpiresAt: null,
        // Links for a new password were mailed to the former address: they end.
        ...(email !== null && {
          email,
          pendingEmail: null,
          resetTokenHash: null,
          resetTokenExpiresAt: null,
        }),
        ...nextVersion(users),
      })
      .where(eq(users.id, id));
    return true;
  });
  try {
    return await opening;
  } catch (error) {
    // Somebody has just opened an account with the new address.
    if (sqlErrorIn(error)?.constraint === "users_email_key") return false;
    throw error;
  }
}

/** Has this link confirmed an account that is still confirmed? */
async function wasOpened(digest: string): Promise<boolean> {
  const confirmed = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.confirmedTokenHash, digest),
        eq(users.isVerified, true),
        eq(users.isDeleted, false),
      ),
    );
  return confirmed.length > 0;
}
