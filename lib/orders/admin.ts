import { and, eq, type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { ordersToRefundAgain } from "@/db/as-paid";
import { refundedPieces } from "@/db/refunded-pieces";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { matchesReference, trackingReference } from "@/db/search-text";
import { type ByIds, listOf, readPage } from "@/lib/backoffice/list";
import { sortFor } from "@/lib/backoffice/list-order";
import { listSource } from "@/lib/backoffice/list-source";
import { personColumns } from "@/lib/backoffice/people";
import { itemsText } from "@/lib/backoffice/resource";
import { fail } from "@/lib/errors/failure";
import { groupBy } from "@/lib/group-by";
import { momentCell } from "@/lib/http/api/csv";
import { type Page, plainArrayPart } from "@/lib/http/api/paging";
import type { JsonOf } from "@/lib/http/api/resource";
import { ORDER_STATUS_LABELS, type OrderStatus } from "@/lib/shop/order-status";
import { addressText } from "@/lib/shop/postal-address";
import { adminOrderResource } from "./admin-resource";
import {
  type OrderChartQuery,
  type OrderListQuery,
  orderListQuery,
  type Todo,
} from "./admin-schemas";
import { documentNumberIn, paddedNumber } from "./document-numbers";
import { invoiceColumn } from "./queries";
import { addressesOf, piecesToSend } from "./rules";
import { readShipments } from "./shipments";
import { UNKNOWN_ORDER } from "./texts";

export type AdminOrderRow = Awaited<ReturnType<typeof readOrders>>[number];
/** A line, with its sent and unsent pieces. */
export type AdminOrderLine = AdminOrderRow["items"][number];

async function readOrders({ ids, tx = db }: ByIds) {
  const found = await tx
    .select({
      order: orders,
      user: personColumns,
      invoiceId: sql<number | null>`${invoiceColumn("id")}`,
      invoiceNumber: sql<string | null>`${invoiceColumn("number")}`,
      /** Date of the buyer's withdrawal; null once it is settled. */
      withdrawnAt: withdrawals.createdAt,
      /** The payment is disputed: the buyer's bank has not decided yet. */
      isDisputed: sql<boolean>`exists (select from refunds r
        where r.order_id = orders.id and r.origin = 'dispute' and r.status = 'pending')`,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .leftJoin(
      withdrawals,
      and(eq(withdrawals.orderId, orders.id), eq(withdrawals.state, "received")),
    )
    .where(isAmong(orders.id, ids));
  const lines = await tx
    .select({
      id: orderLines.id,
      orderId: orderLines.orderId,
      quantity: orderLines.quantity,
      shippedQuantity: orderLines.shippedQuantity,
      refundedQuantity: refundedPieces(),
      product: {
        id: orderLines.productId,
        type: orderLines.productType,
        name: orderLines.name,
        description: products.description,
        priceCents: orderLines.unitPriceCents,
        image: orderLines.image,
      },
    })
    .from(orderLines)
    .leftJoin(products, eq(products.id, orderLines.productId))
    .where(isAmong(orderLines.orderId, ids))
    .orderBy(orderLines.id);
  const withRest = lines.map((line) => ({
    ...line,
    toSend: piecesToSend({ ...line, productType: line.product.type }),
  }));
  const byOrder = groupBy(withRest, ({ orderId }) => orderId);
  const shipments = await readShipments({ orderIds: ids, tx });
  return found.map(({ order, ...rest }) => ({
    ...order,
    ...rest,
    items: byOrder.get(order.id) ?? [],
    shipments: shipments.get(order.id) ?? [],
  }));
}

const SORTS = { date: sql`o.ordered_at`, total: sql`o.total_cents` };

const sourceOf = listSource<Omit<OrderListQuery, "page" | "itemsPerPage">>({
  from: sql`orders o`,
  id: sql`o.id`,
  sorts: SORTS,
  date: "date",
  equal: { user: sql`o.user_id` },
  where: ({ status, todo }) => [status && IN_STATE[status], todo && TO_DO[todo]],
  document: {
    text: sql`o.search_text`,
    numberColumn: sql`o.number`,
    padNumber: paddedNumber,
    isWord: (digits) => digits.length === POSTAL_CODE_LENGTH,
    amount: sql`o.total_cents`,
    idsByReference,
  },
  // Orders with open tasks are few and stand anywhere in the list.
  isClustered: ({ status, todo }) => Boolean(status ?? todo) && status !== "delivered",
});

const POSTAL_CODE_LENGTH = 5;

/** Orders found by the number of a parcel, an invoice, a credit note or an order, or by a payment id. */
function idsByReference(search: string): SQL {
  const number = documentNumberIn(search);
  const paymentId = search.trim();
  return sql`
    select s.order_id as id from shipments s where ${matchesReference(trackingReference("s"), search)}
    union select o.id from orders o where o.number = ${number} or o.payment_intent_id = ${paymentId}
    union select i.order_id from invoices i
      where i.order_id is not null and (i.number = ${number} or i.payment_id = ${paymentId})
    union select c.order_id from credit_notes c where c.order_id is not null and c.number = ${number}`;
}

/** Literals, not parameters, so that the planner uses the partial index of open orders. */
const IN_STATE: Record<OrderStatus, SQL> = {
  paid: sql`o.status = 'paid'`,
  preparing: sql`o.status = 'preparing'`,
  shipped: sql`o.status = 'shipped'`,
  delivered: sql`o.status = 'delivered'`,
  cancelled: sql`o.status = 'cancelled'`,
};

const TO_DO: Record<Todo, SQL> = {
  prepare: IN_STATE.paid,
  ship: IN_STATE.preparing,
  refund: sql`o.id in (
    select order_id from withdrawals where state = 'received' and order_id is not null
    union ${ordersToRefundAgain})`,
  dispute: sql`o.id in (
    select order_id from refunds
    where status = 'pending' and origin = 'dispute' and order_id is not null)`,
};

/** The two addresses in an order's JSON, whose fields have a prefix. */
const postalAddressesOf = ({
  shippingAddress,
  billingAddress,
}: Pick<JsonOf<typeof adminOrderResource>, "shippingAddress" | "billingAddress">) =>
  addressesOf({ ...shippingAddress, ...billingAddress });

/** All customers' orders, newest first by default. */
export const adminOrders = {
  resource: adminOrderResource,
  query: orderListQuery,
  ...listOf({
    sourceOf,
    read: readOrders,
    fileName: "commandes",
    columns: {
      ID: ({ id }) => id,
      Numéro: ({ number }) => number,
      Date: ({ date }) => momentCell(date),
      Nom: ({ user, buyer }) => (user ?? buyer).name,
      Prénom: ({ user, buyer }) => (user ?? buyer).lastname,
      Email: ({ user, buyer }) => (user ?? buyer).email,
      Articles: ({ orderItems }) => itemsText(orderItems),
      "Total (€)": ({ total }) => total,
      "Remboursé (€)": ({ refundedTotal }) => refundedTotal,
      "Adresse livraison": (order) => addressText(postalAddressesOf(order).shippingAddress),
      "Adresse facturation": (order) => addressText(postalAddressesOf(order).billingAddress),
      Facture: ({ invoice_pdf_path }) => invoice_pdf_path,
      État: ({ status }) => ORDER_STATUS_LABELS[status],
      Pièces: ({ itemsCount }) => itemsCount,
      "Pièces expédiées": ({ shippedItems }) => shippedItems,
      Suivi: ({ shipments }) =>
        shipments
          .map(({ carrier, trackingNumber }) => [carrier, trackingNumber].filter(Boolean).join(" "))
          .join(", "),
      "Mode de livraison": ({ shippingMethod }) => shippingMethod,
      "Livraison (€)": ({ shippingTotal }) => shippingTotal,
      Téléphone: ({ shippingAddress }) => shippingAddress.shippingPhone ?? null,
    },
    toJson: adminOrderResource.toJson,
  }),
};

/** Orders by id, in the order of `ids`. @throws 422 for an unknown id */
export async function requireOrders(ids: readonly number[]): Promise<AdminOrderRow[]> {
  const byId = new Map((await readOrders({ ids })).map((order) => [order.id, order]));
  return ids.map((id, index) => {
    const order = byId.get(id);
    if (!order) throw fail.violation(`orders[${index}]`, UNKNOWN_ORDER);
    return order;
  });
}

export type ChartOrder = Pick<
  AdminOrderRow,
  "id" | "number" | "orderedAt" | "totalCents" | "refundedCents" | "invoiceNumber"
>;

/** Dates and totals of the orders, newest first by default. */
export async function listChartOrders({
  page,
  itemsPerPage,
  ...query
}: OrderChartQuery): Promise<Page<ChartOrder>> {
  const sort = sortFor(query, { sorts: SORTS, fallback: { field: "date", direction: "desc" } });
  const source = await sourceOf(query);
  return readPage({
    source: { ...source, ...sort },
    request: plainArrayPart({ page, itemsPerPage }),
    rows: (ids) =>
      db
        .select({
          id: orders.id,
          number: orders.number,
          orderedAt: orders.orderedAt,
          totalCents: orders.totalCents,
          refundedCents: orders.refundedCents,
          invoiceNumber: sql<string | null>`${invoiceColumn("number")}`,
        })
        .from(orders)
        .where(isAmong(orders.id, ids)),
  });
}
