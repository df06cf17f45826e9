import { and, eq, inArray, ne, notInArray, or, type SQL, sql } from "drizzle-orm";
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
import { withdrawals } from "@/db/schema/withdrawals";
import { holdsEmail, storedFormsOf } from "@/lib/auth/email-forms";
import { recipientSealer } from "@/lib/mail/seal";
import { deleteAlertsOf } from "@/lib/stock-alerts/mutations";
import { sendClosingNotice } from "./notices";
import { listReviewedProducts } from "./queries";

/**
 * Erases a user and all personal data about them. This is the only function that writes the tables of every
 * domain: a table that it left out would be a leak. A test searches every table for the person afterwards.
 *
 * - Deleted with the row, by foreign keys: addresses, cart, reviews (a trigger takes them out of the
 *   products' ratings), recovery codes, code tries, mails to the person.
 * - Deleted by the statements below: contact messages, stock alerts and other mails with the person's e-mail
 *   address, checkouts, and the states in the audit entries about all these.
 * - Kept without the person: withdrawals, and the notice about a withdrawal that the shop has not received
 *   yet.
 * - Kept until they are reversed: pending payments, with the person's address encrypted, to notify the
 *   person.
 * - Kept for the ten years that the law requires, without the user: orders, invoices and credit notes with
 *   the buyer's data at that time (earlier versions of invoices, too).
 * - Written: a mail that tells the person. The outbox keeps its address encrypted until it is sent.
 *
 * @param isByShop by admins, not by the person
 * @returns ids of the products whose pages showed a review of the person
 */
export async function eraseUser(
  tx: Transaction,
  { userId, isByShop = false }: { userId: number; isByShop?: boolean },
): Promise<number[]> {
  const [user] = await tx
    .select({ email: users.email, isVerified: users.isVerified })
    .from(users)
    .where(eq(users.id, userId))
    .for("update");
  if (!user) return [];
  const { email } = user;

  await tx
    .update(auditEntries)
    .set({ before: null, after: null })
    .where(or(isAboutUser(tx, { userId }), mentionsUser({ email, userId })));
  await tx.delete(contactMessages).where(holdsEmail(contactMessages.email, email));
  await deleteAlertsOf(tx, { email });
  await forgetWhoWithdrew(tx, { userId });
  await tx.delete(mailOutbox).where(
    or(
      // Messages to the shop stay, even if the person is their recipient.
      and(
        holdsEmail(mailOutbox.recipient, email),
        notInArray(mailOutbox.template, ["contact", "withdrawal-notice"]),
      ),
      holdsEmail(mailOutbox.replyTo, email),
    ),
  );
  await reversePendingPayments(tx, { userId, email });
  await tx.delete(checkouts).where(
    or(
      eq(checkouts.userId, userId),
      // A pending checkout belongs to another account that had the address before. Its payment may be under
      // way.
      and(holdsEmail(checkouts.buyerEmail, email), ne(checkouts.status, "pending")),
    ),
  );
  const reviewed = await lockReviewedProducts(tx, { userId });
  await tx.delete(users).where(eq(users.id, userId));
  // An unconfirmed address may be somebody else's.
  if (user.isVerified) await sendClosingNotice(tx, { template: "account-erased", email, isByShop });
  return reviewed;
}

/** Removes the person from withdrawals. The shop still has to refund them, and still receives the notice. */
async function forgetWhoWithdrew(tx: Transaction, { userId }: { userId: number }): Promise<void> {
  await tx
    .update(withdrawals)
    .set({
      userId: null,
      buyerEmail: null,
      buyerFirstName: null,
      buyerLastName: null,
      // Texts by the person, and to the person.
      items: null,
      refusalReason: null,
    })
    .where(eq(withdrawals.userId, userId));
  const withoutPerson = JSON.stringify({ buyer: null, items: null });
  await tx
    .update(mailOutbox)
    .set({
      userId: null,
      replyTo: null,
      // A mail provider may repeat the refused address in its error.
      lastError: null,
      data: sql`${mailOutbox.data} || ${withoutPerson}::jsonb`,
    })
    .where(
      and(
        eq(mailOutbox.userId, userId),
        eq(mailOutbox.template, "withdrawal-notice"),
        ne(mailOutbox.status, "sent"),
      ),
    );
}

/**
 * Locks the products whose ratings change when the user's reviews are deleted. All other code also locks
 * products before reviews, in the order of their ids.
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
 * Pending payments must not succeed: they are cancelled at the provider, or refunded
 * (lib/checkout/reversals.ts). The payment's closure keeps the address, encrypted, until the person has
 * been notified.
 */
async function reversePendingPayments(
  tx: Transaction,
  { userId, email }: { userId: number; email: string },
): Promise<void> {
  const pending = await tx
    .select({ paymentIntentId: checkouts.paymentIntentId })
    .from(checkouts)
    .where(and(eq(checkouts.userId, userId), eq(checkouts.status, "pending")))
    // Waits for checkouts whose payment is being opened.
    .for("update");
  for (const { paymentIntentId } of pending) {
    if (paymentIntentId === null) continue;
    await tx
      .insert(paymentClosures)
      .values({ paymentIntentId, reason: "account-erased", recipient: recipientSealer.seal(email) })
      .onConflictDoNothing();
  }
}

/** Tables with rows that belong to a user, by their names in the audit. */
const OWNED = {
  Address: addresses,
  Cart: carts,
  Invoice: invoices,
  Order: orders,
  Review: reviews,
  Withdrawal: withdrawals,
} as const;

/** Audit entries about the user, and about rows that belong to the user. */
function isAboutUser(tx: Transaction, { userId }: { userId: number }): SQL | undefined {
  const owned = Object.entries(OWNED).map(([entity, table]) =>
    and(
      eq(auditEntries.entity, entity),
      // An array: with `in` inside the `or`, the audit's index would not be used.
      sql`${auditEntries.entityId} = any(array(${tx.select({ id: table.id }).from(table).where(eq(table.userId, userId))}))`,
    ),
  );
  return or(and(eq(auditEntries.entity, "User"), eq(auditEntries.entityId, userId)), ...owned);
}

/** Audit entries that name the person or refer to them, even entries about deleted objects. */
function mentionsUser({ email, userId }: { email: string; userId: number }): SQL {
  const { before, after } = auditEntries;
  const references = [String(userId), `/api/users/${userId}`];
  const named = storedFormsOf(email).map((form) => {
    const pattern = `%${form.replace(/[\\%_]/g, "\\$&")}%`;
    return sql`audit_addresses(${before}, ${after}) like lower(${pattern})`;
  });
  return sql`(audit_users(${before}, ${after}) && ${sql.param(references)}::text[]
    or ${sql.join(named, sql` or `)})`;
}
