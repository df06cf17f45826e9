import { eq, type SQL, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { countSales, piecesOf } from "@/db/count-sales";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { orderLines, orders } from "@/db/schema/orders";
import { orderText } from "@/db/search-text";
import { type Actor, recordChange } from "@/lib/audit/mutations";
import {
  datedBy,
  groupBy,
  isAmong,
  type ListSource,
  listOf,
  type Reader,
  readPage,
  sortFor,
} from "@/lib/backoffice/list";
import {
  lockOwned,
  personColumns,
  requireNotEmptied,
  requirePerson,
} from "@/lib/backoffice/people";
import type { ListedItem, Person } from "@/lib/backoffice/resource";
import type { ItemInput } from "@/lib/backoffice/schemas";
import { searchDocuments } from "@/lib/backoffice/search";
import { UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { requireVersion } from "@/lib/backoffice/version";
import { fail } from "@/lib/errors";
import { type Page, plainArrayPart } from "@/lib/http/api/paging";
import type { OrderStatus } from "@/lib/order-status";
import { expireStock } from "@/lib/stock/cache";
import {
  recordSale,
  returnStock,
  type Shortage,
  type StockChange,
  takeStock,
} from "@/lib/stock/mutations";
import { unsentPieces } from "@/lib/stock/queries";
import { onlyLeft } from "@/lib/stock/texts";
import { adminOrderResource, downloadPath, orderColumns } from "./admin-resource";
import type {
  AdminOrderChange,
  AdminOrderInput,
  OrderChartQuery,
  OrderListQuery,
  Todo,
} from "./admin-schemas";
import { settleStatus } from "./life";
import { createOrder, type NewOrderLine, type OrderRow } from "./mutations";
import { paddedNumber } from "./numbers";
import { shippedAtOnce } from "./rules";
import { expireSales } from "./sales-cache";
import { readShipments, refundedPieces, type Shipment } from "./shipments";
import { fewerThanShipped, LINE_SHIPPED, UNKNOWN_ORDER } from "./texts";

/** A line, and how much of it has left. */
export interface AdminOrderLine extends ListedItem {
  shippedQuantity: number;
  refundedQuantity: number;
}

export interface AdminOrderRow extends OrderRow {
  user: Person | null;
  /** The newest invoice that is not archived. */
  invoiceId: number | null;
  invoiceNumber: string | null;
  items: AdminOrderLine[];
  shipments: Shipment[];
}

// The order's column is written out: drizzle leaves the table away where a query has only one.
const invoice = (column: "id" | "number") =>
  sql`(select i.${sql.identifier(column)} from invoices i
    where i.order_id = orders.id and i.archived_at is null order by i.id desc limit 1)`;

async function readOrders({
  ids,
  tx = db,
}: {
  ids: readonly number[];
  tx?: Reader;
}): Promise<AdminOrderRow[]> {
  const found = await tx
    .select({
      order: orders,
      user: personColumns,
      invoiceId: sql<number | null>`${invoice("id")}`,
      invoiceNumber: sql<string | null>`${invoice("number")}`,
    })
    .from(orders)
    .leftJoin(users, eq(users.id, orders.userId))
    .where(isAmong(orders.id, ids));
  const lines = await tx
    .select({
      id: orderLines.id,
      orderId: orderLines.orderId,
      quantity: orderLines.quantity,
      shippedQuantity: orderLines.shippedQuantity,
      refundedQuantity: refundedPieces,
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
  const byOrder = groupBy(lines, ({ orderId }) => orderId);
  const shipments = await readShipments({ orderIds: ids, tx });
  return found.map(({ order, ...rest }) => ({
    ...order,
    ...rest,
    items: byOrder.get(order.id) ?? [],
    shipments: shipments.get(order.id) ?? [],
  }));
}

const SORTS = { date: sql`o.ordered_at`, total: sql`o.total_cents` } satisfies Record<string, SQL>;

async function sourceOf(
  query: Partial<Omit<OrderListQuery, "page" | "itemsPerPage">>,
): Promise<ListSource> {
  const { dates, sort } = datedBy(query, { date: "date", sorts: SORTS });
  const [from, id] = [sql`orders o`, sql`o.id`];
  const text = orderText("o");
  const search = await searchDocuments({
    search: query.search,
    from,
    id,
    text,
    formatNumber: paddedNumber,
  });
  const where = [...dates];
  if (query.user !== undefined) where.push(sql`o.user_id = ${query.user}`);
  const states = [query.status && IN_STATE[query.status], query.todo && TO_DO[query.todo]].filter(
    (condition) => condition !== undefined,
  );
  where.push(...states);
  // What is to be done is in a few orders, wherever they are in the list.
  const isClustered = sort.isClustered || (states.length > 0 && query.status !== "delivered");
  return { from, id, where, search, ...sort, isClustered };
}

/** Written out, so that the planner knows the partial index of the open orders. */
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
    union select order_id from refunds r where status = 'failed' and order_id is not null
      and not exists (select from refunds later
        where later.order_id = r.order_id and later.id > r.id and later.status <> 'failed'))`,
  dispute: sql`o.id in (
    select order_id from refunds
    where status = 'pending' and origin = 'dispute' and order_id is not null)`,
};

const list = listOf({
  sourceOf,
  read: readOrders,
  name: "commandes",
  columns: orderColumns,
  toJson: adminOrderResource.toJson,
});

/** One page of everybody's orders, newest first unless said otherwise. */
export const listAllOrders = list.page;

/** All orders that match, for spreadsheets. */
export const exportOrders = list.table;

/** @throws 404 */
export const requireAnyOrder = list.one;

/** Some orders, in the order of their ids as given. @throws 422 for one that is unknown */
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

/** Dates and totals of the orders, newest first unless said otherwise. */
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
          invoiceNumber: sql<string | null>`${invoice("number")}`,
        })
        .from(orders)
        .where(isAmong(orders.id, ids)),
  });
}

/**
 * Writes an order by hand, under the next number.
 *
 * @throws 422 for an unknown user or product, or more pieces than are free
 */
export async function createOrderByHand({
  actor,
  input,
}: {
  actor: Actor;
  input: AdminOrderInput;
}): Promise<AdminOrderRow> {
  const { order, changes } = await db.transaction(async (tx) => {
    const { id: userId, ...person } = await requirePerson(tx, input.user);
    const lines = await linesOf(tx, { items: input.orderItems, present: [] });
    const { order, changes, short } = await createOrder(tx, {
      buyer: { userId, ...person },
      lines: lines.map(({ line }) => line),
      totalCents: input.total,
      shippingAddress: {
        street: input.shippingStreet,
        city: input.shippingCity,
        postalCode: input.shippingPostalCode,
      },
      billingAddress: {
        street: input.billingStreet,
        city: input.billingCity,
        postalCode: input.billingPostalCode,
      },
      invoicePdfPath: input.invoice_pdf_path,
    });
    refuseShortage({ short, lines });
    const written = await requireAnyOrder({ id: order.id, tx });
    await recordChange(tx, {
      actor,
      entity: "Order",
      id: order.id,
      before: null,
      after: adminOrderResource.toJson(written),
    });
    return { order: written, changes };
  });
  await Promise.all([
    expireSales(order.items.map(({ product }) => product.id)),
    expireStock(changes),
  ]);
  return order;
}

/**
 * Changes what is given of an order. Of a product that was bought and stays, name and price stay as
 * they were, too.
 *
 * @throws 404; 409 for an old version or where a line that has left would go; 422 for an unknown user or
 *   product, what would be emptied, or fewer pieces than have left
 */
export async function updateOrder({
  actor,
  id,
  input,
}: {
  actor: Actor;
  id: number;
  input: AdminOrderChange;
}): Promise<AdminOrderRow> {
  const { order, sold, changes } = await db.transaction(async (tx) => {
    await lockOwned(tx, orders, { id, userId: input.user });
    const current = await requireAnyOrder({ id, tx });
    const before = adminOrderResource.toJson(current);
    await requireVersion(tx, { entity: "Order", sent: input.version, current: before });
    requireNotEmptied({ fields: ["user", "invoice_pdf_path"], sent: input, current: before });
    const buyer =
      input.user === undefined || input.user === null ? null : await requirePerson(tx, input.user);
    const isNewBuyer = buyer !== null && buyer.id !== current.userId;
    const { sold, changes } = input.orderItems
      ? await replaceLines(tx, { orderId: id, items: input.orderItems, present: current.items })
      : { sold: [], changes: [] };
    const path = input.invoice_pdf_path;
    await tx
      .update(orders)
      .set({
        ...(isNewBuyer && {
          userId: buyer.id,
          buyerEmail: buyer.email,
          buyerFirstName: buyer.firstName,
          buyerLastName: buyer.lastName,
        }),
        totalCents: input.total,
        shippingStreet: input.shippingStreet,
        shippingCity: input.shippingCity,
        shippingPostalCode: input.shippingPostalCode,
        billingStreet: input.billingStreet,
        billingCity: input.billingCity,
        billingPostalCode: input.billingPostalCode,
        // What was read and sent back is the shop's own invoice, not a path that somebody typed.
        ...(path !== undefined &&
          path !== downloadPath(current.invoiceId) && { invoicePdfPath: path }),
        updatedAt: sql`now()`,
        version: sql`${orders.version} + 1`,
      })
      .where(eq(orders.id, id));
    if (input.orderItems) await settleStatus(tx, { orderId: id });
    const order = await requireAnyOrder({ id, tx });
    const after = adminOrderResource.toJson(order);
    await recordChange(tx, { actor, entity: "Order", id, before, after });
    return { order, sold, changes };
  });
  if (sold.length > 0) await Promise.all([expireSales(sold), expireStock(changes)]);
  return order;
}

/**
 * Deletes an order; its invoice stays, and its number is not used again. What has not been sent yet goes
 * back into the stock.
 *
 * @throws 404
 */
export async function deleteOrder({ actor, id }: { actor: Actor; id: number }): Promise<void> {
  const { sold, changes } = await db.transaction(async (tx) => {
    await lockOwned(tx, orders, { id });
    const order = await requireAnyOrder({ id, tx });
    const lines = order.items.map(({ product, quantity }) => ({
      productId: product.id,
      quantity,
    }));
    await countSales(tx, { lines, sign: -1 });
    const unsent = await unsentPieces(tx, { orderId: id });
    const changes = await returnStock(tx, { orderId: id, lines: unsent });
    await tx.delete(orders).where(eq(orders.id, id));
    await recordChange(tx, {
      actor,
      entity: "Order",
      id,
      before: adminOrderResource.toJson(order),
      after: null,
    });
    return { sold: lines.map(({ productId }) => productId), changes };
  });
  await Promise.all([expireSales(sold), expireStock(changes)]);
}

/** @throws 422 at the first line of a product of which there are not enough */
function refuseShortage({
  short: [shortage],
  lines,
}: {
  short: readonly Shortage[];
  lines: readonly WantedLine[];
}): void {
  if (!shortage) return;
  const index = lines.findIndex(({ line }) => line.productId === shortage.productId);
  throw fail.violation(`orderItems[${index}].quantity`, onlyLeft(shortage.free));
}

interface WantedLine {
  /** Of the line that stays; null for a new one. */
  id: number | null;
  line: NewOrderLine;
}

/** The lines that an order is to have: those that stay as they were bought, others as sold today. */
async function linesOf(
  tx: Transaction,
  { items, present }: { items: readonly ItemInput[]; present: readonly ListedItem[] },
): Promise<WantedLine[]> {
  const left = [...present];
  const take = (isMeant: (item: ListedItem) => boolean) => {
    const index = left.findIndex(isMeant);
    return index < 0 ? null : (left.splice(index, 1)[0] ?? null);
  };
  const ids = items.flatMap(({ product }) => product ?? []);
  const known = await tx
    .select()
    .from(products)
    .where(isAmong(products.id, ids))
    .orderBy(products.id)
    .for("key share");
  return items.map(({ id, product: productId, quantity }, index) => {
    const stays =
      take((item) => item.id === id && (productId === null || item.product.id === productId)) ??
      (productId === null ? null : take((item) => item.product.id === productId));
    const product = known.find((row) => row.id === productId);
    if (!product && !stays) throw fail.violation(`orderItems[${index}].product`, UNKNOWN_PRODUCT);
    return {
      id: stays?.id ?? null,
      line: {
        productId: stays ? stays.product.id : (productId ?? null),
        productType: stays?.product.type ?? product?.type ?? "physical",
        name: stays?.product.name ?? product?.name ?? "",
        image: stays ? stays.product.image : (product?.image ?? null),
        unitPriceCents: stays?.product.priceCents ?? product?.priceCents ?? 0,
        vatRateBp: product?.vatRateBp ?? 2000,
        downloadLink: product?.downloadLink ?? null,
        quantity,
      },
    };
  });
}

/**
 * @returns the products whose sales have changed, and the changes of stock
 * @throws 422 for more pieces than are free
 */
async function replaceLines(
  tx: Transaction,
  {
    orderId,
    items,
    present,
  }: { orderId: number; items: readonly ItemInput[]; present: readonly AdminOrderLine[] },
): Promise<{ sold: (number | null)[]; changes: StockChange[] }> {
  const wanted = await linesOf(tx, { items, present });
  requireShippedKept({ wanted, present });
  // What was sold is taken off and what is now sold added in one go, so that each product is
  // locked once.
  const changes = [
    ...present.map(({ product, quantity }) => ({ productId: product.id, quantity: -quantity })),
    ...wanted.map(({ line }) => ({ productId: line.productId, quantity: line.quantity })),
  ];
  await countSales(tx, { lines: changes });
  const moved = await moveStock(tx, { orderId, lines: changes, wanted });
  const kept = wanted.flatMap(({ id }) => id ?? []);
  await tx.execute(
    sql`delete from order_lines where order_id = ${orderId} and not (${isAmong(sql`id`, kept)})`,
  );
  for (const { id, line } of wanted) {
    const shippedQuantity = shippedAtOnce(line);
    if (id === null) await tx.insert(orderLines).values({ ...line, orderId, shippedQuantity });
    else
      await tx
        .update(orderLines)
        .set({ quantity: line.quantity, ...(shippedQuantity > 0 && { shippedQuantity }) })
        .where(eq(orderLines.id, id));
  }
  return { sold: changes.map(({ productId }) => productId), changes: moved };
}

/** Takes what an order has more of than before out of the stock, and puts back what it has less of. */
async function moveStock(
  tx: Transaction,
  {
    orderId,
    lines,
    wanted,
  }: {
    orderId: number;
    lines: readonly { productId: number | null; quantity: number }[];
    wanted: readonly WantedLine[];
  },
): Promise<StockChange[]> {
  const differences = [...piecesOf(lines)].map(([productId, quantity]) => ({
    productId,
    quantity,
  }));
  const more = differences.filter(({ quantity }) => quantity > 0);
  const less = differences.filter(({ quantity }) => quantity < 0);
  const { taken, changes, short } = await takeStock(tx, { lines: more });
  refuseShortage({ short, lines: wanted });
  await recordSale(tx, { orderId, taken });
  const back = less.map(({ productId, quantity }) => ({ productId, quantity: -quantity }));
  return [...changes, ...(await returnStock(tx, { orderId, lines: back }))];
}

/** What has left with a parcel stays in the order. @throws 409, 422 */
function requireShippedKept({
  wanted,
  present,
}: {
  wanted: readonly WantedLine[];
  present: readonly AdminOrderLine[];
}): void {
  for (const { id, product, shippedQuantity } of present) {
    if (product.type === "digital" || shippedQuantity === 0) continue;
    const index = wanted.findIndex((line) => line.id === id);
    const kept = wanted[index];
    if (!kept) throw fail.conflict(LINE_SHIPPED);
    if (kept.line.quantity < shippedQuantity)
      throw fail.violation(`orderItems[${index}].quantity`, fewerThanShipped(shippedQuantity));
  }
}
