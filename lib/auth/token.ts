import { randomUUID } from "node:crypto";
import { jwtVerify, SignJWT } from "jose";
import { authSecrets } from "@/lib/env";
import type { TokenClaims, TokenType } from "@/lib/http/api/caller";
import { parseId } from "@/lib/http/api/ids";

/** Seconds that a token lives. An access token can be revoked at any time before. */
export const TOKEN_LIFETIME: Record<TokenType, number> = {
  access: 12 * 3600,
  "pending-2fa": 5 * 60,
};

const ALGORITHM = "HS256";
const HMAC = { name: "HMAC", hash: "SHA-256" };
const keys = new Map<string, Promise<CryptoKey>>();

/** Each key is imported once, since every authenticated request needs it. */
function keyOf(secret: string): Promise<CryptoKey> {
  let key = keys.get(secret);
  if (key === undefined) {
    const bytes = new TextEncoder().encode(secret);
    key = crypto.subtle.importKey("raw", bytes, HMAC, false, ["sign", "verify"]);
    keys.set(secret, key);
  }
  return key;
}

/** Issues a signed bearer token, by default for a user who has just been authenticated. */
export async function issueToken({
  user,
  type,
  authenticatedAt = Math.floor(Date.now() / 1000),
  expiresAt,
}: {
  user: { id: number; roles: readonly string[]; sessionVersion: number };
  type: TokenType;
  /** When the user was authenticated, for a token that continues a session. */
  authenticatedAt?: number;
  /** For a token that continues a session; by default its type's lifetime from this moment. */
  expiresAt?: number;
}): Promise<string> {
  const claims = { roles: user.roles, sv: user.sessionVersion, type, auth_time: authenticatedAt };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: ALGORITHM })
    .setSubject(String(user.id))
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(expiresAt ?? `${TOKEN_LIFETIME[type]}s`)
    .sign(await keyOf(authSecrets()[0]));
}

/** The claims of a valid token, signed with one of the shop's secrets; null for any other text. */
export async function verifyToken(token: string): Promise<TokenClaims | null> {
  for (const secret of authSecrets()) {
    const claims = await claimsOf({ token, secret });
    if (claims !== null) return claims;
  }
  return null;
}

async function claimsOf({
  token,
  secret,
}: {
  token: string;
  secret: string;
}): Promise<TokenClaims | null> {
  try {
    const { payload } = await jwtVerify(token, await keyOf(secret), {
      algorithms: [ALGORITHM],
      requiredClaims: ["sub", "exp", "jti"],
    });
    const { sub, sv, roles, type, jti, exp, auth_time: authTime } = payload;
    const userId = parseId(sub ?? "");
    if (userId === null || typeof sv !== "number" || !isTokenType(type)) return null;
    return {
      userId,
      sessionVersion: sv,
      roles: Array.isArray(roles) ? roles.map(String) : [],
      type,
      tokenId: String(jti),
      expiresAt: Number(exp),
      // An older token without this claim counts as authenticated long ago.
      authenticatedAt: typeof authTime === "number" ? authTime : 0,
    };
  } catch {
    return null;
  }
}

function isTokenType(value: unknown): value is TokenType {
  return value === "access" || value === "pending-2fa";
}
