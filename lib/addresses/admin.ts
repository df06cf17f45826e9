import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { inFrenchOrder } from "@/db/french-order";
import { nextVersion } from "@/db/next-version";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { addressText } from "@/db/search-text";
import { type Act, type Creation, recordChange, type Update } from "@/lib/audit/mutations";
import { type ByIds, isAmong, listOf } from "@/lib/backoffice/list";
import { listSource } from "@/lib/backoffice/list-source";
import { personColumns } from "@/lib/backoffice/people";
import type { Person } from "@/lib/backoffice/resource";
import { personTarget, textTarget } from "@/lib/backoffice/search";
import { ADDRESS_TYPE_LABELS, UNKNOWN_USER } from "@/lib/backoffice/texts";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors";
import { adminAddressResource } from "./admin-resource";
import type { AddressListQuery, AdminAddressChange, AdminAddressInput } from "./admin-schemas";
import { clearDefaults } from "./mutations";
import { type AddressRow, addressColumns as columns } from "./queries";
import { allowedDefaults } from "./rules";

export type AdminAddressRow = AddressRow & { user: Person; version: number };

async function readAddresses({ ids, tx = db }: ByIds): Promise<AdminAddressRow[]> {
  return tx
    .select({
      ...columns,
      version: addresses.version,
      user: personColumns,
    })
    .from(addresses)
    .innerJoin(users, eq(users.id, addresses.userId))
    .where(isAmong(addresses.id, ids));
}

/** Everybody's addresses. */
export const {
  page: listAllAddresses,
  table: exportAddresses,
  one: requireAnyAddress,
} = listOf({
  sourceOf: listSource<AddressListQuery>({
    from: sql`addresses a`,
    id: sql`a.id`,
    sorts: {
      street: inFrenchOrder(sql`a.street`),
      city: inFrenchOrder(sql`a.city`),
      postalCode: sql`a.postal_code`,
    },
    equal: { type: sql`a.type`, user: sql`a.user_id` },
    targetsFor: (pattern) => [
      textTarget({ pattern, text: addressText("a") }),
      personTarget({ pattern, userId: sql`a.user_id` }),
    ],
  }),
  read: readAddresses,
  fileName: "adresses",
  columns: {
    ID: ({ id }) => id,
    Rue: ({ street }) => street,
    Ville: ({ city }) => city,
    "Code postal": ({ postalCode }) => postalCode,
    Nom: ({ user }) => user.name,
    Prénom: ({ user }) => user.lastname,
    Email: ({ user }) => user.email,
    Type: ({ type }) => ADDRESS_TYPE_LABELS[type],
    "Par défaut": ({ isDefault }) => isDefault,
    "Facturation par défaut": ({ isDefaultBilling }) => isDefaultBilling,
  },
  toJson: adminAddressResource.toJson,
});

/** Adds an address to a user. @throws 422 for an unknown user */
export function createAddressFor({
  actor,
  input: { user: userId, ...input },
}: Creation<AdminAddressInput>): Promise<AdminAddressRow> {
  return db.transaction(async (tx) => {
    await lockUsers(tx, [userId]);
    const defaults = allowedDefaults(input);
    await clearDefaults(tx, { userId, ...defaults });
    const [created] = await tx
      .insert(addresses)
      .values({ ...input, ...defaults, userId })
      .returning({ id: addresses.id });
    if (!created) throw new Error("The address was not written.");
    const address = await requireAnyAddress({ id: created.id, tx });
    const after = adminAddressResource.toJson(address);
    await recordChange(tx, { actor, entity: "Address", id: created.id, before: null, after });
    return address;
  });
}

/**
 * Changes the given fields of an address, which may include its owner.
 *
 * @throws 404, 409 for an old version, 422 for an unknown user
 */
export function updateAnyAddress({
  actor,
  id,
  input: { version, user, ...change },
}: Update<AdminAddressChange>): Promise<AdminAddressRow> {
  return db.transaction(async (tx) => {
    const current = await lockAddress(tx, { id, newOwner: user });
    const userId = user ?? current.user.id;
    const before = adminAddressResource.toJson(current);
    await requireVersion(tx, { entity: "Address", sent: version, current: before });
    const merged = { ...current, ...change };
    const defaults = allowedDefaults(merged);
    await clearDefaults(tx, { userId, except: id, ...defaults });
    await tx
      .update(addresses)
      .set({
        ...change,
        ...defaults,
        userId,
        ...nextVersion(addresses),
      })
      .where(eq(addresses.id, id));
    const address = await requireAnyAddress({ id, tx });
    const after = adminAddressResource.toJson(address);
    await recordChange(tx, { actor, entity: "Address", id, before, after });
    return address;
  });
}

/** Deletes anybody's address; orders have their own copies. @throws 404 */
export async function deleteAnyAddress({ actor, id }: Act): Promise<void> {
  await db.transaction(async (tx) => {
    const before = adminAddressResource.toJson(await requireAnyAddress({ id, tx }));
    const deleted = await tx
      .delete(addresses)
      .where(eq(addresses.id, id))
      .returning({ id: addresses.id });
    if (deleted.length === 0) throw fail.notFound();
    await recordChange(tx, { actor, entity: "Address", id, before, after: null });
  });
}

/**
 * Locks an address's owner and its new owner. Repeats this if the owner has changed before the lock was
 * taken.
 */
async function lockAddress(
  tx: Transaction,
  { id, newOwner }: { id: number; newOwner: number | undefined },
): Promise<AdminAddressRow> {
  const { user: owner } = await requireAnyAddress({ id, tx });
  await lockUsers(tx, [owner.id, newOwner ?? owner.id]);
  const current = await requireAnyAddress({ id, tx });
  return current.user.id === owner.id ? current : lockAddress(tx, { id, newOwner });
}

/** Serialises writes to these users' addresses, like writes by the customers themselves. */
async function lockUsers(tx: Transaction, ids: readonly number[]): Promise<void> {
  const owners = await tx
    .select({ id: users.id })
    .from(users)
    .where(isAmong(users.id, ids))
    .orderBy(users.id)
    .for("no key update");
  if (owners.length < new Set(ids).size) throw fail.violation("user", UNKNOWN_USER);
}
