import type { Source } from "@/lib/auth/attempts";
import { checkPassword } from "@/lib/auth/login";
import { isTwoFactorActive } from "@/lib/auth/recent-login";
import type { ReauthenticationInput } from "@/lib/auth/schemas";
import { WRONG_CODE, WRONG_PASSWORD } from "@/lib/auth/texts";
import { issueToken } from "@/lib/auth/token";
import { verifySecondFactor } from "@/lib/auth/two-factor";
import { fail, isFailure } from "@/lib/errors/failure";
import type { SessionUser, TokenClaims } from "@/lib/http/api/caller";
import { log } from "@/lib/http/server/log";
import { REQUIRED } from "@/lib/text/texts";

interface Session extends Source {
  user: SessionUser;
  token: TokenClaims;
}

/**
 * Authenticates a session's user again: by a code if two-factor is active, else by the password.
 *
 * @returns a token that allows sensitive changes again and expires when the session does; the user's other
 *   tokens stay as they are
 * @throws 401 if too many codes were tried with this token, 422 for a wrong password or code, 429
 */
export async function reauthenticate({
  user,
  token,
  network,
  device,
  password,
  code,
}: Session & ReauthenticationInput): Promise<string> {
  const session = { user, token, network, device };
  if (await isTwoFactorActive({ userId: user.id })) {
    if (!code) throw fail.violation("code", REQUIRED);
    if (!(await verifySecondFactor({ ...session, code }))) throw refused("code", WRONG_CODE);
  } else {
    if (!password) throw fail.violation("password", REQUIRED);
    if (!(await isOwnPassword({ ...session, password }))) throw refused("password", WRONG_PASSWORD);
  }
  log.info({}, "session authenticated again");
  return issueToken({ user, type: "access", expiresAt: token.expiresAt });
}

async function isOwnPassword({
  user,
  password,
  network,
  device,
}: Session & { password: string }): Promise<boolean> {
  try {
    const account = await checkPassword({ email: user.email, password, network, device });
    return account.id === user.id;
  } catch (error) {
    // The session stays valid: only the password is wrong.
    if (isFailure(error, "unauthorized")) return false;
    throw error;
  }
}

function refused(field: "password" | "code", sentence: string) {
  // The API itself does not log refusals with this status.
  log.info({}, `${field} refused`);
  return fail.violation(field, sentence);
}
