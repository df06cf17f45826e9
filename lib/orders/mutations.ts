import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { products } from "@/db/schema/catalogue";
import type { PostalAddress } from "@/db/schema/checkout";
import { orderLines, orders } from "@/db/schema/orders";
import { nextDocumentNumber } from "./numbers";

export type OrderRow = typeof orders.$inferSelect;
export type OrderLineRow = typeof orderLines.$inferSelect;

/** A line as bought: what the product was on that day. */
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

export interface NewOrder {
  buyer: { userId: number | null; email: string; firstName: string; lastName: string };
  /** The line of a product that has left the shop is written without its `productId`. */
  lines: readonly NewOrderLine[];
  totalCents: number;
  shippingAddress: PostalAddress;
  billingAddress: PostalAddress;
  /** The payment that the order answers to: at most one order per payment. */
  paymentIntentId?: string | null;
  invoicePdfPath?: string | null;
  orderedAt?: Date;
}

/**
 * Writes an order under the next number, with its lines, and counts their pieces as sold. From here
 * to its end the transaction holds the row of the order numbers, which everybody else who orders
 * waits for: what else it has to do should come before.
 */
export async function createOrder(
  tx: Transaction,
  {
    buyer,
    lines,
    totalCents,
    shippingAddress,
    billingAddress,
    paymentIntentId = null,
    invoicePdfPath = null,
    orderedAt = new Date(),
  }: NewOrder,
): Promise<{ order: OrderRow; lines: OrderLineRow[] }> {
  const present = await countSales(tx, { lines });
  const { taken, number } = nextDocumentNumber(tx, { kind: "order", date: orderedAt });
  const [order] = await tx
    .with(taken)
    .insert(orders)
    .values({
      number,
      userId: buyer.userId,
      buyerEmail: buyer.email,
      buyerFirstName: buyer.firstName,
      buyerLastName: buyer.lastName,
      paymentIntentId,
      totalCents,
      shippingStreet: shippingAddress.street,
      shippingCity: shippingAddress.city,
      shippingPostalCode: shippingAddress.postalCode,
      billingStreet: billingAddress.street,
      billingCity: billingAddress.city,
      billingPostalCode: billingAddress.postalCode,
      invoicePdfPath,
      orderedAt,
    })
    .returning();
  if (!order) throw new Error("The order was not written.");
  const written =
    lines.length === 0
      ? []
      : await tx
          .insert(orderLines)
          .values(
            lines.map((line) => ({
              ...line,
              productId:
                line.productId !== null && present.has(line.productId) ? line.productId : null,
              orderId: order.id,
            })),
          )
          .returning();
  return { order, lines: written };
}

/**
 * Adds the pieces of some lines to their products' sales; `sign: -1` takes them off again. Products
 * are locked in the order of their ids, so that two orders of the same ones never wait for each
 * other.
 *
 * @returns the ids of the products that are still in the shop; they stay until the transaction ends
 */
export async function countSales(
  tx: Pick<Transaction, "execute">,
  {
    lines,
    sign = 1,
  }: {
    lines: readonly { productId: number | null; quantity: number }[];
    sign?: 1 | -1;
  },
): Promise<ReadonlySet<number>> {
  const pieces = new Map<number, number>();
  for (const { productId, quantity } of lines) {
    if (productId !== null) pieces.set(productId, (pieces.get(productId) ?? 0) + sign * quantity);
  }
  if (pieces.size === 0) return new Set();
  const sold = sql.join(
    [...pieces].map(([id, count]) => sql`(${id}::int, ${count}::int)`),
    sql`, `,
  );
  const { rows } = await tx.execute<{ id: number }>(sql`
    with sold (id, pieces) as (values ${sold}), locked as materialized (
      select p.id from ${products} p where p.id in (select id from sold)
      order by p.id for no key update
    )
    update ${products} set sales_count = greatest(0, sales_count + sold.pieces)
    from sold, locked where ${products.id} = sold.id and locked.id = sold.id
    returning ${products.id} as id`);
  return new Set(rows.map(({ id }) => id));
}
