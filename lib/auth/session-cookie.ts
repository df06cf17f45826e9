import type { NextRequest } from "next/server";
import { decode, getToken, type JWT } from "next-auth/jwt";
import { siteUrl } from "@/lib/env";
import { hmac, keysFor } from "@/lib/seal";

// The session cookie: next-auth.ts writes it, middleware.ts reads it. Everything comes from the
// environment at run time, nothing from that of the build.

/** The content of the cookie, which is encrypted. */
export interface CookieSession {
  userId: number;
  roles: string[];
  /** The user's session version at the time of the login. */
  sessionVersion: number;
  /** When it ends, in seconds since 1970. */
  expiresAt: number;
}

/** next-auth's secrets, derived from the shop's: the first one encrypts, all of them decrypt. */
function cookieSecrets(): string[] {
  return keysFor("session-cookie").map((key) => hmac({ key, text: "next-auth" }));
}

/** The secret that next-auth encrypts the cookie with. */
export function cookieSecret(): string {
  return String(cookieSecrets()[0]);
}

/** Decrypts the cookie; null where none of the secrets can. */
export async function decodeCookie({ token = "" }: { token?: string }): Promise<JWT | null> {
  for (const secret of cookieSecrets()) {
    const content = await decode({ token, secret }).catch(() => null);
    if (content !== null) return content;
  }
  return null;
}

/** Where the shop is served by https, its cookie is never sent over anything else. */
export function isCookieSecure(): boolean {
  return siteUrl().startsWith("https://");
}

/** The cookie's name. Over https the prefix `__Host-` binds it to this very host. */
export const sessionCookieName = () =>
  isCookieSecure() ? "__Host-next-auth.session-token" : "next-auth.session-token";

/** The session of the request's cookie; null where there is none or it has expired. */
export async function readSessionCookie(request: NextRequest): Promise<CookieSession | null> {
  const token = await getToken({
    req: request,
    secret: cookieSecret(),
    decode: decodeCookie,
    secureCookie: isCookieSecure(),
    cookieName: sessionCookieName(),
  });
  if (!token) return null;
  const { id, roles, sessionVersion, exp } = token;
  // next-auth accepts a cookie for a moment after its expiry.
  if (typeof exp !== "number" || exp * 1000 <= Date.now()) return null;
  return { userId: id, roles, sessionVersion, expiresAt: exp };
}

declare module "next-auth/jwt" {
  interface JWT extends Omit<CookieSession, "userId" | "expiresAt"> {
    id: number;
  }
}
