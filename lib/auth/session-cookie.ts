import type { NextRequest } from "next/server";
import { decode, getToken, type JWT } from "next-auth/jwt";
import { siteUrl } from "@/lib/env";
import { hmac, keysFor } from "@/lib/seal";

// The session cookie: next-auth.ts writes it, middleware.ts reads it. Its settings come from the
// environment at run time, not from the build's.

/** next-auth's secrets, derived from the shop's: the first one encrypts, all of them decrypt. */
function cookieSecrets(): string[] {
  return keysFor("session-cookie").map((key) => hmac({ key, text: "next-auth" }));
}

/** The secret that next-auth encrypts the cookie with. */
export function cookieSecret(): string {
  return String(cookieSecrets()[0]);
}

/** The content of a cookie; null if it has expired or none of the secrets decrypts it. */
export async function decodeCookie({ token = "" }: { token?: string }): Promise<JWT | null> {
  for (const secret of cookieSecrets()) {
    const content = await decode({ token, secret }).catch(() => null);
    // next-auth accepts a cookie for a moment after its expiry.
    if (content !== null) return content.exp * 1000 > Date.now() ? content : null;
  }
  return null;
}

/** A shop that is served by https sends its cookie over https only. */
export function isCookieSecure(): boolean {
  return siteUrl().startsWith("https://");
}

/** The cookie's name. Over https the prefix `__Host-` binds it to this very host. */
export const sessionCookieName = () =>
  isCookieSecure() ? "__Host-next-auth.session-token" : "next-auth.session-token";

/** The session of the request's cookie; null where there is none or it has expired. */
export const readSessionCookie = (request: NextRequest): Promise<JWT | null> =>
  getToken({
    req: request,
    secret: cookieSecret(),
    decode: decodeCookie,
    secureCookie: isCookieSecure(),
    cookieName: sessionCookieName(),
  });

declare module "next-auth/jwt" {
  interface JWT {
    /** The user's id. */
    id: number;
    roles: string[];
    /** The user's session version at the time of the login. */
    sessionVersion: number;
    /** When the session ends, in seconds since 1970. */
    exp: number;
  }
}
