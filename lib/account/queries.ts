import { and, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import { reviews } from "@/db/schema/reviews";
import { fail } from "@/lib/errors/failure";

/** A user's own account, as the user sees it. */
export type Account = Awaited<ReturnType<typeof requireAccount>>;

/** @throws 401 if the account was deleted after its token was verified */
export async function requireAccount({
  userId,
  tx = db,
}: {
  userId: number;
  tx?: Pick<Transaction, "select">;
}) {
  const [account] = await tx
    .select({
      id: users.id,
      firstName: users.firstName,
      lastName: users.lastName,
      email: users.email,
      roles: users.roles,
      isTwoFactorActive: sql<boolean>`${users.totpActiveSince} is not null`,
    })
    .from(users)
    .where(eq(users.id, userId));
  if (!account) throw fail.unauthorized();
  return account;
}

/** Ids of the products whose pages show a review of this user. */
export async function listReviewedProducts(
  tx: Pick<Transaction, "select">,
  { userId }: { userId: number },
): Promise<number[]> {
  const rows = await tx
    .select({ productId: reviews.productId })
    .from(reviews)
    .where(and(eq(reviews.userId, userId), eq(reviews.status, "VALIDATED")));
  return rows.map(({ productId }) => productId);
}
