import type { NextRequest } from "next/server";
import { getToken } from "next-auth/jwt";
import { siteUrl } from "@/lib/env";
import { keyedDigest } from "@/lib/seal";

// The cookie that next-auth sets, as both sides see it: next-auth.ts writes it, middleware.ts reads
// it. Everything comes from the environment of the process that runs, nothing from the build's.

/** What the cookie says of whoever is logged in. It is encrypted; nobody else can read or make it. */
export interface CookieSession {
  userId: number;
  roles: string[];
  /** The user's session version at the time of the login. */
  sessionVersion: number;
  /** When it ends, in seconds since 1970. */
  expiresAt: number;
}

/** next-auth's secret: made from the shop's, but a key of its own. */
export function cookieSecret(): string {
  return keyedDigest({ text: "next-auth", purpose: "session-cookie" });
}

/** A shop that is reached by https never sends its cookie over anything else. */
export function isCookieSecure(): boolean {
  return siteUrl().startsWith("https://");
}

/**
 * The cookie's name. Over https browsers let nobody but this very host set or see one that is named
 * so: no subdomain, and nothing that comes by http.
 */
export const sessionCookieName = () =>
  isCookieSecure() ? "__Host-next-auth.session-token" : "next-auth.session-token";

/** The session of the request's cookie; null without one, and for one that has ended. */
export async function readSessionCookie(request: NextRequest): Promise<CookieSession | null> {
  const token = await getToken({
    req: request,
    secret: cookieSecret(),
    secureCookie: isCookieSecure(),
    cookieName: sessionCookieName(),
  });
  if (!token) return null;
  const { id, roles, sessionVersion, exp } = token;
  // next-auth lets a cookie live a moment longer than it says.
  if (typeof exp !== "number" || exp * 1000 <= Date.now()) return null;
  return { userId: id, roles, sessionVersion, expiresAt: exp };
}

declare module "next-auth/jwt" {
  interface JWT extends Omit<CookieSession, "userId" | "expiresAt"> {
    id: number;
  }
}
