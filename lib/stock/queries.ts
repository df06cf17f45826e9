import { sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { refundedPieces } from "@/db/refunded-pieces";

/**
 * An order's pieces that came out of the stock, were not sent, and were not put back. Refunded pieces are
 * left out: the refund has put them back already, or was asked not to.
 */
export async function unsentPieces(
  tx: Pick<Transaction, "execute">,
  { orderId }: { orderId: number },
): Promise<{ productId: number; quantity: number }[]> {
  const rows = await tx.execute<{ productId: number; quantity: number }>(sql`
    select m.product_id as "productId", least(-sum(m.quantity), (
      select sum(greatest(0, quantity - shipped_quantity - ${refundedPieces()}))
      from order_lines where order_id = ${orderId} and product_id = m.product_id
    ))::int as quantity
    from stock_movements m where m.order_id = ${orderId}
    group by m.product_id having sum(m.quantity) < 0`);
  return rows.filter(({ quantity }) => quantity > 0);
}

/**
 * Pieces of each product that an order has taken out of the stock and not put back; without products that
 * were not counted when they were sold.
 */
export async function takenPieces(
  tx: Pick<Transaction, "execute">,
  { orderId }: { orderId: number },
): Promise<Map<number, number>> {
  const rows = await tx.execute<{ productId: number; quantity: number }>(sql`
    select product_id as "productId", -sum(quantity)::int as quantity
    from stock_movements where order_id = ${orderId} group by product_id having sum(quantity) < 0`);
  return new Map(rows.map(({ productId, quantity }) => [productId, quantity]));
}
