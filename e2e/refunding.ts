import { expect } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { mailOutbox } from "@/db/schema/mail";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import type { OrderRefundsJson, RefundJson } from "@/lib/refunds/resource";
import { newAdmin } from "./admin";
import type { Api, ApiAnswer } from "./api-client";
import { addToCart, type Buyer, confirm, createBuyer, payCart } from "./buying";
import { type Cards, paymentIdOf } from "./cards";

// Shared by tests of refunds: a paid order, and the calls of admins.

/** An order that was paid in the shop, and an administrator. */
export interface PaidOrder {
  id: number;
  paymentId: string;
  totalCents: number;
  buyer: Buyer;
  token: string;
  lines: (typeof orderLines.$inferSelect)[];
}

/** An item to buy. Each item is a new product. */
export type OrderedItem = Partial<Parameters<typeof createProduct>[0]> & { pieces?: number };

export async function buy({
  api,
  db,
  cards,
  items = [{ priceCents: 4290 }],
  card,
  shippingMethodId,
}: {
  api: Api;
  db: Database;
  cards: Cards;
  items?: readonly OrderedItem[];
  /** Pays with this card. */
  card?: string;
  shippingMethodId?: number;
}): Promise<PaidOrder> {
  const buyer = await createBuyer(db);
  for (const { pieces = 1, ...product } of items) {
    const { id: productId } = await createProduct({ db, ...product });
    await addToCart({ api, buyer, productId, quantity: pieces });
  }
  const secret = await payCart({ api, buyer, cards, ...(card && { card }), shippingMethodId });
  const { status, text, json } = await confirm({ api, buyer, secret });
  expect([200, 201], text).toContain(status);
  const { orderId: id } = json;
  const lines = await db
    .select()
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
    .orderBy(orderLines.id);
  const { token } = await newAdmin(db);
  const totalCents = Math.round(json.orderTotal * 100);
  return { id, paymentId: paymentIdOf(secret), totalCents, buyer, token, lines };
}

let keys = 0;

/** A key that no other refund of this process has. */
export const newKey = () => `e2e-${process.pid}-${keys++}`;

/** `POST /api/admin_orders/{id}/refunds`, whatever the status. */
export const requestRefund = ({
  api,
  order: { id, token },
  key = newKey(),
  ...json
}: {
  api: Api;
  order: Pick<PaidOrder, "id" | "token">;
  /** Null for none. */
  key?: string | null;
  items?: unknown;
  amount?: unknown;
  shipping?: unknown;
  restock?: unknown;
  reason?: unknown;
}): Promise<ApiAnswer<RefundJson & { detail: string }>> =>
  api.post(`/api/admin_orders/${id}/refunds`, {
    token,
    json: { reason: "Article rendu", ...json },
    ...(key !== null && { headers: { "Idempotency-Key": key } }),
    mayFail: true,
  });

export async function readRefunds({
  api,
  order: { id, token },
}: {
  api: Api;
  order: Pick<PaidOrder, "id" | "token">;
}): Promise<OrderRefundsJson> {
  const { status, text, json } = await api.get<OrderRefundsJson>(
    `/api/admin_orders/${id}/refunds`,
    { token },
  );
  expect(status, text).toBe(200);
  return json;
}

/** All rows that the shop has written about an order's refunds. */
export async function rowsOf(db: Database, orderId: number) {
  const [order] = await db.select().from(orders).where(eq(orders.id, orderId));
  const [refundRows, notes] = await Promise.all([
    db.select().from(refunds).where(eq(refunds.orderId, orderId)).orderBy(refunds.id),
    db.select().from(creditNotes).where(eq(creditNotes.orderId, orderId)).orderBy(creditNotes.id),
  ]);
  const mails = (
    await db
      .select()
      .from(mailOutbox)
      .where(eq(mailOutbox.recipient, order?.buyerEmail ?? ""))
  ).filter(({ template }) => template === "credit-note");
  return { order, refunds: refundRows, creditNotes: notes, mails };
}

/**
 * Expects exactly one refund of this amount, at the provider and in the shop, with one credit note and
 * one mail.
 */
export async function expectOneRefund({
  db,
  cards,
  order,
  cents,
}: {
  db: Database;
  cards: Cards;
  order: PaidOrder;
  cents: number;
}): Promise<void> {
  const rows = await rowsOf(db, order.id);
  expect(rows.refunds).toMatchObject([{ status: "succeeded", amountCents: cents }]);
  expect(rows.creditNotes).toMatchObject([{ totalCents: cents, refundId: rows.refunds[0]?.id }]);
  expect(rows.mails).toHaveLength(1);
  expect(rows.order?.refundedCents).toBe(cents);
  const payment = (await cards.books()).payments.find(({ id }) => id === order.paymentId);
  expect(payment?.refunded).toBe(cents);
}
