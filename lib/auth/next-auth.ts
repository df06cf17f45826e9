import { NextRequest } from "next/server";
import NextAuth, { type AuthOptions } from "next-auth";
import { encode, type JWT } from "next-auth/jwt";
import CredentialsProvider from "next-auth/providers/credentials";
import { getSessionUser } from "@/lib/auth/queries";
import {
  cookieSecret,
  decodeCookie,
  isCookieSecure,
  sessionCookieName,
} from "@/lib/auth/session-cookie";
import { TOKEN_LIFETIME, verifyToken } from "@/lib/auth/token";
import { isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { fail } from "@/lib/errors/failure";
import { DEFAULT_BODY_LIMIT, readBounded } from "@/lib/http/api/body";
import { log } from "@/lib/http/server/log";

// next-auth manages the session cookie only: it exchanges the bearer token of a login for the cookie.
// It checks no password and has no other provider.

const options: AuthOptions = {
  // Getters, since the build loads this module, too, and has no environment.
  get secret() {
    return cookieSecret();
  },
  get cookies() {
    const secure = isCookieSecure();
    const cookie = { httpOnly: true, sameSite: "lax", path: "/", secure };
    return { sessionToken: { name: sessionCookieName(), options: cookie } };
  },
  session: { strategy: "jwt", maxAge: TOKEN_LIFETIME.access },
  jwt: {
    decode: decodeCookie,
    // The cookie expires with the token that it was made from, however often it is rewritten.
    encode: ({ token, secret }) =>
      encode({ token, secret, maxAge: Number(token?.exp) - Math.floor(Date.now() / 1000) }),
  },
  providers: [
    CredentialsProvider({
      id: "token",
      credentials: { token: { label: "Jeton" } },
      authorize: async (credentials) => {
        const claims = await verifyToken(credentials?.token ?? "");
        if (claims?.type !== "access") return null;
        const { userId: id, sessionVersion, expiresAt: exp } = claims;
        return { id: String(id), session: { id, sessionVersion, exp } };
      },
    }),
  ],
  callbacks: {
    // The browser decides on the next page.
    redirect: ({ baseUrl }) => baseUrl,
    jwt: ({ token, user }) =>
      user
        ? contentOf(user.session)
        : contentOf(token).catch((error) => {
            // next-auth removes the cookie for any error. While the database is unavailable, the cookie
            // must stay.
            if (isDatabaseUnavailable(error)) return token;
            throw error;
          }),
    session: ({ token: { id, name, roles, exp } }) => ({
      user: { id, name, roles },
      expires: new Date(exp * 1000).toISOString(),
    }),
  },
  logger: {
    // next-auth's errors are expired or forged cookies.
    error: (code) => log.debug({ code }, "next-auth refused a session"),
  },
};

type SessionKey = Pick<JWT, "id" | "sessionVersion" | "exp">;

/**
 * The content of a session's cookie, with the current name and roles of its user.
 *
 * @throws 401 for a session that was revoked
 */
async function contentOf({ id, sessionVersion, exp }: SessionKey): Promise<JWT> {
  const owner = await getSessionUser({ userId: id, sessionVersion });
  if (!owner) throw fail.unauthorized();
  const { firstName, lastName, roles } = owner;
  return { id, name: `${firstName} ${lastName}`, roles, sessionVersion, exp };
}

const handle = NextAuth(options);

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
  const { method, nextUrl } = request;
  if (!ACTIONS[method]?.includes(path.join("/")))
    throw fail.notFound("Cette adresse n'existe pas.");
  // An invalid URL in next-auth's cookie would make it answer 500.
  for (const { name, value } of request.cookies.getAll())
    if (name.endsWith("next-auth.callback-url") && !/^https?:\/\/[^/]/.test(value))
      throw fail.badRequest("Un cookie de la boutique n'est pas lisible.");
  // The query is left out: next-auth would accept a URL in it that makes it answer 500.
  const bounded = new NextRequest(`${nextUrl.origin}${nextUrl.pathname}`, {
    method,
    headers: { "Content-Type": FORM },
    body: method === "POST" ? await readForm(request) : null,
  });
  const response: Response = await handle(bounded, { params: { nextauth: [...path] } });
  if (response.status === 401) throw fail.unauthorized();
  return response;
}

/** Reads a form of limited length, and adds the field that makes next-auth answer in JSON. */
async function readForm(request: NextRequest): Promise<string> {
  const type = request.headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) throw fail.unsupportedType(`Le contenu doit être au format ${FORM}.`);
  const bytes = await readBounded(request, DEFAULT_BODY_LIMIT);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  form.set("json", "true");
  return form.toString();
}

declare module "next-auth" {
  interface User {
    session: SessionKey;
  }
  interface Session {
    user: Pick<JWT, "id" | "name" | "roles">;
  }
}
