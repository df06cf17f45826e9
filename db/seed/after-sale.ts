import { eq } from "drizzle-orm";
import type { Transaction } from "@/db";
import { buildWithdrawal } from "@/db/factories/orders";
import type { invoices } from "@/db/schema/invoices";
import { documentNumbers, type orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refundLines, refunds } from "@/db/schema/refunds";
import { shipmentLines, shipments } from "@/db/schema/shipments";
import { withdrawals } from "@/db/schema/withdrawals";
import { creditLines } from "@/lib/credit-notes/rules";
import { formatDocumentNumber, yearInFrance } from "@/lib/orders/document-numbers";

// The demonstration shop after its purchases: order states, parcels, refunds with credit notes, and
// withdrawals. Nothing here is random.

type OrderRow = typeof orders.$inferSelect;
type LineRow = typeof orderLines.$inferSelect;
type InvoiceRow = typeof invoices.$inferSelect;

interface Clock {
  daysAgo(days: number, minutes?: number): Date;
}

// Deliveries -------------------------------------------------------------------------------------

/** The state of an order, and when it reached each earlier state. */
export interface OrderProgress {
  status: OrderRow["status"];
  preparedAt: Date | null;
  /** When its parcel was shipped; null before. */
  shippedAt: Date | null;
  deliveredAt: Date | null;
  cancelledAt: Date | null;
  /** Whether only a part of the order was shipped. */
  isPartlyShipped: boolean;
}

interface Purchase {
  daysAgo: number;
  date: Date;
  isDemo: boolean;
  lines: readonly Pick<LineRow, "productType" | "quantity">[];
}

/** How many of the newest orders are paid but not prepared, and how many are being prepared. */
const PAID = 3;
const PREPARING = 2;
/** Orders older than this, in days, are delivered. */
const ARRIVED_DAYS = 14;

const NOTHING = {
  preparedAt: null,
  shippedAt: null,
  deliveredAt: null,
  cancelledAt: null,
  isPartlyShipped: false,
} as const;

/**
 * The state of each order: the newest are paid, then being prepared (one is partly shipped, one cancelled);
 * the next ones are shipped, and the others delivered.
 */
export function progressOf({
  purchases,
  clock,
}: {
  /** Oldest first. */
  purchases: readonly Purchase[];
  clock: Clock;
}): OrderProgress[] {
  let waiting = 0;
  let hasPart = false;
  let hasCancelled = false;
  const found = purchases.toReversed().map(({ daysAgo, date, isDemo, lines }): OrderProgress => {
    const objects = lines.filter(({ productType }) => productType === "physical");
    if (objects.length === 0) return { ...NOTHING, status: "delivered", deliveredAt: date };
    const preparedAt = nextDay({ clock, daysAgo, hour: 10 });
    const shippedAt = nextDay({ clock, daysAgo, hour: 14 });
    waiting += 1;
    if (waiting <= PAID) return { ...NOTHING, status: "paid" };
    if (waiting <= PAID + PREPARING) return { ...NOTHING, status: "preparing", preparedAt };
    if (!hasPart && objects.length > 1) {
      hasPart = true;
      return { ...NOTHING, status: "preparing", preparedAt, shippedAt, isPartlyShipped: true };
    }
    if (!hasCancelled && !isDemo) {
      hasCancelled = true;
      return { ...NOTHING, status: "cancelled", cancelledAt: preparedAt };
    }
    if (daysAgo <= ARRIVED_DAYS) return { ...NOTHING, status: "shipped", preparedAt, shippedAt };
    const deliveredAt = clock.daysAgo(daysAgo - 4, 11 * 60);
    return { ...NOTHING, status: "delivered", preparedAt, shippedAt, deliveredAt };
  });
  return found.toReversed();
}

/** The day after an order; for yesterday's orders, late the same evening. */
const nextDay = ({ clock, daysAgo, hour }: { clock: Clock; daysAgo: number; hour: number }) =>
  daysAgo > 1 ? clock.daysAgo(daysAgo - 1, hour * 60) : clock.daysAgo(daysAgo, hour * 6 + 21 * 60);

/** Shipped pieces of each line; of a partly shipped order, the first physical product. */
export function shippedPieces({
  lines,
  progress: { shippedAt, isPartlyShipped },
}: {
  lines: Purchase["lines"];
  progress: OrderProgress;
}): number[] {
  const first = lines.findIndex(({ productType }) => productType === "physical");
  return lines.map(({ productType, quantity }, index) => {
    if (productType === "digital") return quantity;
    return shippedAt !== null && (!isPartlyShipped || index === first) ? quantity : 0;
  });
}

/** An order as it was written, with its progress. */
export interface SeededOrder {
  order: OrderRow;
  lines: readonly LineRow[];
  invoice: InvoiceRow;
  daysAgo: number;
  isDemo: boolean;
  progress: OrderProgress;
}

const CARRIERS = ["Colissimo", "Mondial Relay", "Chronopost"] as const;

async function seedShipments(tx: Transaction, seededOrders: readonly SeededOrder[]): Promise<void> {
  const sent = seededOrders.filter(({ progress }) => progress.shippedAt !== null);
  const parcels = await tx
    .insert(shipments)
    .values(
      sent.map(({ order, progress: { shippedAt, deliveredAt } }, index) => ({
        orderId: order.id,
        carrier: CARRIERS[index % CARRIERS.length] ?? CARRIERS[0],
        trackingNumber: `6A${String(14_273_000_000 + order.id * 7_919).padStart(11, "0")}`,
        ...(shippedAt && { shippedAt, updatedAt: shippedAt }),
        deliveredAt,
      })),
    )
    .returning({ id: shipments.id, orderId: shipments.orderId });
  const parcelOf = new Map(parcels.map(({ id, orderId }) => [orderId, id]));
  await tx.insert(shipmentLines).values(
    sent.flatMap(({ order, lines }) =>
      lines
        .filter(({ productType, shippedQuantity }) => {
          return productType === "physical" && shippedQuantity > 0;
        })
        .map(({ id, shippedQuantity }) => ({
          shipmentId: parcelOf.get(order.id) ?? 0,
          orderLineId: id,
          quantity: shippedQuantity,
        })),
    ),
  );
}

// Refunds and withdrawals ------------------------------------------------------------------------

interface Refund {
  seededOrder: SeededOrder;
  date: Date;
  reason: string;
  /** Pieces per line. */
  pieces: { line: LineRow; quantity: number }[];
  /** Cents, for a refund without pieces. */
  goodwill?: number;
}

const allPieces = (lines: readonly LineRow[]) =>
  lines.map((line) => ({ line, quantity: line.quantity }));

function find(
  seededOrders: readonly SeededOrder[],
  what: string,
  matches: (order: SeededOrder) => boolean,
): SeededOrder {
  const found = seededOrders.find(matches);
  if (!found) throw new Error(`No order of the demonstration shop is ${what}.`);
  return found;
}

/** Age in days of the open withdrawal: three days are left for its refund. */
const WAITING_DAYS = 11;

export async function seedAfterSale({
  tx,
  clock,
  seededOrders,
}: {
  tx: Transaction;
  clock: Clock;
  /** Oldest first. */
  seededOrders: readonly SeededOrder[];
}): Promise<void> {
  await seedShipments(tx, seededOrders);
  const newest = seededOrders.toReversed();
  const arrived = newest.filter(({ isDemo, lines, progress: { status } }) => {
    const isObjects = lines.every(({ productType }) => productType === "physical");
    return !isDemo && isObjects && status === "delivered";
  });
  const between = (from: number, to: number, besides: readonly SeededOrder[] = []) =>
    find(
      arrived.filter((each) => !besides.includes(each)),
      `${from} to ${to} days old`,
      ({ daysAgo }) => daysAgo >= from && daysAgo <= to,
    );
  const waiting = between(15, 40);
  const goodwill = between(18, 60, [waiting]);
  const returned = between(30, 90, [waiting, goodwill]);
  const cancelled = find(newest, "cancelled", ({ progress }) => progress.status === "cancelled");
  const broken = find(
    newest,
    "the demonstration account's, of several pieces",
    ({ isDemo, lines }) => isDemo && lines.some(({ quantity }) => quantity >= 4),
  );
  const brokenLine = broken.lines.find(({ quantity }) => quantity >= 4);
  const withdrawnAt = clock.daysAgo(returned.daysAgo - 12, 18 * 60);
  const refundedAt = clock.daysAgo(returned.daysAgo - 18, 11 * 60);
  await seedRefunds(tx, [
    {
      seededOrder: broken,
      date: clock.daysAgo(broken.daysAgo - 9, 10 * 60),
      reason: "Une tasse est arrivée fêlée",
      pieces: brokenLine ? [{ line: brokenLine, quantity: 1 }] : [],
    },
    {
      seededOrder: goodwill,
      date: clock.daysAgo(goodwill.daysAgo - 8, 16 * 60),
      reason: "Colis livré avec trois jours de retard",
      pieces: [],
      goodwill: 300,
    },
    {
      seededOrder: returned,
      date: refundedAt,
      reason: "Rétractation",
      pieces: allPieces(returned.lines),
    },
    {
      seededOrder: cancelled,
      date: cancelled.progress.cancelledAt ?? cancelled.order.orderedAt,
      reason: "Annulée par le client avant l’envoi",
      pieces: allPieces(cancelled.lines),
    },
  ]);
  await tx.insert(withdrawals).values([
    buildWithdrawal({
      order: returned.order,
      lines: returned.lines,
      createdAt: withdrawnAt,
      state: "refunded",
      settledAt: refundedAt,
    }),
    buildWithdrawal({
      order: waiting.order,
      lines: waiting.lines,
      createdAt: clock.daysAgo(WAITING_DAYS, 10 * 60),
    }),
  ]);
}

async function seedRefunds(tx: Transaction, all: readonly Refund[]): Promise<void> {
  const numbers = new Map<number, number>();
  for (const refund of all.toSorted((a, b) => a.date.getTime() - b.date.getTime())) {
    const year = yearInFrance(refund.date);
    const number = (numbers.get(year) ?? 0) + 1;
    numbers.set(year, number);
    await seedRefund(tx, {
      ...refund,
      number: formatDocumentNumber({ kind: "credit-note", year, number }),
    });
  }
  await tx.insert(documentNumbers).values(
    [...numbers].map(([year, lastNumber]) => ({
      kind: "credit-note" as const,
      year,
      lastNumber,
    })),
  );
}

async function seedRefund(
  tx: Transaction,
  {
    seededOrder: { order, invoice },
    date,
    reason,
    pieces,
    goodwill = 0,
    number,
  }: Refund & { number: string },
): Promise<void> {
  const lines = pieces.map(({ line, quantity }) => ({
    name: line.name,
    quantity,
    unitPriceCents: line.unitPriceCents,
    vatRateBp: line.vatRateBp,
  }));
  const piecesCents = lines.reduce((sum, line) => sum + line.quantity * line.unitPriceCents, 0);
  const amountCents = piecesCents + goodwill;
  const [refund] = await tx
    .insert(refunds)
    .values({
      orderId: order.id,
      paymentIntentId: order.paymentIntentId ?? "",
      origin: "staff",
      status: "succeeded",
      amountCents,
      reason,
      attempts: 1,
      createdAt: date,
      nextAttemptAt: date,
      settledAt: date,
    })
    .returning({ id: refunds.id });
  if (!refund) throw new Error("The refund was not written.");
  if (pieces.length > 0)
    await tx.insert(refundLines).values(
      pieces.map(({ line, quantity }) => ({
        refundId: refund.id,
        orderLineId: line.id,
        quantity,
        amountCents: quantity * line.unitPriceCents,
      })),
    );
  await tx.update(orders).set({ refundedCents: amountCents }).where(eq(orders.id, order.id));
  await tx.insert(creditNotes).values({
    number,
    refundId: refund.id,
    invoiceId: invoice.id,
    orderId: order.id,
    userId: order.userId,
    totalCents: amountCents,
    issuedAt: date,
    snapshot: {
      ...invoice.snapshot,
      lines: creditLines({
        lines,
        unassigned: { cents: goodwill, name: "Geste commercial" },
        invoiced: invoice.snapshot.lines,
        credited: [],
      }),
      invoice: { number: invoice.number, issuedAt: invoice.issuedAt.toISOString() },
      reason,
    },
  });
}
