import { env } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import type { Caller, SessionUser, TokenClaims } from "@/lib/http/api/caller";
import { isAdmin } from "@/lib/roles";
import { perProcess } from "@/lib/runtime/per-process";
import { isSameText } from "@/lib/seal";

/**
 * Who may call a route:
 * - `public`: anyone; a token that is sent along is ignored
 * - `optional`: anyone; who they are is known where they send a good token
 * - `user`, `admin`: a logged-in user, an administrator
 * - `pending-2fa`: who has given the right password and owes the code, or is logged in
 * - `cron`: the scheduler that holds CRON_SECRET
 */
export type Access = "public" | "optional" | "user" | "admin" | "pending-2fa" | "cron";

/** How callers are recognised by their bearer tokens: lib/auth does it. */
interface Authentication {
  /** What a token says; null for an invalid one. */
  verifyToken(token: string): Promise<TokenClaims | null>;
  /** The present state of a token's user; null where the token was revoked or the account closed. */
  getSessionUser(claims: TokenClaims): Promise<SessionUser | null>;
}

const given = perProcess<{ authentication?: Authentication }>("authentication", () => ({}));

/** Handed in at the start of each process (lib/process/start.ts): this folder knows no domain. */
export function authenticateBy(authentication: Authentication): void {
  given.authentication = authentication;
}

function authentication(): Authentication {
  if (!given.authentication) throw new Error("The process has not been started.");
  return given.authentication;
}

const NOBODY: Caller = Object.freeze({ user: null, token: null });

/** LexikJWT's two sentences, in French. */
const NO_TOKEN = "Jeton d'authentification manquant. Veuillez vous connecter.";

/** The caller, if they may call; throws 401 or 403 if not. */
export async function authorize(access: Access, request: Request): Promise<Caller> {
  if (access === "public") return NOBODY;
  const bearer = bearerTokenOf(request);
  if (access === "cron") return authorizeScheduler(bearer);
  const caller = bearer === null ? NOBODY : await authenticate(bearer);
  if (access === "optional") return caller.token?.type === "access" ? caller : NOBODY;

  if (bearer === null) throw fail.unauthorized(NO_TOKEN);
  if (caller.user === null) throw fail.unauthorized();
  if (caller.token?.type !== "access" && access !== "pending-2fa") throw fail.unauthorized();
  if (access === "admin" && !isAdmin(caller.user)) throw fail.forbidden();
  return caller;
}

/** Does it have an administrator's token? Known by its claims, without a query: it may have been revoked. */
export async function hasAdminToken(request: Request): Promise<boolean> {
  const bearer = bearerTokenOf(request);
  const token = bearer === null ? null : await authentication().verifyToken(bearer);
  return token?.type === "access" && isAdmin(token);
}

async function authenticate(bearer: string): Promise<Caller> {
  const token = await authentication().verifyToken(bearer);
  if (token === null) return NOBODY;
  const user = await authentication().getSessionUser(token);
  return user === null ? NOBODY : { user, token };
}

function authorizeScheduler(bearer: string | null): Caller {
  const secret = env().CRON_SECRET;
  if (bearer === null || !secret || !isSameText(bearer, secret)) throw fail.unauthorized(NO_TOKEN);
  return NOBODY;
}

const bearerTokenOf = ({ headers }: Request): string | null =>
  /^Bearer +([^\s]+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null;
