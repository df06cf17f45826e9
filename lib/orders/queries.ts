import { and, asc, desc, eq, ne, or, sql } from "drizzle-orm";
import { db } from "@/db";
import { refundedPieces } from "@/db/refunded-pieces";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import type { PostalAddress } from "@/db/schema/checkout";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { type WITHDRAWAL_STATES, withdrawals } from "@/db/schema/withdrawals";
import { fail } from "@/lib/errors";
import { countedPage, type Page, type PageRequest } from "@/lib/http/api/paging";
import type { OrderStatus } from "@/lib/order-status";
import { downloadLinkFor, type Viewer } from "@/lib/orders/download-link";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import type { ProductType } from "@/lib/product-type";
import { historyOf } from "./life";
import { readShipments, type Shipment } from "./shipments";

export interface OrderSummary {
  id: number;
  number: string;
  orderedAt: Date;
  totalCents: number;
  status: OrderStatus;
  /** Given back so far. */
  refundedCents: number;
  /** Pieces. */
  itemsCount: number;
  /** Pieces that have left; files have as soon as they are paid. */
  shippedItems: number;
  /** Of the pieces. */
  filesCount: number;
  /** As chosen; null for an order without. */
  shippingMethod: string | null;
  shippingCents: number;
  /** The invoice that the customer may download, if any. */
  invoiceId: number | null;
  invoiceNumber: string | null;
}

/** A line as it was bought. */
export interface BoughtLine {
  id: number;
  quantity: number;
  /** Null once the product has left the shop. */
  productId: number | null;
  productType: ProductType;
  name: string;
  image: string | null;
  unitPriceCents: number;
  shippedQuantity: number;
  refundedQuantity: number;
  /** The product's present category; null once the product has left. */
  defaultCategoryId: number | null;
  /** For this viewer, and for a while; null for what is no file, or has none. */
  downloadLink: string | null;
}

export interface OrderDetail extends OrderSummary {
  shippingAddress: PostalAddress;
  billingAddress: PostalAddress;
  lines: BoughtLine[];
  shipments: Shipment[];
  history: ReturnType<typeof historyOf>;
  /** Those that have not failed, newest first. */
  refunds: GivenRefund[];
  /** The buyer's withdrawal, if any. */
  withdrawal: {
    date: Date;
    state: (typeof WITHDRAWAL_STATES)[number];
    /** Why it was refused. */
    refusalReason: string | null;
  } | null;
}

/** A refund as its buyer sees it. */
interface GivenRefund {
  id: number;
  amountCents: number;
  status: "pending" | "succeeded" | "failed";
  reason: string;
  createdAt: Date;
  creditNoteId: number | null;
  creditNoteNumber: string | null;
}

// Names are written out: drizzle leaves the table away where a query has only one.
const pieces = (column: "quantity" | "shipped_quantity", which = sql`true`) => sql<number>`(
  select coalesce(sum(l.${sql.identifier(column)}), 0)::int
  from order_lines l where l.order_id = orders.id and ${which}
)`;

/** A column of the newest invoice that the customer may download: their own, and not archived. */
const invoice = (column: "id" | "number") => sql`(
  select i.${sql.identifier(column)} from invoices i
  where i.order_id = orders.id and i.user_id is not distinct from orders.user_id
    and i.archived_at is null
  order by i.id desc limit 1
)`;

const summaryColumns = {
  id: orders.id,
  number: orders.number,
  orderedAt: orders.orderedAt,
  totalCents: orders.totalCents,
  refundedCents: orders.refundedCents,
  status: orders.status,
  itemsCount: pieces("quantity"),
  shippedItems: pieces("shipped_quantity"),
  filesCount: pieces("quantity", sql`l.product_type = 'digital'`),
  shippingMethod: orders.shippingMethod,
  shippingCents: orders.shippingCents,
  invoiceId: sql<number | null>`${invoice("id")}`,
  invoiceNumber: sql<string | null>`${invoice("number")}`,
};

/** A customer's orders, newest first. */
export function listOrders({
  userId,
  ...request
}: { userId: number } & PageRequest): Promise<Page<OrderSummary>> {
  const isOwn = eq(orders.userId, userId);
  return countedPage({
    request,
    count: () => db.$count(orders, isOwn),
    read: ({ limit, offset }) =>
      db
        .select(summaryColumns)
        .from(orders)
        .where(isOwn)
        .orderBy(desc(orders.orderedAt), desc(orders.id))
        .limit(limit)
        .offset(offset),
  });
}

/**
 * An order with its lines and download links for the viewer.
 *
 * @param isAdmin administrators see every order, others their own
 * @throws 404 for an order that is unknown, or somebody else's
 */
export async function requireOrder({
  id,
  viewer,
  isAdmin,
}: {
  id: number;
  viewer: Viewer;
  isAdmin: boolean;
}): Promise<OrderDetail> {
  const [order] = await db
    .select({
      ...summaryColumns,
      preparedAt: orders.preparedAt,
      deliveredAt: orders.deliveredAt,
      cancelledAt: orders.cancelledAt,
      shippingAddress: {
        street: orders.shippingStreet,
        city: orders.shippingCity,
        postalCode: orders.shippingPostalCode,
      },
      billingAddress: {
        street: orders.billingStreet,
        city: orders.billingCity,
        postalCode: orders.billingPostalCode,
      },
    })
    .from(orders)
    .where(and(eq(orders.id, id), isAdmin ? undefined : eq(orders.userId, viewer.id)));
  if (!order) throw fail.notFound(UNKNOWN_ORDER);
  const [lines, parcels, given, [withdrawal = null]] = await Promise.all([
    listLines({ orderId: id, viewer }),
    readShipments({ orderIds: [id] }),
    listGivenRefunds(id),
    db
      .select({
        date: withdrawals.createdAt,
        state: withdrawals.state,
        refusalReason: withdrawals.refusalReason,
      })
      .from(withdrawals)
      .where(eq(withdrawals.orderId, id)),
  ]);
  const shipments = parcels.get(id) ?? [];
  const history = historyOf({ ...order, shipments });
  return { ...order, lines, shipments, history, refunds: given, withdrawal };
}

async function listGivenRefunds(orderId: number): Promise<GivenRefund[]> {
  return db
    .select({
      id: refunds.id,
      amountCents: refunds.amountCents,
      status: refunds.status,
      reason: refunds.reason,
      createdAt: refunds.createdAt,
      creditNoteId: creditNotes.id,
      creditNoteNumber: creditNotes.number,
    })
    .from(refunds)
    .leftJoin(creditNotes, eq(creditNotes.refundId, refunds.id))
    .where(
      and(
        eq(refunds.orderId, orderId),
        ne(refunds.status, "failed"),
        // Until the bank has decided, a dispute is between the buyer and the bank.
        or(ne(refunds.origin, "dispute"), eq(refunds.status, "succeeded")),
      ),
    )
    .orderBy(desc(refunds.id));
}

async function listLines({
  orderId,
  viewer,
}: {
  orderId: number;
  viewer: Viewer;
}): Promise<BoughtLine[]> {
  const rows = await db
    .select({ ...lineColumns, link: currentLink, isRefunded })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .leftJoin(products, eq(products.id, orderLines.productId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));
  return rows.map(({ link, isRefunded: isGivenBack, ...line }) => ({
    ...line,
    downloadLink:
      line.productType === "digital" && !isGivenBack
        ? downloadLinkFor({ link, lineId: line.id, viewer })
        : null,
  }));
}

const lineColumns = {
  id: orderLines.id,
  quantity: orderLines.quantity,
  productId: orderLines.productId,
  productType: orderLines.productType,
  name: orderLines.name,
  image: orderLines.image,
  unitPriceCents: orderLines.unitPriceCents,
  shippedQuantity: orderLines.shippedQuantity,
  refundedQuantity: refundedPieces(),
  defaultCategoryId: products.defaultCategoryId,
};

/** All pieces of the line, or the whole order, were given back, or are about to be. */
const isRefunded = sql<boolean>`(
  ${orders.refundedCents} > 0 and ${orders.refundedCents} >= ${orders.totalCents}
  or ${orderLines.quantity} <= ${refundedPieces()}
)`;

/** A file that the shop has put elsewhere since is found by those who bought it before, too. */
const currentLink = sql<
  string | null
>`coalesce(nullif(${products.downloadLink}, ''), ${orderLines.downloadLink})`;

/**
 * The file of a bought line and the session version that links to it are signed with; null where
 * this user may not have it (any more): not the buyer and no administrator, a closed account, or a file
 * that was refunded.
 */
export async function getBoughtFile({
  lineId,
  userId,
}: {
  lineId: number;
  userId: number;
}): Promise<{ link: string | null; sessionVersion: number } | null> {
  const [file] = await db
    .select({ link: currentLink, sessionVersion: users.sessionVersion })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .leftJoin(products, eq(products.id, orderLines.productId))
    .innerJoin(users, eq(users.id, userId))
    .where(
      and(
        eq(orderLines.id, lineId),
        eq(orderLines.productType, "digital"),
        eq(users.isDeleted, false),
        sql`not coalesce(${isRefunded}, false)`,
        sql`(${orders.userId} = ${users.id} or 'ROLE_ADMIN' = any(${users.roles}))`,
      ),
    );
  return file ?? null;
}
