import { NextRequest } from "next/server";
import NextAuth, { type AuthOptions } from "next-auth";
import CredentialsProvider from "next-auth/providers/credentials";
import { getSessionUser, getUserByToken } from "@/lib/auth/queries";
import {
  cookieSecret,
  decodeCookie,
  isCookieSecure,
  readSessionCookie,
  sessionCookieName,
} from "@/lib/auth/session-cookie";
import { verifyToken } from "@/lib/auth/token";
import { siteUrl } from "@/lib/env";
import { fail } from "@/lib/errors";
import { DEFAULT_BODY_LIMIT, readBounded } from "@/lib/http/api/body";
import type { SessionUser } from "@/lib/http/api/caller";
import { log } from "@/lib/http/server/log";

// next-auth manages the session cookie only: it exchanges the bearer token of a login for the cookie.
// It checks no password and has no other provider.

/** The actions of next-auth that this shop uses; all others are 404. */
const ACTIONS: Readonly<Record<string, readonly string[]>> = {
  GET: ["csrf", "session", "providers"],
  POST: ["callback/token", "signout"],
};

const FORM = "application/x-www-form-urlencoded";

/**
 * Handles a request below /api/auth.
 *
 * @param path the segments after /api/auth
 * @throws 400, 401 for an invalid token, 404, 413, 415
 */
export async function answerNextAuth({
  request,
  path,
}: {
  request: NextRequest;
  path: readonly string[];
}): Promise<Response> {
  if (!ACTIONS[request.method]?.includes(path.join("/")))
    throw fail.notFound("Cette adresse n'existe pas.");
  requireValidCookies(request);
  const body = request.method === "POST" ? await readForm(request) : null;
  // Before next-auth, which would treat an unavailable database as a refusal.
  const isLogin = path[0] === "callback";
  const owner = await (isLogin ? ownerOfToken(body?.get("token") ?? "") : ownerOfCookie(request));
  if (isLogin && owner === null) throw fail.unauthorized();
  // next-auth reads its own URL from here; SITE_URL is not known at build time.
  process.env.NEXTAUTH_URL = siteUrl();
  const context = { params: { nextauth: [...path] } };
  return NextAuth(sanitizedRequest({ request, body }), context, optionsOf(owner));
}

/** Who holds a session, and when it ends, in seconds since 1970. */
interface Owner {
  user: SessionUser;
  expiresAt: number;
}

async function ownerOfToken(token: string): Promise<Owner | null> {
  const [user, claims] = await Promise.all([getUserByToken(token), verifyToken(token)]);
  return user && claims && { user, expiresAt: claims.expiresAt };
}

async function ownerOfCookie(request: NextRequest): Promise<Owner | null> {
  const session = await readSessionCookie(request);
  const user = session && (await getSessionUser(session));
  return user && { user, expiresAt: session.expiresAt };
}

/** An invalid URL in next-auth's cookie would make it answer 500. */
function requireValidCookies(request: NextRequest): void {
  for (const { name, value } of request.cookies.getAll())
    if (name.endsWith("next-auth.callback-url") && !/^https?:\/\/[^/]/.test(value))
      throw fail.badRequest("Un cookie de la boutique n'est pas lisible.");
}

async function readForm(request: NextRequest): Promise<URLSearchParams> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) throw fail.unsupportedType(`Le contenu doit être au format ${FORM}.`);
  const bytes = await readBounded(request, DEFAULT_BODY_LIMIT);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/** The request with only what next-auth needs: it would also use the query and other fields. */
function sanitizedRequest({
  request,
  body,
}: {
  request: NextRequest;
  body: URLSearchParams | null;
}): NextRequest {
  const { origin, pathname } = request.nextUrl;
  if (body === null) return new NextRequest(`${origin}${pathname}`);
  // The browser decides on the next page.
  body.delete("callbackUrl");
  body.set("json", "true");
  return new NextRequest(`${origin}${pathname}`, {
    method: "POST",
    headers: { "content-type": FORM },
    body: body.toString(),
  });
}

/** Created per request, since the environment is not read while modules load. */
function optionsOf(owner: Owner | null): AuthOptions {
  // The cookie expires with the token that it was created from, however often it is rewritten.
  const end = owner?.expiresAt ?? 0;
  const lifetime = { maxAge: Math.max(1, end - Math.floor(Date.now() / 1000)) };
  return {
    secret: cookieSecret(),
    useSecureCookies: isCookieSecure(),
    cookies: {
      sessionToken: {
        name: sessionCookieName(),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isCookieSecure() },
      },
    },
    session: { strategy: "jwt", ...lifetime },
    jwt: { ...lifetime, decode: decodeCookie },
    pages: { signIn: "/login", signOut: "/login", error: "/login" },
    providers: [
      CredentialsProvider({
        id: "token",
        credentials: { token: { label: "Jeton" } },
        authorize: async () => owner && { id: String(owner.user.id) },
      }),
    ],
    callbacks: {
      jwt: async () => {
        // Removes the cookie of a revoked session.
        if (owner === null) throw new Error("The session has ended.");
        const { id, roles, sessionVersion } = owner.user;
        return { id, roles, sessionVersion };
      },
      session: ({ session: { expires } }) => ({ expires, user: sessionJson(owner) }),
    },
    logger: {
      // Its errors are expired or forged cookies.
      error: (code) => log.debug({ code }, "next-auth refused a session"),
      warn: (code) => log.debug({ code }, "next-auth warned"),
      debug: () => undefined,
    },
  };
}

/** What GET /api/auth/session says of whoever is logged in. */
function sessionJson(owner: Owner | null) {
  if (owner === null) return undefined;
  const { id, firstName, lastName, roles } = owner.user;
  return { id, name: `${firstName} ${lastName}`, roles };
}
