import { and, asc, desc, eq, ne, or, type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { refundedPieces } from "@/db/refunded-pieces";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { orderLines, orders } from "@/db/schema/orders";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { downloadLinkFor, type Viewer } from "@/lib/downloads/link";
import { fail } from "@/lib/errors/failure";
import { countedPage, type PageRequest } from "@/lib/http/api/paging";
import { addressesOf } from "./rules";
import { readShipments } from "./shipments";
import { historyOf } from "./status-changes";
import { UNKNOWN_ORDER } from "./texts";

/**
 * SQL for a column of an order's invoice, for use in a query of `orders`. Archived invoices do not count. The
 * invoice of the payment comes first, then the newest invoice written by admins; null without an invoice.
 *
 * @param condition on the invoice, whose alias is `i`
 */
export const invoiceColumn = (column: "id" | "number", condition: SQL = sql`true`) => sql`(
  select i.${sql.identifier(column)} from invoices i
  where i.order_id = orders.id and i.archived_at is null and ${condition}
  order by i.source = 'checkout' desc, i.id desc limit 1
)`;

// Names are written out in full: drizzle omits the table name in a query of one table.
const pieces = (column: "quantity" | "shipped_quantity", which = sql`true`) => sql<number>`(
  select coalesce(sum(l.${sql.identifier(column)}), 0)::int
  from order_lines l where l.order_id = orders.id and ${which}
)`;

/** The customer may download only their own invoice. */
const isOwn = sql`i.user_id is not distinct from orders.user_id`;

const summaryColumns = {
  id: orders.id,
  number: orders.number,
  orderedAt: orders.orderedAt,
  totalCents: orders.totalCents,
  /** Is VAT included? */
  hasVat: sql<boolean>`exists (
    select from order_lines l where l.order_id = orders.id and l.vat_rate_bp > 0
  )`,
  /** Refunded so far, in cents. */
  refundedCents: orders.refundedCents,
  status: orders.status,
  itemsCount: pieces("quantity"),
  /** Pieces sent. Files count as sent as soon as they are paid. */
  shippedItems: pieces("shipped_quantity"),
  /** Digital pieces among `itemsCount`. */
  filesCount: pieces("quantity", sql`l.product_type = 'digital'`),
  /** The chosen method; null for an order without shipping. */
  shippingMethod: orders.shippingMethod,
  shippingCents: orders.shippingCents,
  invoiceId: sql<number | null>`${invoiceColumn("id", isOwn)}`,
  invoiceNumber: sql<string | null>`${invoiceColumn("number", isOwn)}`,
};

export type OrderSummary = Awaited<ReturnType<typeof listOrders>>["items"][number];

/** A customer's orders, newest first. */
export function listOrders({ userId, ...request }: { userId: number } & PageRequest) {
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

export type OrderDetail = Awaited<ReturnType<typeof requireOrder>>;

/**
 * An order with its lines and download links for the viewer.
 *
 * @param isAdmin administrators see every order, others their own
 * @throws 404 for an unknown order, or another customer's
 */
export async function requireOrder({
  id,
  viewer,
  isAdmin,
}: {
  id: number;
  viewer: Viewer;
  isAdmin: boolean;
}) {
  const [order] = await db
    .select({
      ...summaryColumns,
      preparedAt: orders.preparedAt,
      deliveredAt: orders.deliveredAt,
      cancelledAt: orders.cancelledAt,
      shippingDelay: orders.shippingDelay,
      addresses: addressColumns,
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
  const { addresses, ...rest } = order;
  const history = historyOf({ ...order, shipments });
  return {
    ...rest,
    ...addressesOf(addresses),
    lines,
    shipments,
    history,
    refunds: given,
    withdrawal,
  };
}

const addressColumns = {
  shippingStreet: orders.shippingStreet,
  shippingCity: orders.shippingCity,
  shippingPostalCode: orders.shippingPostalCode,
  shippingRecipient: orders.shippingRecipient,
  shippingCompany: orders.shippingCompany,
  shippingComplement: orders.shippingComplement,
  shippingPhone: orders.shippingPhone,
  billingStreet: orders.billingStreet,
  billingCity: orders.billingCity,
  billingPostalCode: orders.billingPostalCode,
  billingRecipient: orders.billingRecipient,
  billingCompany: orders.billingCompany,
  billingComplement: orders.billingComplement,
  billingPhone: orders.billingPhone,
};

/** An order's refunds as its buyer sees them: without failed refunds, newest first. */
async function listGivenRefunds(orderId: number) {
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
        // A pending dispute is hidden: it is between the buyer and the bank until the bank has decided.
        or(ne(refunds.origin, "dispute"), eq(refunds.status, "succeeded")),
      ),
    )
    .orderBy(desc(refunds.id));
}

export type PurchasedLine = Awaited<ReturnType<typeof listLines>>[number];

async function listLines({ orderId, viewer }: { orderId: number; viewer: Viewer }) {
  const rows = await db
    .select({ ...lineColumns, link: currentLink, isRefunded })
    .from(orderLines)
    .innerJoin(orders, eq(orders.id, orderLines.orderId))
    .leftJoin(products, eq(products.id, orderLines.productId))
    .where(eq(orderLines.orderId, orderId))
    .orderBy(asc(orderLines.id));
  return rows.map(({ link, isRefunded: isGivenBack, ...line }) => ({
    ...line,
    /**
     * Works for this viewer, for a limited time. Null for a physical product, or a product without a file.
     */
    downloadLink:
      line.productType === "digital" && !isGivenBack
        ? downloadLinkFor({ link, lineId: line.id, viewer })
        : null,
  }));
}

const lineColumns = {
  id: orderLines.id,
  quantity: orderLines.quantity,
  /** Null once the product has left the shop. */
  productId: orderLines.productId,
  productType: orderLines.productType,
  name: orderLines.name,
  image: orderLines.image,
  unitPriceCents: orderLines.unitPriceCents,
  shippedQuantity: orderLines.shippedQuantity,
  refundedQuantity: refundedPieces(),
  /** The product's present category; null once the product has left. */
  defaultCategoryId: products.defaultCategoryId,
};

/** Has all of the line, or the whole order, been refunded, or is its refund pending? */
const isRefunded = sql<boolean>`(
  ${isAllRefunded} or ${orderLines.quantity} <= ${refundedPieces()}
)`;

/** The product's present link comes first: earlier buyers too find a file that has moved. */
const currentLink = sql<
  string | null
>`coalesce(nullif(${products.downloadLink}, ''), ${orderLines.downloadLink})`;

/**
 * The file of a bought line, and the user's session version, with which links to the file are signed. Null
 * where this user may not have the file: neither the buyer nor an administrator, a closed account, or a
 * refunded file.
 */
export async function getPurchasedFile({
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
