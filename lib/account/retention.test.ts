import { eq, inArray } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { auditEntries } from "@/db/schema/audit";
import { users } from "@/db/schema/auth";
import { contactMessages } from "@/db/schema/contact";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { expect, test } from "@/e2e/database-fixtures";
import { deleteExpired } from "@/lib/maintenance/maintain";

const DAY = 24 * 3_600_000;

/** An unconfirmed account, with a link of two days that was mailed so many days ago. */
const mailed = ({ daysAgo }: { daysAgo: number }) => ({
  isVerified: false,
  confirmationTokenExpiresAt: new Date(Date.now() + (2 - daysAgo) * DAY),
});

test("unconfirmed, unused registrations are deleted a week after their last link", async ({
  database: db,
}) => {
  const old = mailed({ daysAgo: 7.01 });
  const gone = await createUser({ db, ...old });
  const message = { name: "Camille", email: gone.email, message: "Bonjour" };
  await db.insert(contactMessages).values(message);
  const withAddress = await createUser({ db, ...old });
  await createAddress({ db, userId: withAddress.id });
  const withReview = await createUser({ db, ...old });
  const product = await createProduct({ db });
  await createReview({ db, userId: withReview.id, productId: product.id });
  const withInvoice = await createUser({ db, ...old });
  const { invoice } = await createOrder({ db, user: withInvoice, items: [{ product }] });
  await db
    .update(invoices)
    .set({ orderId: null })
    .where(eq(invoices.id, invoice?.id ?? 0));
  await db.delete(orders).where(eq(orders.userId, withInvoice.id));
  const changedByAdmin = await createUser({ db, ...old });
  const entry = { entity: "User", entityId: changedByAdmin.id, action: "update" } as const;
  await db.insert(auditEntries).values(entry);
  const kept = [
    await createUser({ db, ...mailed({ daysAgo: 6.99 }) }),
    await createUser({ db, ...old, isVerified: true }),
    await createUser({ db, ...old, isDeleted: true }),
    await createUser({ db, ...old, confirmedTokenHash: "confirmed-once" }),
    await createUser({ db, ...old, sessionVersion: 2 }),
    await createUser({ db, ...old, roles: ["ROLE_USER", "ROLE_ADMIN"] }),
    // Entered by admins, without a link.
    await createUser({ db, isVerified: false }),
    withAddress,
    withReview,
    withInvoice,
    changedByAdmin,
  ].map(({ id }) => id);
  await Promise.all([deleteExpired(), deleteExpired()]);
  const left = await db
    .select({ id: users.id })
    .from(users)
    .where(inArray(users.id, [gone.id, ...kept]));
  expect(left.map(({ id }) => id).sort()).toEqual(kept.toSorted());
  // The author of the message may be somebody else than the registrant.
  const messages = await db.select().from(contactMessages);
  expect(messages.map(({ email }) => email)).toContain(gone.email);
});
