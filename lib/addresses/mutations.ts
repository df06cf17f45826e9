import { and, eq, ne } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { nextVersion } from "@/db/next-version";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { type AddressRow, addressColumns, isOwned, requireAddress } from "@/lib/addresses/queries";
import { type AddressType, allowedDefaults, MAX_ADDRESSES } from "@/lib/addresses/rules";
import type { AddressChange, NewAddress } from "@/lib/addresses/schemas";
import {
  NOT_A_BILLING_ADDRESS,
  NOT_A_SHIPPING_ADDRESS,
  TOO_MANY_ADDRESSES,
} from "@/lib/addresses/texts";
import { fail } from "@/lib/errors/failure";

/** @throws 422 if the customer has too many addresses already */
export async function createAddress({
  userId,
  ...input
}: { userId: number } & NewAddress): Promise<AddressRow> {
  return withUserLocked(userId, async (tx) => {
    const isOwn = eq(addresses.userId, userId);
    if ((await tx.$count(addresses, isOwn)) >= MAX_ADDRESSES)
      throw fail.violation("", TOO_MANY_ADDRESSES);
    const defaults = allowedDefaults(input);
    await clearDefaults(tx, { userId, ...defaults });
    const [created] = await tx
      .insert(addresses)
      .values({ ...input, ...defaults, userId })
      .returning(addressColumns);
    if (!created) throw new Error("The address was not written.");
    return created;
  });
}

/** Changes the given fields of an address. @throws 404 */
export async function updateAddress({
  userId,
  id,
  ...change
}: { userId: number; id: number } & AddressChange): Promise<AddressRow> {
  return withUserLocked(userId, async (tx) => {
    const current = await requireAddress({ tx, userId, id });
    const { id: _, ...merged } = { ...current, ...change };
    const defaults = allowedDefaults(merged);
    await clearDefaults(tx, { userId, except: id, ...defaults });
    const changed = await tx
      .update(addresses)
      .set({
        ...merged,
        ...defaults,
        ...nextVersion(addresses),
      })
      .where(isOwned({ userId, id }))
      .returning({ id: addresses.id });
    // Deleted meanwhile: the rollback keeps the former default.
    if (changed.length === 0) throw fail.notFound();
    return { id, ...merged, ...defaults };
  });
}

/** Deletes an address, a default one as well; orders have their own copies. @throws 404 */
export async function deleteAddress({ userId, id }: { userId: number; id: number }): Promise<void> {
  const deleted = await db
    .delete(addresses)
    .where(isOwned({ userId, id }))
    .returning({ id: addresses.id });
  if (deleted.length === 0) throw fail.notFound();
}

/** Makes an address the default of its kind. @throws 404, 422 for an address of the other kind */
export async function setDefaultAddress({
  userId,
  id,
  kind,
}: {
  userId: number;
  id: number;
  kind: AddressType;
}): Promise<void> {
  const { type } = await requireAddress({ userId, id });
  if (type !== kind)
    throw fail.violation("", kind === "shipping" ? NOT_A_SHIPPING_ADDRESS : NOT_A_BILLING_ADDRESS);
  await updateAddress(
    kind === "shipping" ? { userId, id, isDefault: true } : { userId, id, isDefaultBilling: true },
  );
}

/**
 * Serialises writes to a customer's addresses with a lock on the user: concurrent defaults do not violate
 * the unique key, and the limit on the number of addresses is exact.
 */
function withUserLocked<T>(userId: number, write: (tx: Transaction) => Promise<T>): Promise<T> {
  return db.transaction(async (tx) => {
    const owner = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.id, userId))
      .for("no key update");
    if (owner.length === 0) throw fail.unauthorized();
    return write(tx);
  });
}

/** Clears the default flags that another address is about to get. */
export async function clearDefaults(
  tx: Transaction,
  {
    userId,
    except = 0,
    isDefault,
    isDefaultBilling,
  }: { userId: number; except?: number; isDefault: boolean; isDefaultBilling: boolean },
): Promise<void> {
  for (const [isWanted, column, cleared] of [
    [isDefault, addresses.isDefault, { isDefault: false }],
    [isDefaultBilling, addresses.isDefaultBilling, { isDefaultBilling: false }],
  ] as const) {
    if (!isWanted) continue;
    await tx
      .update(addresses)
      .set({ ...cleared, ...nextVersion(addresses) })
      .where(and(eq(addresses.userId, userId), eq(column, true), ne(addresses.id, except)));
  }
}
