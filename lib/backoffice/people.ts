import { eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { users } from "@/db/schema/auth";
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

/**
 * Keeps people from being erased before the transaction has ended. What is theirs is locked after them,
 * for an erasure goes in that order. Those who are unknown by now, or null, are left out.
 */
export async function lockPeople(
  tx: Transaction,
  ids: readonly (number | null | undefined)[],
): Promise<void> {
  const known = ids.flatMap((id) => id ?? []);
  await tx
    .select({ id: users.id })
    .from(users)
    .where(isAmong(users.id, known))
    .orderBy(users.id)
    .for("key share");
}
