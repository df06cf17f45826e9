import { and, eq, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { secondsFromNow } from "@/db/time";
import { touched } from "@/db/touched";
import { type LinkAttempt, registrations, tryLink } from "@/lib/auth/attempts";
import { createMailedToken, digestOf } from "@/lib/auth/mailed-token";
import { hashPassword } from "@/lib/auth/password";
import { hasEmail, isEmailInUse, isRegistrationOnly } from "@/lib/auth/queries";
import { EMAIL_IN_USE } from "@/lib/auth/texts";
import { fail } from "@/lib/errors";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/lifetimes";
import { enqueueMail } from "@/lib/mail/outbox";

// Registering, and confirming the e-mail address.

/**
 * Creates an account, which can be used once its e-mail address is confirmed. An earlier registration
 * of the address that was never confirmed is replaced, with its name, password and link: a link
 * confirms only the password that it was mailed for.
 *
 * @throws 422 for an e-mail in use, 429
 */
export async function registerUser({
  firstName,
  lastName,
  email,
  password,
  network,
}: Pick<Registration, "firstName" | "lastName" | "email"> & {
  password: string;
  network: string;
}): Promise<void> {
  await registrations.consume({ account: email, network });
  const passwordHash = await hashPassword(password);
  const token = createMailedToken();
  const registration = {
    firstName,
    lastName,
    email,
    passwordHash,
    confirmationTokenHash: digestOf(token),
    confirmationTokenExpiresAt: secondsFromNow(CONFIRMATION_LIFETIME),
  };
  await db.transaction(async (tx) => {
    const userId =
      (await replaceRegistration(tx, registration)) ??
      (await insertRegistration(tx, registration)) ??
      // Somebody has registered the address in between.
      (await replaceRegistration(tx, registration));
    if (userId === null) throw fail.violation("email", EMAIL_IN_USE);
    await enqueueMail(tx, { template: "verification", data: { token }, to: email, userId });
  });
}

type Registration = Pick<
  typeof users.$inferInsert,
  "firstName" | "lastName" | "email" | "passwordHash" | "confirmationTokenHash"
> & { confirmationTokenExpiresAt: SQL };

/** @returns the user's id; null where there is no registration that may be replaced */
async function replaceRegistration(
  tx: Transaction,
  registration: Registration,
): Promise<number | null> {
  const [user] = await tx
    .update(users)
    .set({ ...registration, ...touched(users) })
    // The row is locked by this: a confirmation that came first makes the condition false.
    .where(and(hasEmail(registration.email), isRegistrationOnly))
    .returning({ id: users.id });
  return user?.id ?? null;
}

/** @returns the new user's id; null where there is an account with the e-mail address */
async function insertRegistration(
  tx: Transaction,
  registration: Registration,
): Promise<number | null> {
  if (await isEmailInUse(tx, { email: registration.email })) return null;
  const [user] = await tx
    .insert(users)
    .values(registration)
    .onConflictDoNothing()
    .returning({ id: users.id });
  return user?.id ?? null;
}

/**
 * Sends another confirmation link where the last one has expired unused. Only for users who have just
 * given the right password.
 */
export async function renewConfirmation({
  userId,
  passwordHash,
}: {
  userId: number;
  /** The one that was right: the link must not confirm another that was registered since. */
  passwordHash: string;
}): Promise<void> {
  const token = createMailedToken();
  await db.transaction(async (tx) => {
    const [user] = await tx
      .update(users)
      .set({
        confirmationTokenHash: digestOf(token),
        confirmationTokenExpiresAt: secondsFromNow(CONFIRMATION_LIFETIME),
        ...touched(users),
      })
      .where(
        and(
          eq(users.id, userId),
          eq(users.passwordHash, passwordHash),
          eq(users.isVerified, false),
          sql`coalesce(${users.confirmationTokenExpiresAt}, '-infinity') <= now()`,
        ),
      )
      .returning({ email: users.email });
    if (user)
      await enqueueMail(tx, { template: "verification", data: { token }, to: user.email, userId });
  });
}

/**
 * Confirms an e-mail address by the token of its mail. Idempotent, since mail scanners open links,
 * too: a link that has succeeded goes on doing so as long as its account is confirmed.
 *
 * @returns whether the account is confirmed by this token
 * @throws 429 after too many wrong ones
 */
export const verifyEmail = (link: LinkAttempt): Promise<boolean> => tryLink(link, confirmEmail);

async function confirmEmail(token: string): Promise<boolean> {
  const digest = digestOf(token);
  const confirmed = await db
    .update(users)
    .set({
      isVerified: true,
      confirmedTokenHash: digest,
      confirmationTokenHash: null,
      confirmationTokenExpiresAt: null,
      ...touched(users),
    })
    .where(
      and(
        eq(users.confirmationTokenHash, digest),
        sql`${users.confirmationTokenExpiresAt} > now()`,
        eq(users.isDeleted, false),
      ),
    )
    .returning({ id: users.id });
  if (confirmed.length > 0) return true;
  const earlier = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.confirmedTokenHash, digest),
        eq(users.isVerified, true),
        eq(users.isDeleted, false),
      ),
    );
  return earlier.length > 0;
}
