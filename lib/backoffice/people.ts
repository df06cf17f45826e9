import { eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import type { carts } from "@/db/schema/cart";
import type { invoices } from "@/db/schema/invoices";
import type { orders } from "@/db/schema/orders";
import { fail } from "@/lib/errors";
import { isAmong } from "./list";
import type { Person } from "./resource";
import { ALL_FIELDS_REQUIRED, UNKNOWN_USER } from "./texts";

// The users whom carts, orders, invoices, addresses and reviews belong to.

/** The columns of a `Person`. */
export const personColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
};

/**
 * Reads and locks the new owner of something against erasure, to the end of the transaction.
 *
 * @throws 422 for an unknown one
 */
export async function requirePerson(tx: Transaction, id: number): Promise<Person> {
  const [person] = await tx
    .select(personColumns)
    .from(users)
    .where(eq(users.id, id))
    .for("key share");
  if (!person) throw fail.violation("user", UNKNOWN_USER);
  return person;
}

/**
 * Fields that are empty already (the user of an erased account) may be sent empty; no others.
 *
 * @throws 422
 */
export function requireNotEmptied<Field extends string>({
  fields,
  sent,
  current,
}: {
  fields: readonly Field[];
  sent: { [F in Field]?: unknown };
  /** As it was read. */
  current: { [F in Field]: unknown };
}): void {
  if (fields.some((field) => sent[field] === null && current[field] !== null))
    throw fail.violation("", ALL_FIELDS_REQUIRED);
}

/** A table of what belongs to users. */
type OwnedTable = typeof carts | typeof orders | typeof invoices;

/**
 * Locks the present and the new owner of a row against erasure, then the row: the order in which an
 * erasure locks them.
 */
export async function lockOwned(
  tx: Transaction,
  table: OwnedTable,
  { id, userId }: { id: number; userId?: number | null | undefined },
): Promise<void> {
  // The tables have the columns in common that are used here.
  const rows = table as typeof orders;
  const isRow = eq(rows.id, id);
  const [owned] = await tx.select({ userId: rows.userId }).from(rows).where(isRow);
  const people = [owned?.userId, userId].flatMap((each) => each ?? []);
  await tx
    .select({ id: users.id })
    .from(users)
    .where(isAmong(users.id, people))
    .orderBy(users.id)
    .for("key share");
  await tx.select({ id: rows.id }).from(rows).where(isRow).for("update");
}
