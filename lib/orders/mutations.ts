import type { Transaction } from "@/db";
import { orderLines, orders } from "@/db/schema/orders";
import { invalidate } from "@/lib/http/cache/cache";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { perProcess } from "@/lib/runtime/per-process";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { nextDocumentNumber } from "./document-numbers";
import { addressColumnsOf, firstStatus, shippedAtOnce } from "./rules";

/**
 * Milliseconds between two expirations of product lists because of sales. If each order expired the lists,
 * they would never be cached in a busy hour.
 */
const INTERVAL = 2_000;

interface State {
  timer: NodeJS.Timeout | undefined;
  isDue: boolean;
}

const state = perProcess<State>("sales-cache", () => ({ timer: undefined, isDue: false }));

/**
 * Expires the pages that show sales counts: product pages at once, lists at most every two seconds. Call it
 * after the commit. A delayed expiration is in memory only: if the process ends before it, lists stay stale until
 * their time is over.
 */
export async function expireSales(productIds: readonly (number | null)[]): Promise<void> {
  const tags = productIds.filter((id) => id !== null).map(CACHE_TAGS.product);
  if (state.timer) {
    state.isDue = true;
    return invalidate(tags);
  }
  state.timer = setTimeout(() => {
    state.timer = undefined;
    if (!state.isDue) return;
    state.isDue = false;
    expireSales([]);
  }, INTERVAL);
  state.timer.unref();
  await invalidate([...tags, CACHE_TAGS.catalogue]);
}

export type OrderRow = typeof orders.$inferSelect;
type OrderLineRow = typeof orderLines.$inferSelect;

/** A line as bought, with the product's data at that time. */
export type NewOrderLine = Pick<
  OrderLineRow,
  | "productId"
  | "productType"
  | "name"
  | "image"
  | "unitPriceCents"
  | "vatRateBp"
  | "quantity"
  | "downloadLink"
>;

interface NewOrder {
  /** Reserved from the sequence, where the id must be known before the order is written. */
  id?: number;
  buyer: { userId: number | null; email: string; firstName: string; lastName: string };
  /** Not written with the order. They decide its first state, and their names are searched. */
  lines: readonly Pick<NewOrderLine, "productType" | "name">[];
  /** The lines and the shipping. */
  totalCents: number;
  /** The seller is outside VAT. */
  isVatExempt: boolean;
  /** The chosen shipping method, if any. */
  shipping?: { name: string; priceCents: number; delay?: string | undefined } | null;
  shippingAddress: PostalAddress;
  billingAddress: PostalAddress;
  /** The order's payment. There is at most one order per payment. */
  paymentIntentId?: string | null;
  invoicePdfPath?: string | null;
  orderedAt?: Date;
}

/**
 * Writes an order under the next number. The transaction locks the row of the order numbers from here to its
 * end, and all other orders wait for that row: do other work first. The statement is sent at once.
 */
export function insertOrder(
  tx: Transaction,
  {
    buyer,
    lines,
    shipping,
    shippingAddress,
    billingAddress,
    orderedAt = new Date(),
    ...columns
  }: NewOrder,
): Promise<OrderRow> {
  const status = firstStatus(lines);
  const { taken, number } = nextDocumentNumber(tx, { kind: "order", date: orderedAt });
  const written = tx
    .with(taken)
    .insert(orders)
    .values({
      ...columns,
      number,
      userId: buyer.userId,
      buyerEmail: buyer.email,
      buyerFirstName: buyer.firstName,
      buyerLastName: buyer.lastName,
      status,
      ...(status === "delivered" && { deliveredAt: orderedAt }),
      shippingMethod: shipping?.name ?? null,
      shippingCents: shipping?.priceCents ?? 0,
      shippingDelay: shipping?.delay ?? "",
      ...addressColumnsOf({ shippingAddress, billingAddress }),
      // The same value that the trigger on the lines writes after the order.
      productNames: lines.map(({ name }) => name).join(" "),
      orderedAt,
    })
    .returning();
  return written.then(([order]) => {
    if (!order) throw new Error("The order was not written.");
    return order;
  });
}

/**
 * Writes the lines of an order. A product that has left the shop gets no `productId`. The statement is sent
 * at once.
 *
 * @param present the products that are still in the shop, as returned by `countSales`
 */
export function insertOrderLines(
  tx: Transaction,
  {
    orderId,
    lines,
    present,
  }: {
    orderId: number;
    lines: readonly NewOrderLine[];
    present: Pick<ReadonlySet<number>, "has">;
  },
): Promise<OrderLineRow[]> {
  if (lines.length === 0) return Promise.resolve([]);
  return tx
    .insert(orderLines)
    .values(
      lines.map((line) => ({
        ...line,
        shippedQuantity: shippedAtOnce(line),
        productId: line.productId !== null && present.has(line.productId) ? line.productId : null,
        orderId,
      })),
    )
    .returning()
    .execute();
}
