import { and, eq, inArray, ne, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import type { Transaction } from "@/db";
import { addresses } from "@/db/schema/addresses";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import { carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { checkouts, paymentClosures } from "@/db/schema/checkout";
import { contactMessages } from "@/db/schema/contact";
import { invoices } from "@/db/schema/invoices";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { reviews } from "@/db/schema/reviews";
import { sealRecipient } from "@/lib/mail/seal";
import { listReviewedProducts } from "./queries";

/**
 * Erases a user and whatever the database knows about the person. The one function that writes the
 * tables of every domain: to forget somebody is one act, and a table that it forgets is a leak. A
 * test looks for the person in every table afterwards.
 *
 * - Gone with the row, by foreign keys: addresses, cart, reviews (a trigger takes them out of the
 *   products' ratings), recovery codes, code tries, mails to the person.
 * - Gone by the statements below: contact messages and other mails under the person's e-mail
 *   address, checkouts, and what the audit remembers of all these.
 * - Kept until they are settled: payments under way, with the address encrypted, to tell the person.
 * - Kept, without the user, for the ten years that the law asks for: orders and invoices with the
 *   buyer as they were written then (earlier versions of invoices, too).
 *
 * @returns ids of the products whose pages showed a review of the person
 */
export async function eraseUser(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<number[]> {
  const [user] = await tx
    .select({ email: users.email })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  if (!user) return [];
  const { email } = user;

  await tx
    .update(auditEntries)
    .set({ before: null, after: null })
    .where(or(concerns(tx, { userId }), mentions({ email, userId })));
  await tx.delete(contactMessages).where(isEmail(contactMessages.email, email));
  await tx.delete(mailOutbox).where(
    or(
      // What others have written to the shop stays, also where the person reads it.
      and(isEmail(mailOutbox.recipient, email), ne(mailOutbox.template, "contact")),
      isEmail(mailOutbox.replyTo, email),
    ),
  );
  await giveUpPayments(tx, { userId, email });
  await tx
    .delete(checkouts)
    .where(or(eq(checkouts.userId, userId), isEmail(checkouts.buyerEmail, email)));
  const reviewed = await lockReviewedProducts(tx, { userId });
  await tx.delete(users).where(eq(users.id, userId));
  return reviewed;
}

/**
 * Reviews that go with the user change the ratings of their products, which everybody else locks
 * before a review, and in the order of their ids.
 */
async function lockReviewedProducts(
  tx: Transaction,
  { userId }: { userId: number },
): Promise<number[]> {
  const reviewed = tx
    .select({ id: reviews.productId })
    .from(reviews)
    .where(eq(reviews.userId, userId));
  await tx
    .select({ id: products.id })
    .from(products)
    .where(inArray(products.id, reviewed))
    .orderBy(products.id)
    .for("no key update");
  return listReviewedProducts(tx, { userId });
}

/**
 * Payments under way must not be taken any more: they are cancelled at the provider, or given back
 * (lib/checkout/settlements.ts). The address, encrypted, waits there until the person could be told.
 */
async function giveUpPayments(
  tx: Transaction,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const pending = await tx
    .select({ paymentIntentId: checkouts.paymentIntentId })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.status, "pending")))
    // One whose payment is being opened is waited for.
    .for("update");
  for (const { paymentIntentId } of pending) {
    if (paymentIntentId === null) continue;
    await tx
      .insert(paymentClosures)
      .values({ paymentIntentId, reason: "account-erased", recipient: sealRecipient(email) })
      .onConflictDoNothing();
  }
}

const isEmail = (column: PgColumn, email: string): SQL => sql`lower(${column}) = lower(${email})`;

/** What belongs to a user, under its name in the audit. */
const OWNED = {
  Address: addresses,
  Cart: carts,
  Invoice: invoices,
  Order: orders,
  Review: reviews,
} as const;

/** Entries about the user, and about what is the user's at present. */
function concerns(tx: Transaction, { userId }: { userId: number }): SQL | undefined {
  const owned = Object.entries(OWNED).map(([entity, table]) =>
    and(
      eq(auditEntries.entity, entity),
      // Read before the audit is: with `in` its index would not be used within the `or`.
      sql`${auditEntries.entityId} = any(array(${tx.select({ id: table.id }).from(table).where(eq(table.userId, userId))}))`,
    ),
  );
  return or(and(eq(auditEntries.entity, "User"), eq(auditEntries.entityId, userId)), ...owned);
}

/** Entries that name the person or refer to them, as those of an address that has gone already. */
function mentions({ email, userId }: { email: string; userId: number }): SQL {
  const { before, after } = auditEntries;
  const references = [String(userId), `/api/users/${userId}`];
  const pattern = `%${email.replace(/[\\%_]/g, "\\$&")}%`;
  return sql`(audit_users(${before}, ${after}) && ${sql.param(references)}::text[]
    or audit_addresses(${before}, ${after}) like lower(${pattern}))`;
}
