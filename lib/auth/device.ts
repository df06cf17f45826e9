import { randomUUID } from "node:crypto";
import { accountKey } from "@/lib/auth/attempts";
import { isCookieSecure } from "@/lib/auth/session-cookie";
import { isKeyedDigest, keyedDigest } from "@/lib/seal";

// The device cookie (OWASP) says that somebody has logged in to an account from this browser, so that
// failed attempts of others do not lock the owner out. It authorises nothing: it only decides whose
// attempts are counted (attempts.ts). It holds a random id, its expiry and a signature; no personal data.

const PURPOSE = "device-cookie";

/** Seconds; each login renews it. */
const LIFETIME = 180 * 24 * 3600;

const nameOf = () => (isCookieSecure() ? "__Secure-device" : "device");

const signedText = ({ email, id, expires }: { email: string; id: string; expires: string }) =>
  [accountKey(email), id, expires].join(".");

/** The cookie for a browser whose user has proven to own the account, as a `Set-Cookie` header. */
export function deviceCookie({ email }: { email: string }): string {
  const id = randomUUID();
  const expires = String(Math.floor(Date.now() / 1000) + LIFETIME);
  const signature = keyedDigest({ text: signedText({ email, id, expires }), purpose: PURPOSE });
  return [
    `${nameOf()}=${id}.${expires}.${signature}`,
    `Path=/api; Max-Age=${LIFETIME}; HttpOnly; SameSite=Strict`,
    ...(isCookieSecure() ? ["Secure"] : []),
  ].join("; ");
}

/** The id of the request's device, if it has logged in to the account before; else null. */
export function knownDevice({
  request,
  email,
}: {
  request: Request;
  email: string;
}): string | null {
  const start = `${nameOf()}=`;
  const cookies = request.headers.get("cookie")?.split("; ") ?? [];
  const value = cookies.find((cookie) => cookie.startsWith(start))?.slice(start.length);
  const [id = "", expires = "", digest = ""] = value?.split(".") ?? [];
  const text = signedText({ email, id, expires });
  const isGood =
    Number(expires) * 1000 > Date.now() && isKeyedDigest({ digest, text, purpose: PURPOSE });
  return isGood ? id : null;
}
