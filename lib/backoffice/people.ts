import { eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import type { carts } from "@/db/schema/cart";
import type { invoices } from "@/db/schema/invoices";
import type { orders } from "@/db/schema/orders";
import { fail } from "@/lib/errors/failure";
import type { Person } from "./resource";
import { ALL_FIELDS_REQUIRED, UNKNOWN_USER } from "./texts";

// The users who own carts, orders, invoices, addresses and reviews.

/** The columns of a `Person`. */
export const personColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
};

/**
 * Reads the new owner of a row, and locks the account against erasure until the transaction ends.
 *
 * @throws 422 for an unknown user
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
 * Refuses to empty a field. A field that is already empty (the user of an erased account) may stay empty.
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
  /** The stored values. */
  current: { [F in Field]: unknown };
}): void {
  if (fields.some((field) => sent[field] === null && current[field] !== null))
    throw fail.violation("", ALL_FIELDS_REQUIRED);
}

/** A table of rows that belong to users. */
type OwnedTable = typeof carts | typeof orders | typeof invoices;

/**
 * Locks the current and the new owner of a row against erasure, then the row. An erasure locks in the same
 * order.
 */
export async function lockOwned(
  tx: Transaction,
  table: OwnedTable,
  { id, userId }: { id: number; userId?: number | null | undefined },
): Promise<void> {
  // All three tables have the columns used here.
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
