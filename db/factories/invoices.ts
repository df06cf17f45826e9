import { eq, sql } from "drizzle-orm";
import type { NewOrder, NewOrderLine, OrderRow } from "@/db/factories/orders";
import { type Connection, single } from "@/db/factories/people";
import { type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refundLines, refunds } from "@/db/schema/refunds";
import { type DocumentKind, nextDocumentNumber } from "@/lib/orders/document-numbers";
import { billingDetailsOf } from "@/lib/orders/rules";

type NewInvoice = typeof invoices.$inferInsert;

const DEFAULT_SELLER: InvoiceSnapshot["seller"] = {
  name: "Mini Ecommerce SAS",
  address: ["12 rue des Artisans", "69001 Lyon", "France"],
  siren: "123 456 782",
  vatNumber: "FR11 123456782",
  email: "bonjour@mini-ecommerce.test",
};

/** The invoice of an order, issued when it was paid. */
export function buildInvoice({
  order,
  lines,
  seller = DEFAULT_SELLER,
  ...values
}: {
  order: Pick<OrderRow, "id" | "orderedAt"> & NewOrder;
  lines: readonly Pick<NewOrderLine, "name" | "quantity" | "unitPriceCents" | "vatRateBp">[];
  seller?: InvoiceSnapshot["seller"];
} & Partial<NewInvoice> &
  Pick<NewInvoice, "number">): NewInvoice {
  return {
    userId: order.userId,
    orderId: order.id,
    source: "checkout",
    totalCents: order.totalCents,
    paymentId: order.paymentIntentId,
    issuedAt: order.orderedAt,
    updatedAt: order.orderedAt,
    snapshot: {
      seller,
      ...billingDetailsOf(order),
      lines: lines.map(({ name, quantity, unitPriceCents, vatRateBp }) => ({
        name,
        quantity,
        unitPriceCents,
        vatRateBp,
      })),
    },
    ...values,
  };
}

/** Refunds a whole order: writes the succeeded refund and its credit note. */
export async function createCreditNote({
  db,
  orderId,
  reason = "Article rendu",
  issuedAt = new Date(),
}: {
  db: Connection;
  orderId: number;
  reason?: string;
  issuedAt?: Date;
}) {
  const order = await single(db.select().from(orders).where(eq(orders.id, orderId)));
  const invoice = await single(db.select().from(invoices).where(eq(invoices.orderId, orderId)));
  const refund = await single(
    db
      .insert(refunds)
      .values({
        orderId,
        paymentIntentId: order.paymentIntentId ?? "",
        origin: "staff",
        status: "succeeded",
        amountCents: order.totalCents,
        reason,
        createdAt: issuedAt,
        settledAt: issuedAt,
      })
      .returning(),
  );
  await db.insert(refundLines).select(
    db
      .select({
        refundId: sql<number>`${refund.id}::int`.as("refund_id"),
        orderLineId: orderLines.id,
        quantity: orderLines.quantity,
        amountCents: sql<number>`${orderLines.quantity} * ${orderLines.unitPriceCents}`.as(
          "amount_cents",
        ),
      })
      .from(orderLines)
      .where(eq(orderLines.orderId, orderId)),
  );
  await db.update(orders).set({ refundedCents: order.totalCents }).where(eq(orders.id, orderId));
  return single(
    db
      .insert(creditNotes)
      .values({
        number: await takeDocumentNumber(db, { kind: "credit-note", date: issuedAt }),
        refundId: refund.id,
        invoiceId: invoice.id,
        orderId,
        userId: order.userId,
        totalCents: order.totalCents,
        issuedAt,
        snapshot: {
          ...invoice.snapshot,
          invoice: { number: invoice.number, issuedAt: invoice.issuedAt.toISOString() },
          reason,
        },
      })
      .returning(),
  );
}

/** Takes the next number of a kind of document. */
export async function takeDocumentNumber(
  db: Connection,
  request: { kind: DocumentKind; date: Date },
): Promise<string> {
  const { taken, number } = nextDocumentNumber(db, request);
  return (await single(db.with(taken).select({ number }).from(taken))).number;
}
