import { and, eq } from "drizzle-orm";
import { db } from "@/db";
import { users } from "@/db/schema/auth";
import type { TokenClaims } from "@/lib/auth/token";

/** The person behind a request. */
export interface SessionUser {
  id: number;
  email: string;
  firstName: string;
  lastName: string;
  roles: string[];
  sessionVersion: number;
}

/** The user of a token, as they are now; null where the token was revoked or the account closed. */
export async function getSessionUser({
  userId,
  sessionVersion,
}: Pick<TokenClaims, "userId" | "sessionVersion">): Promise<SessionUser | null> {
  const [user] = await db
    .select({
      id: users.id,
      email: users.email,
      firstName: users.firstName,
      lastName: users.lastName,
      roles: users.roles,
      sessionVersion: users.sessionVersion,
    })
    .from(users)
    .where(
      and(
        eq(users.id, userId),
        eq(users.sessionVersion, sessionVersion),
        eq(users.isDeleted, false),
      ),
    );
  return user ?? null;
}
