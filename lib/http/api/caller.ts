/** The authenticated user of a request. */
export interface SessionUser {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  sessionVersion: number;
}

/** The scope of a token: the user's session, or only the second step of the login. */
export type TokenType = "access" | "pending-2fa";

export interface TokenClaims {
  userId: number;
  roles: string[];
  /** The user's session version at the time of issue; a higher one in the database revokes it. */
  sessionVersion: number;
  type: TokenType;
  /** The token's own id (`jti`), for limits per token. */
  tokenId: string;
  /** When it ends, in seconds since 1970. */
  expiresAt: number;
  /** When its user last gave a password or a code, in seconds since 1970 (OpenID Connect's `auth_time`). */
  authenticatedAt: number;
}

/** Who calls, as far as the call's access asks for it. */
export interface Caller {
  user: SessionUser | null;
  token: TokenClaims | null;
}
