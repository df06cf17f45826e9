import { eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { users } from "@/db/schema/auth";
import type { carts } from "@/db/schema/cart";
import type { invoices } from "@/db/schema/invoices";
import type { orders } from "@/db/schema/orders";
import { fail } from "@/lib/errors";
import { isAmong } from "./list";
import type { Person } from "./resource";
import { UNKNOWN_USER } from "./texts";

// The people whom carts, orders, invoices, addresses and reviews belong to.

/** The columns of a `Person`. */
export const personColumns = {
  id: users.id,
  firstName: users.firstName,
  lastName: users.lastName,
  email: users.email,
};

/**
 * The person whom something is given to, whom nobody can erase before the transaction has ended.
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

/** A table of what people own. */
type OwnedTable = typeof carts | typeof orders | typeof invoices;

/**
 * Locks a row, and before it whose it is and whose it is to be: an erasure goes in that order. Nobody
 * of them is erased before the transaction has ended.
 */
export async function lockOwned(
  tx: Transaction,
  table: OwnedTable,
  { id, userId }: { id: number; userId?: number | null | undefined },
): Promise<void> {
  // One of them stands for all: they are alike in what is read here.
  const rows = table as typeof orders;
  const isIt = eq(rows.id, id);
  const [owned] = await tx.select({ userId: rows.userId }).from(rows).where(isIt);
  const people = [owned?.userId, userId].flatMap((each) => each ?? []);
  await tx
    .select({ id: users.id })
    .from(users)
    .where(isAmong(users.id, people))
    .orderBy(users.id)
    .for("key share");
  await tx.select({ id: rows.id }).from(rows).where(isIt).for("update");
}
