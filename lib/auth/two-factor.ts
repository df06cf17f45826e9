import { and, eq, isNotNull, isNull, lt, or, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { codeTries, recoveryCodes, users } from "@/db/schema/auth";
import type { SealedColumn } from "@/db/sealed-column";
import { codeAttempts, type Source } from "@/lib/auth/attempts";
import { createSecret, normaliseCode, qrCodeUrl, stepOfCode } from "@/lib/auth/authenticator";
import { nextSessionVersion } from "@/lib/auth/mutations";
import { sendSecurityNotice } from "@/lib/auth/notices";
import { lockSession } from "@/lib/auth/queries";
import { requireRecentLogin, type Session } from "@/lib/auth/recent-login";
import { replaceRecoveryCodes, takeRecoveryCode } from "@/lib/auth/recovery-codes";
import { TOO_MANY_CODES, TWO_FACTOR_IS_ACTIVE } from "@/lib/auth/texts";
import { fail } from "@/lib/errors/failure";
import type { TokenClaims } from "@/lib/http/api/caller";
import { log } from "@/lib/http/server/log";
import { sealerFor } from "@/lib/seal";

type User = { id: number; email: string };

/** Wrong codes that one token allows. Not a rate limit: it is never scaled. */
const TRIES_PER_TOKEN = 5;

const sealerOf = (userId: number) =>
  sealerFor({ purpose: "two-factor-secret", owner: String(userId) });

/** The columns of an account without two-factor. */
export const NO_TWO_FACTOR = { totpSecret: null, totpActiveSince: null, totpLastStep: null };

/**
 * Creates a new secret and ten recovery codes, which are shown only once. Two-factor becomes active when a
 * valid code is tested. Until then each call replaces the secret and codes of the last call.
 *
 * @throws 403 for a session that has to authenticate again, 409 if two-factor is active already: a session
 *   alone must not suffice to replace it
 */
export async function activateTwoFactor({ user, token }: Session) {
  await requireRecentLogin({ user, token });
  const { id, email } = user;
  const secret = createSecret();
  const codes = await db.transaction(async (tx) => {
    await lockSession(tx, user);
    const changed = await tx
      .update(users)
      .set({
        totpSecret: sealerOf(id).seal(secret),
        totpLastStep: null,
      })
      .where(and(eq(users.id, id), isNull(users.totpActiveSince)))
      .returning({ id: users.id });
    if (changed.length === 0) throw fail.conflict(TWO_FACTOR_IS_ACTIVE);
    return replaceRecoveryCodes(tx, { userId: id });
  });
  return { qrCodeUrl: await qrCodeUrl({ secret, email }), secret, recoveryCodes: codes };
}

/**
 * Deactivates two-factor and deletes the secret and the recovery codes. Idempotent.
 *
 * @throws 403 for a session that has to authenticate again
 */
export async function deactivateTwoFactor({ user, token }: Session): Promise<void> {
  await requireRecentLogin({ user, token });
  const { id, email } = user;
  await db.transaction(async (tx) => {
    // Locked before the read: of concurrent calls only one finds two-factor active.
    await lockSession(tx, user);
    const [state] = await tx
      .select({ activeSince: users.totpActiveSince })
      .from(users)
      .where(eq(users.id, id));
    await tx.update(users).set(NO_TWO_FACTOR).where(eq(users.id, id));
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, id));
    if (state?.activeSince)
      await sendSecurityNotice(tx, { userId: id, email, event: "two-factor-deactivated" });
  });
}

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
      ...nextVersion(users),
    })
    .where(and(eq(users.id, userId), isNotNull(users.totpActiveSince)))
    .returning({ email: users.email });
  if (!user) return false;
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
  await sendSecurityNotice(tx, { userId, email: user.email, event: "two-factor-reset" });
  return true;
}

/**
 * The profile page's test of a code; the first valid one activates two-factor. Recovery codes are not
 * accepted: they do not prove that the app works.
 *
 * @throws 403 for a session that has to authenticate again, 429
 */
export async function verifySetupCode({
  user,
  token,
  code,
  network,
}: Session & { code: string; network: string }): Promise<boolean> {
  await requireRecentLogin({ user, token });
  const { id, email } = user;
  const attempt = { account: id, network };
  const isValid = await codeAttempts.run(attempt, () =>
    db.transaction(async (tx) => {
      await lockSession(tx, user);
      if (!(await consumeAppCode(tx, { userId: id, code: normaliseCode(code) }))) return false;
      const activated = await tx
        .update(users)
        .set({ totpActiveSince: sql`now()` })
        .where(and(eq(users.id, id), isNull(users.totpActiveSince)))
        .returning({ id: users.id });
      if (activated.length > 0)
        await sendSecurityNotice(tx, { userId: id, email, event: "two-factor-activated" });
      return true;
    }),
  );
  if (isValid) await codeAttempts.succeed(attempt);
  return isValid;
}

/**
 * Checks the code of a login's second step, or of a session that authenticates again: a code of the app or
 * a recovery code. Consumes one of the token's tries.
 *
 * @throws 401 if the token has no tries left or two-factor is off, 429
 */
export async function verifySecondFactor({
  user: { id, email },
  token,
  code: typed,
  network,
  device,
}: {
  user: User;
  token: Pick<TokenClaims, "tokenId" | "expiresAt" | "type">;
  code: string;
} & Source): Promise<boolean> {
  const attempt = { account: id, network, device };
  const code = normaliseCode(typed);
  const isValid = await codeAttempts.run(attempt, async () => {
    await consumeTry({ userId: id, token });
    return db.transaction(async (tx) => {
      const [user] = await tx
        .select({ id: users.id })
        .from(users)
        .where(and(eq(users.id, id), isNotNull(users.totpActiveSince)));
      if (!user) throw fail.unauthorized();
      const isGood =
        (await consumeAppCode(tx, { userId: id, code })) ||
        (await consumeRecoveryCode(tx, { userId: id, email, code }));
      // A good code uses up a temporary token: another login starts with the password.
      if (isGood)
        await tx
          .update(codeTries)
          .set({ tries: token.type === "pending-2fa" ? TRIES_PER_TOKEN : 0 })
          .where(eq(codeTries.tokenId, token.tokenId));
      return isGood;
    });
  });
  if (isValid) await codeAttempts.succeed(attempt);
  return isValid;
}

/** Consumes a try of a token before the code is checked, so that concurrent tries count. */
async function consumeTry({
  userId,
  token: { tokenId, expiresAt },
}: {
  userId: number;
  token: Pick<TokenClaims, "tokenId" | "expiresAt">;
}): Promise<void> {
  const [row] = await db
    .insert(codeTries)
    .values({ tokenId, userId, expiresAt: new Date(expiresAt * 1000) })
    .onConflictDoUpdate({ target: codeTries.tokenId, set: { tries: sql`${codeTries.tries} + 1` } })
    .returning({ tries: codeTries.tries });
  if (row?.tries === 1)
    await db
      .delete(codeTries)
      .where(and(eq(codeTries.userId, userId), lt(codeTries.expiresAt, sql`now()`)));
  if (!row || row.tries > TRIES_PER_TOKEN) throw fail.unauthorized(TOO_MANY_CODES);
}

/** Consumes a code of the user's app. @returns whether it was valid and not used before */
async function consumeAppCode(
  tx: Transaction,
  { userId, code }: { userId: number; code: string },
): Promise<boolean> {
  const [user] = await tx
    .select({ sealed: users.totpSecret })
    .from(users)
    .where(eq(users.id, userId))
    // The secret must not be sealed again before the update below.
    .for("no key update");
  const secret = user?.sealed ? openSecret({ userId, sealed: user.sealed }) : null;
  if (!user?.sealed || secret === null) return false;
  const step = stepOfCode({ secret, code });
  if (step === null) return false;
  // The condition decides: of concurrent uses one succeeds.
  const used = await tx
    .update(users)
    .set({ totpLastStep: step })
    .where(
      and(
        eq(users.id, userId),
        eq(users.totpSecret, user.sealed),
        or(isNull(users.totpLastStep), lt(users.totpLastStep, step)),
      ),
    )
    .returning({ id: users.id });
  return used.length > 0;
}

function openSecret({ userId, sealed }: { userId: number; sealed: string }): string | null {
  try {
    return sealerOf(userId).unseal(sealed);
  } catch (error) {
    log.error(
      { err: error, userId },
      "two-factor secret unreadable: was AUTH_SECRET changed without AUTH_SECRET_PREVIOUS?",
    );
    return null;
  }
}

export const sealedSecrets: SealedColumn = {
  name: "two-factor secrets",
  table: users,
  id: users.id,
  sealed: users.totpSecret,
  owner: users.id,
  reseal: ({ sealed, owner }) => sealerOf(owner).reseal(sealed),
  set: (totpSecret) => ({ totpSecret }),
};

/** Consumes a recovery code and notifies the owner. @returns whether it was valid and unused */
async function consumeRecoveryCode(
  tx: Transaction,
  { userId, email, code }: { userId: number; email: string; code: string },
): Promise<boolean> {
  const codesLeft = await takeRecoveryCode(tx, { userId, code });
  if (codesLeft === null) return false;
  await sendSecurityNotice(tx, { userId, email, event: "recovery-code-used", codesLeft });
  return true;
}
