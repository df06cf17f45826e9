import { sql } from "drizzle-orm";
import type { SelectResultFields } from "drizzle-orm/query-builders/select.types";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { inFrenchOrder } from "@/db/french-order";
import { users } from "@/db/schema/auth";
import { userText } from "@/db/search-text";
import { userResource } from "@/lib/account/admin-resource";
import { type UserListQuery, userListQuery } from "@/lib/account/admin-schemas";
import { listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { personColumns } from "@/lib/backoffice/people";
import { textTarget } from "@/lib/backoffice/search";
import { momentCell } from "@/lib/http/api/csv";
import { ADMIN_ROLE } from "@/lib/roles";

/** The columns of a user for administrators, and for snapshots in the history. */
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

/** The list of users; `withoutCart` limits it to users without a cart. */
export const adminUsers = {
  resource: userResource,
  query: userListQuery,
  ...listOf({
    sourceOf: listSource<UserListQuery & { withoutCart?: boolean }>({
      from: sql`users u`,
      id: sql`u.id`,
      // The keys are the API's names: `name` is the family name.
      sorts: {
        email: sql`lower(u.email)`,
        name: inFrenchOrder(sql`u.last_name`),
        lastname: inFrenchOrder(sql`u.first_name`),
        createdAt: sql`u.created_at`,
      },
      equal: { isVerified: sql`u.is_verified`, isDeleted: sql`u.is_deleted` },
      where: ({ role, withoutCart }) => [
        // Only ROLE_ADMIN filters: every user has ROLE_USER. Administrators are few, and have an index.
        role === ADMIN_ROLE && sql`'ROLE_ADMIN' = any(u.roles)`,
        withoutCart && sql`not exists (select from carts c where c.user_id = u.id)`,
      ],
      targetsFor: (pattern) => [textTarget({ pattern, text: userText("u") })],
    }),
    read: ({ ids, tx = db }) => tx.select(columns).from(users).where(isAmong(users.id, ids)),
    fileName: "utilisateurs",
    columns: {
      ID: ({ id }) => id,
      Nom: ({ name }) => name,
      Prénom: ({ lastname }) => lastname,
      Email: ({ email }) => email,
      Rôles: ({ roles }) => roles.join(", "),
      Vérifié: ({ isVerified }) => isVerified,
      Supprimé: ({ isDeleted }) => isDeleted,
      Inscription: ({ createdAt }) => momentCell(createdAt),
    },
    toJson: userResource.toJson,
  }),
};
