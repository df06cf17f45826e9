import { and, asc, count, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { addresses } from "@/db/schema/addresses";
import { fail } from "@/lib/errors";
import { offsetOf, type Page, type PageRequest } from "@/lib/http/api/paging";

export type AddressRow = Pick<
  typeof addresses.$inferSelect,
  "id" | "street" | "city" | "postalCode" | "type" | "isDefault" | "isDefaultBilling"
>;

/** The columns of an `AddressRow`. */
export const addressColumns = {
  id: addresses.id,
  street: addresses.street,
  city: addresses.city,
  postalCode: addresses.postalCode,
  type: addresses.type,
  isDefault: addresses.isDefault,
  isDefaultBilling: addresses.isDefaultBilling,
};

/** A customer's addresses, in the order in which they were added. */
export async function listAddresses({
  userId,
  ...request
}: { userId: number } & PageRequest): Promise<Page<AddressRow>> {
  const isOwn = eq(addresses.userId, userId);
  const [items, [counted]] = await Promise.all([
    db
      .select(addressColumns)
      .from(addresses)
      .where(isOwn)
      .orderBy(asc(addresses.id))
      .limit(request.itemsPerPage)
      .offset(offsetOf(request)),
    db.select({ total: count() }).from(addresses).where(isOwn),
  ]);
  return { items, total: counted?.total ?? 0 };
}

/** @throws 404 for an address that is unknown, or somebody else's */
export async function requireAddress({
  userId,
  id,
  tx = db,
}: {
  userId: number;
  id: number;
  tx?: Pick<Transaction, "select">;
}): Promise<AddressRow> {
  const [address] = await tx.select(addressColumns).from(addresses).where(isOwned({ userId, id }));
  if (!address) throw fail.notFound();
  return address;
}

/** The address `id`, if it is the user's. */
export const isOwned = ({ userId, id }: { userId: number; id: number }) =>
  and(eq(addresses.id, id), eq(addresses.userId, userId));
