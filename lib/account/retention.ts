import { and, eq, isNull, notExists, sql } from "drizzle-orm";
import { db } from "@/db";
import { deleteInBatches } from "@/db/delete-in-batches";
import { addresses } from "@/db/schema/addresses";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import { carts } from "@/db/schema/cart";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { reviews } from "@/db/schema/reviews";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";

/** Seconds after its last mailed link that a registration is kept. */
const REGISTRATION_RETENTION = 7 * 24 * 3600;

/**
 * The condition that an account is only a registration: nobody has proven that the e-mail address is
 * theirs, and admins have not changed the account's flags, roles or password, which would have raised the
 * session version.
 */
const isRegistrationOnly = and(
  // Written as in the partial index.
  sql`not ${users.isVerified}`,
  eq(users.isDeleted, false),
  isNull(users.confirmedTokenHash),
  eq(users.sessionVersion, 1),
  sql`${users.roles} = array['ROLE_USER']`,
);

/**
 * Deletes accounts that were registered and never confirmed: the e-mail address may belong to somebody who
 * wanted no account. Accounts that admins have created, changed or entered something for stay.
 *
 * Deletes only the row and what belongs to it. Unlike in erasure.ts, messages and guests' data under the
 * address stay: they are not the registrant's.
 */
export async function deleteOldRegistrations(): Promise<void> {
  const owned = [orders, carts, addresses, reviews, invoices].map((table) =>
    notExists(db.select({ id: table.id }).from(table).where(eq(table.userId, users.id))),
  );
  const audited = db
    .select({ id: auditEntries.id })
    .from(auditEntries)
    .where(and(eq(auditEntries.entity, "User"), eq(auditEntries.entityId, users.id)));
  const isOld = sql`${users.confirmationTokenExpiresAt}
    < now() - make_interval(secs => ${REGISTRATION_RETENTION - CONFIRMATION_LIFETIME})`;
  const isDue = and(isRegistrationOnly, isOld, notExists(audited), ...owned);
  await deleteInBatches(users, isDue);
}
