import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { inFrenchOrder } from "@/db/french-order";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { addressText } from "@/db/search-text";
import { adminEntity, changeRow, insertRow } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { personColumns } from "@/lib/backoffice/people";
import type { Person } from "@/lib/backoffice/resource";
import { personTarget, textTarget } from "@/lib/backoffice/search";
import { ADDRESS_TYPE_LABELS, UNKNOWN_USER } from "@/lib/backoffice/texts";
import { fail } from "@/lib/errors/failure";
import { adminAddressResource } from "./admin-resource";
import { addressListQuery, adminAddressChange, adminAddressInput } from "./admin-schemas";
import { clearDefaults } from "./mutations";
import { type AddressRow, addressColumns } from "./queries";
import { allowedDefaults } from "./rules";

export type AdminAddressRow = AddressRow & { user: Person; version: number };

async function readAddresses({ ids, tx = db }: ByIds): Promise<AdminAddressRow[]> {
  return tx
    .select({
      ...addressColumns,
      version: addresses.version,
      user: personColumns,
    })
    .from(addresses)
    .innerJoin(users, eq(users.id, addresses.userId))
    .where(isAmong(addresses.id, ids));
}

/** Everybody's addresses. Orders have their own copies. */
export const adminAddresses = adminEntity({
  entity: "Address",
  table: addresses,
  resource: adminAddressResource,
  query: addressListQuery,
  source: {
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
  },
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
    Destinataire: ({ recipient }) => recipient,
    Société: ({ company }) => company,
    "Complément d'adresse": ({ complement }) => complement,
    Téléphone: ({ phone }) => phone,
  },
  input: adminAddressInput,
  change: adminAddressChange,
  /** A removal locks the address alone. */
  lock: (tx, { id, input }) =>
    input
      ? lockOwners(tx, { id, newOwner: input.user })
      : tx.select().from(addresses).where(eq(addresses.id, id)).for("update"),
  /** @throws 422 for an unknown user */
  create: async (tx, { input: { user: userId, ...input } }) => {
    await lockUsers(tx, [userId]);
    const defaults = allowedDefaults(input);
    await clearDefaults(tx, { userId, ...defaults });
    return insertRow(tx, addresses, { ...input, ...defaults, userId });
  },
  /** May change the owner. @throws 422 for an unknown user */
  update: async (tx, { id, current, input: { user: userId = current.user.id, ...change } }) => {
    const defaults = allowedDefaults({ ...current, ...change });
    await clearDefaults(tx, { userId, except: id, ...defaults });
    await changeRow(tx, addresses, { id, ...change, ...defaults, userId });
  },
});

/** Locks an address's owner and its new owner. Repeats this if the owner has changed before the lock was taken. */
async function lockOwners(
  tx: Transaction,
  { id, newOwner }: { id: number; newOwner: number | undefined },
): Promise<void> {
  const owner = await ownerOf(tx, id);
  await lockUsers(tx, [owner, newOwner ?? owner]);
  if ((await ownerOf(tx, id)) !== owner) await lockOwners(tx, { id, newOwner });
}

/** @throws 404 */
async function ownerOf(tx: Transaction, id: number): Promise<number> {
  const [row] = await tx
    .select({ userId: addresses.userId })
    .from(addresses)
    .where(eq(addresses.id, id));
  if (!row) throw fail.notFound();
  return row.userId;
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
