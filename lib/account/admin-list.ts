import { sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { db } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { users } from "@/db/schema/auth";
import { userText } from "@/db/search-text";
import { userColumns, userResource } from "@/lib/account/admin-resource";
import type { UserListQuery } from "@/lib/account/admin-schemas";
import { isAmong, listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { personColumns } from "@/lib/backoffice/people";
import { textTarget } from "@/lib/backoffice/search";
import { ADMIN_ROLE } from "@/lib/roles";

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

export type UserRow = SelectResultFields<typeof columns>;

/** The users: with `withoutCart` those who have none. */
export const {
  page: listUsers,
  table: exportUsers,
  one: requireUser,
} = listOf({
  sourceOf: listSource<UserListQuery & { withoutCart?: boolean }>({
    from: sql`users u`,
    id: sql`u.id`,
    // Under the API's names, where `name` is the family name.
    sorts: {
      email: sql`lower(u.email)`,
      name: inFrenchOrder(sql`u.last_name`),
      lastname: inFrenchOrder(sql`u.first_name`),
      // Ids are given in the order of registration, and have an index.
      createdAt: sql`u.id`,
    },
    equal: { isVerified: sql`u.is_verified`, isDeleted: sql`u.is_deleted` },
    where: ({ role, withoutCart }) => [
      // Every user has ROLE_USER; administrators are few, and have an index.
      role === ADMIN_ROLE && sql`'ROLE_ADMIN' = any(u.roles)`,
      withoutCart && sql`not exists (select from carts c where c.user_id = u.id)`,
    ],
    targetsFor: (pattern) => [textTarget({ pattern, text: userText("u") })],
  }),
  read: ({ ids, tx = db }) => tx.select(columns).from(users).where(isAmong(users.id, ids)),
  name: "utilisateurs",
  columns: userColumns,
  toJson: userResource.toJson,
});
