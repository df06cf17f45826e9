import { and, asc, eq } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { addresses } from "@/db/schema/addresses";
import { fail } from "@/lib/errors/failure";
import { countedPage, type Page, type PageRequest } from "@/lib/http/api/paging";

export type AddressRow = Awaited<ReturnType<typeof requireAddress>>;

/** An address's id, and what stands on a parcel or an invoice. */
export const postalColumns = {
  id: addresses.id,
  street: addresses.street,
  city: addresses.city,
  postalCode: addresses.postalCode,
  recipient: addresses.recipient,
  company: addresses.company,
  complement: addresses.complement,
  phone: addresses.phone,
};

export const addressColumns = {
  ...postalColumns,
  type: addresses.type,
  isDefault: addresses.isDefault,
  isDefaultBilling: addresses.isDefaultBilling,
};

/** A customer's addresses, in the order in which they were added. */
export function listAddresses({
  userId,
  ...request
}: { userId: number } & PageRequest): Promise<Page<AddressRow>> {
  const isOwn = eq(addresses.userId, userId);
  return countedPage({
    request,
    count: () => db.$count(addresses, isOwn),
    read: ({ limit, offset }) =>
      db
        .select(addressColumns)
        .from(addresses)
        .where(isOwn)
        .orderBy(asc(addresses.id))
        .limit(limit)
        .offset(offset),
  });
}

/** @throws 404 for an address that is unknown or belongs to another user */
export async function requireAddress({
  userId,
  id,
  tx = db,
}: {
  userId: number;
  id: number;
  tx?: Pick<Transaction, "select">;
}) {
  const [address] = await tx.select(addressColumns).from(addresses).where(isOwned({ userId, id }));
  if (!address) throw fail.notFound();
  return address;
}

/** The address `id`, if it is the user's. */
export const isOwned = ({ userId, id }: { userId: number; id: number }) =>
  and(eq(addresses.id, id), eq(addresses.userId, userId));
