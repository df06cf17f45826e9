import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { users } from "@/db/schema/auth";
import { userText } from "@/db/search-text";
import { userColumns, userResource } from "@/lib/account/admin-resource";
import type { UserListQuery } from "@/lib/account/admin-schemas";
import { isAmong, type ListSource, listOf } from "@/lib/backoffice/list";
import { sortFor } from "@/lib/backoffice/list-order";
import { personColumns } from "@/lib/backoffice/people";
import { searchFor, textTarget } from "@/lib/backoffice/search";
import { ADMIN_ROLE } from "@/lib/roles";

export type UserRow = Pick<
  typeof users.$inferSelect,
  | "id"
  | "email"
  | "firstName"
  | "lastName"
  | "roles"
  | "isVerified"
  | "isDeleted"
  | "resetTokenHash"
  | "confirmationTokenHash"
  | "createdAt"
  | "version"
> & { isTwoFactorActive: boolean };

/** What administrators see of a user, and what the history keeps of one. */
export const columns = {
  ...personColumns,
  roles: users.roles,
  isVerified: users.isVerified,
  isDeleted: users.isDeleted,
  resetTokenHash: users.resetTokenHash,
  confirmationTokenHash: users.confirmationTokenHash,
  isTwoFactorActive: sql<boolean>`${users.totpActiveSince} is not null`,
  createdAt: users.createdAt,
  version: users.version,
};

/** Under the API's names, where `name` is the family name. */
const SORTS = {
  email: sql`lower(u.email)`,
  name: inFrenchOrder(sql`u.last_name`),
  lastname: inFrenchOrder(sql`u.first_name`),
  // Ids are given in the order of registration, and have an index.
  createdAt: sql`u.id`,
} satisfies Record<string, SQL>;

type UserFilters = Partial<UserListQuery> & { withoutCart?: boolean };

async function sourceOf(query: UserFilters): Promise<ListSource> {
  const { role, isVerified, isDeleted, withoutCart } = query;
  const sort = sortFor(query, { sorts: SORTS });
  const [from, id] = [sql`users u`, sql`u.id`];
  const search = await searchFor({
    search: query.search,
    from,
    id,
    targetsFor: (pattern) => [textTarget({ pattern, text: userText("u") })],
  });
  const where: SQL[] = [];
  // Every user has ROLE_USER; administrators are few, and have an index.
  if (role === ADMIN_ROLE) where.push(sql`'ROLE_ADMIN' = any(u.roles)`);
  if (isVerified !== undefined) where.push(sql`u.is_verified = ${isVerified}`);
  if (isDeleted !== undefined) where.push(sql`u.is_deleted = ${isDeleted}`);
  if (withoutCart) where.push(sql`not exists (select from carts c where c.user_id = u.id)`);
  return { from, id, where, search, ...sort };
}

/** The users: with `withoutCart` those who have none. */
export const {
  page: listUsers,
  table: exportUsers,
  one: requireUser,
} = listOf({
  sourceOf,
  read: ({ ids, tx = db }): Promise<UserRow[]> =>
    tx.select(columns).from(users).where(isAmong(users.id, ids)),
  name: "utilisateurs",
  columns: userColumns,
  toJson: userResource.toJson,
});
