import type { Database, Transaction } from "@/db";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { hashPassword } from "@/lib/auth/password";

// Rows with sensible defaults, for the demonstration shop and for tests: `buildX` returns the values of a
// row and writes nothing; `createX` writes the row and the rows it needs, and returns the row.

export type Connection = Database | Transaction;

export type UserRow = typeof users.$inferSelect;
type NewUser = typeof users.$inferInsert;
type NewAddress = typeof addresses.$inferInsert;

let lastNumber = 0;

/**
 * Unique per call and, by the process id, among the processes that share a database. It has digits and one
 * letter, so that a search for a word or a part of one does not find names with it.
 */
export function unique(): string {
  lastNumber += 1;
  return `${process.pid}n${lastNumber}`;
}

export async function single<T>(rows: Promise<T[]>): Promise<T> {
  const [row] = await rows;
  if (row === undefined) throw new Error("The row was not written.");
  return row;
}

// Accounts ---------------------------------------------------------------------------------------

/** The password of users created without one. */
export const DEFAULT_PASSWORD = "Motdepasse-2026!";

const hashes = new Map<string, Promise<string>>();

/** Hashes each distinct password once per process, since hashing is slow by design. */
export function passwordHashOf(password: string): Promise<string> {
  const known = hashes.get(password);
  if (known) return known;
  const hash = hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** A verified customer. */
export function buildUser(values: Partial<NewUser> & Pick<NewUser, "passwordHash">): NewUser {
  return {
    email: `cliente-${unique()}@exemple.test`,
    firstName: "Camille",
    lastName: "Martin",
    isVerified: true,
    ...values,
  };
}

/** A verified customer who logs in with `password`; pass `roles` for an administrator. */
export async function createUser({
  db,
  password = DEFAULT_PASSWORD,
  ...values
}: { db: Connection; password?: string } & Partial<NewUser>): Promise<UserRow> {
  const passwordHash = values.passwordHash ?? (await passwordHashOf(password));
  return single(
    db
      .insert(users)
      .values(buildUser({ ...values, passwordHash }))
      .returning(),
  );
}

export async function createAdmin({
  db,
  ...values
}: { db: Connection; password?: string } & Partial<NewUser>): Promise<UserRow> {
  return createUser({
    db,
    email: `admin-${unique()}@exemple.test`,
    lastName: "Administration",
    roles: ["ROLE_USER", "ROLE_ADMIN"],
    ...values,
  });
}

/** A shipping address that is not the default. */
export function buildAddress(values: Partial<NewAddress> & Pick<NewAddress, "userId">): NewAddress {
  return { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003", ...values };
}

export async function createAddress({
  db,
  ...values
}: { db: Connection } & Partial<NewAddress> & Pick<NewAddress, "userId">) {
  return single(db.insert(addresses).values(buildAddress(values)).returning());
}
