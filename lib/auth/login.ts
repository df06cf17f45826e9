import { loginAttempts, type Source } from "@/lib/auth/attempts";
import { verifyPassword } from "@/lib/auth/password";
import { getAccountByEmail } from "@/lib/auth/queries";
import { renewConfirmation } from "@/lib/auth/registration";
import { NOT_VERIFIED, WRONG_CREDENTIALS } from "@/lib/auth/texts";
import { issueToken } from "@/lib/auth/token";
import { verifySecondFactor, verifySetupCode } from "@/lib/auth/two-factor";
import { fail } from "@/lib/errors/failure";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import { log } from "@/lib/http/server/log";

/** An authenticated user with the bearer token of their session. */
export interface OpenedSession {
  token: string;
  user: { id: number; firstName: string; lastName: string; roles: string[] };
}

/** A login whose second step is missing: a code, to be sent with this token. */
export interface PendingSession {
  tempToken: string;
}

/** For a login, or for a session that has to authenticate again. */
interface Credentials extends Source {
  email: string;
  password: string;
}

/**
 * The only place where a password is checked. Known and unknown e-mail addresses and closed accounts
 * take the same time and get the same response.
 *
 * @throws 401, 429
 */
export async function checkPassword({ email, password, network, device }: Credentials) {
  const attempt = { account: email, network, device };
  const user = await loginAttempts.run(attempt, async () => {
    const user = await getAccountByEmail(email);
    const isRight = await verifyPassword({ hash: user?.passwordHash ?? null, password });
    if (!user || !isRight || user.isDeleted) throw fail.unauthorized(WRONG_CREDENTIALS);
    return user;
  });
  await loginAttempts.succeed(attempt);
  return user;
}

/** @throws 401, 429 */
export async function logIn(credentials: Credentials): Promise<OpenedSession | PendingSession> {
  const user = await checkPassword(credentials);
  if (!user.isVerified) {
    await renewConfirmation({ userId: user.id });
    throw fail.unauthorized(NOT_VERIFIED);
  }
  if (user.totpActiveSince) return { tempToken: await issueToken({ user, type: "pending-2fa" }) };
  return openSession(user);
}

/** Issues the token of a session, by default for a user who has just been authenticated. */
export async function openSession(
  user: OpenedSession["user"] & { sessionVersion: number },
  continued: { authenticatedAt?: number } = {},
): Promise<OpenedSession> {
  log.info({}, "session opened");
  return { token: await issueToken({ user, type: "access", ...continued }), user };
}

/**
 * Checks a code: with the temporary token of a login, whose session it opens, or with a session's
 * token on the profile page, where it activates two-factor.
 *
 * @throws 401, 403 for a session that has to authenticate again, 429
 */
export async function verifyCode({
  user,
  token,
  code,
  network,
  device,
}: { user: SessionUser; token: TokenClaims; code: string } & Source): Promise<{
  isValid: boolean;
  session: OpenedSession | null;
}> {
  const isLogin = token.type === "pending-2fa";
  const isValid = isLogin
    ? await verifySecondFactor({ user, token, code, network, device })
    : await verifySetupCode({ user, token, code, network });
  // The API logs refusals by their status, but a wrong code has status 200.
  if (!isValid) log.info({}, "code refused");
  return { isValid, session: isLogin && isValid ? await openSession(user) : null };
}
