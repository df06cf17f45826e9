import { expect } from "@playwright/test";
import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import type { OrderStatus } from "@/lib/shop/order-status";
import type { Api } from "./api-client";
import type { Cards } from "./cards";

interface OrderState {
  id: number;
  paymentId: string;
  status: OrderStatus;
  withdrawal: string | null;
  /** Pieces of physical products: bought, sent, and successfully refunded. */
  physicalPieces: number;
  sent: number;
  refunded: number;
  files: number;
}

/**
 * Expects that the orders' states agree with the provider's books, whatever refunds there were. A fully
 * refunded order sends nothing more and offers no download, and its withdrawal is settled. An order is
 * not cancelled as long as the buyer has paid for something.
 *
 * @param since id of the last earlier order; only later orders are checked
 * @returns the number of fully refunded orders
 */
export async function expectStatesAgree({
  api,
  database,
  cards,
  token,
  since = 0,
}: {
  api: Api;
  database: Database;
  cards: Cards;
  /** Bearer token of admins. */
  token: string;
  since?: number;
}): Promise<number> {
  const { payments } = await cards.books();
  const rows = await database.execute<OrderState & Record<string, unknown>>(sql`
    select o.id, o.payment_intent_id as "paymentId", o.status,
      (select state from withdrawals w where w.order_id = o.id) as withdrawal,
      coalesce(sum(l.quantity) filter (where l.product_type = 'physical'), 0)::int as "physicalPieces",
      coalesce(sum(l.shipped_quantity) filter (where l.product_type = 'physical'), 0)::int as sent,
      coalesce(sum(given.pieces) filter (where l.product_type = 'physical'), 0)::int as refunded,
      coalesce(sum(l.quantity) filter (where l.product_type = 'digital'), 0)::int as files
    from orders o left join order_lines l on l.order_id = o.id
    left join lateral (
      select coalesce(sum(p.quantity), 0) as pieces
      from refund_lines p join refunds r on r.id = p.refund_id
      where p.order_line_id = l.id and r.status = 'succeeded'
    ) given on true
    where o.id > ${since} and o.payment_intent_id is not null group by o.id`);
  let ended = 0;
  for (const order of rows) {
    const payment = payments.find(({ id }) => id === order.paymentId);
    if (!payment) continue;
    const isAllBack = payment.refunded + payment.disputed >= payment.taken;
    const title = `order ${order.id}: ${JSON.stringify({ order, payment })}`;
    if (!isAllBack) {
      if (order.status === "cancelled") expect(order.refunded, title).toBe(order.physicalPieces);
      continue;
    }
    ended += 1;
    if (order.physicalPieces > 0)
      expect(["shipped", "delivered", "cancelled"], title).toContain(order.status);
    if (order.physicalPieces > 0 && order.sent === 0 && order.status !== "delivered")
      expect(order.status, title).toBe("cancelled");
    expect(order.withdrawal, title).not.toBe("received");
    await expectNothingLeaves({ api, token, order, title });
  }
  return ended;
}

/** Expects that no parcel is accepted, and no file is offered. */
async function expectNothingLeaves({
  api,
  token,
  order: { id },
  title,
}: {
  api: Api;
  token: string;
  order: OrderState;
  title: string;
}): Promise<void> {
  const sent = await api.post(`/api/admin_orders/${id}/shipments`, {
    token,
    json: { carrier: "Colissimo" },
    mayFail: true,
  });
  expect(sent.status, title).toBe(409);
  const { json } = await api.get<{ items: { product: { downloadLink: string | null } }[] }>(
    `/api/orders_details/${id}`,
    { token },
  );
  for (const { product } of json.items) expect(product.downloadLink, title).toBeNull();
}
