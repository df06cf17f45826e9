import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { isAllRefunded } from "@/db/as-paid";
import { createProduct } from "@/db/factories/catalogue";
import { invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { createRandom, type Random } from "@/db/seed/random";
import type { adminProductResource } from "@/lib/catalogue/admin-resource";
import type { JsonOf } from "@/lib/http/api/resource";
import { statusAfterChange } from "@/lib/orders/rules";
import { readLineProgress } from "@/lib/orders/shipments";
import type { OrderStatus } from "@/lib/shop/order-status";
import { newAdmin } from "../admin";
import type { Api, ApiAnswer } from "../api-client";
import { balanceOf, brokenCreditNotes } from "../balance";
import { confirm, createBuyer, requestPayment } from "../buying";
import type { Cards } from "../cards";
import { expect } from "../fixtures";
import { test } from "../isolated-shop";
import { expectStatesAgree } from "../order-states";
import { requestRefund } from "../refunding";
import { expectStockAddsUp, expireHolds } from "../stock";

// Customers buy while staff do everything that the back office allows. The acts are drawn from a seed,
// and run concurrently on the same few products and orders. E2E_SEED and E2E_ACTS repeat or lengthen a
// run. In the end each piece and each cent is accounted for. checkout-random.spec.ts tests faults of the
// provider and crashes.

const SEED = Number(process.env.E2E_SEED ?? 20_261_126);
const ACTS = Number(process.env.E2E_ACTS ?? 600);
const BUYERS = 3;
const STAFF = 4;

interface Shop {
  api: Api;
  cards: Cards;
  database: Database;
  productIds: readonly number[];
  token: string;
  /** Id of the last order that was there before the test. */
  lastExample: number;
  tally: Record<string, number>;
}

/** Counts the status of a response, which must be one of the expected ones. */
function expectOneOf(
  { tally }: Shop,
  what: string,
  { status, text }: ApiAnswer<unknown>,
  expected: readonly number[],
): void {
  tally[`${what} ${status}`] = (tally[`${what} ${status}`] ?? 0) + 1;
  expect(expected, `${what}: ${status} ${text}`).toContain(status);
}

async function buy(shop: Shop, random: Random): Promise<void> {
  const { api, cards, database, productIds } = shop;
  const buyer = await createBuyer(database);
  for (let i = random.int(1, 3); i > 0; i--) {
    const json = { productId: random.pick(productIds), quantity: random.int(1, 3) };
    const added = await api.post("/api/cart/add", { token: buyer.token, json, mayFail: true });
    // 401: staff may erase the account at any time.
    expectOneOf(shop, "add", added, [201, 401, 422]);
  }
  const opened = await requestPayment({ api, buyer });
  expectOneOf(shop, "payment", opened, [200, 401, 409, 422]);
  if (opened.status !== 200) return;
  if (random.chance(0.1)) await expireHolds(database, random.pick(productIds));
  const secret = opened.json.clientSecret;
  await cards.pay(secret, random.chance(0.1) ? "pm_card_chargeDeclined" : "pm_card_visa");
  const confirmed = await confirm({ api, buyer, secret });
  expectOneOf(shop, "confirm", confirmed, [200, 201, 401, 402, 404, 409]);
  if (confirmed.status > 201 || !random.chance(0.2)) return;
  const withdrawn = await api.post(`/api/orders/${confirmed.json.orderId}/withdrawal`, {
    token: buyer.token,
    json: { items: "" },
    mayFail: true,
  });
  expectOneOf(shop, "withdrawal", withdrawn, [201, 401, 404, 409]);
}

interface OrderLine {
  id: number;
  product: { id: number };
  quantity: number;
  toSend: number;
}

/** Any of the latest orders, so that several members of staff work on the same ones. */
async function pickOrder({ database, lastExample }: Shop, random: Random) {
  const rows = await database.execute<{ id: number; userId: number | null }>(sql`
    select id, user_id as "userId" from orders where id > ${lastExample}
    order by id desc limit 12`);
  return rows.length > 0 ? random.pick([...rows]) : null;
}

const shipOrder = async (shop: Shop, random: Random, id: number) => {
  const { api, token } = shop;
  const path = `/api/admin_orders/${id}`;
  const { json } = await api.get<{ orderItems?: OrderLine[] }>(path, { token, mayFail: true });
  const items = (json.orderItems ?? [])
    .filter(({ toSend }) => toSend > 0 && random.chance(0.6))
    .map(({ id, toSend }) => ({ item: id, quantity: random.int(1, toSend) }));
  const sent = await api.post(`${path}/shipments`, {
    token,
    json: { carrier: "Colissimo", ...(items.length > 0 && { items }) },
    mayFail: true,
  });
  expectOneOf(shop, "ship", sent, [201, 404, 409, 422]);
};

/** Changes quantities, and removes or adds a product at its current price. The total stays as it was paid. */
const editOrder = async (shop: Shop, random: Random, id: number) => {
  const { api, token } = shop;
  const path = `/api/admin_orders/${id}`;
  const read = await api.get<{ orderItems?: OrderLine[]; version: number }>(path, {
    token,
    mayFail: true,
  });
  const items = (read.json.orderItems ?? [])
    .filter(() => random.chance(0.8))
    .map(({ id, product, quantity }) => ({
      id,
      product: product.id,
      quantity: Math.max(1, quantity + random.int(-1, 2)),
    }));
  const added = { product: random.pick(shop.productIds), quantity: random.int(1, 2) };
  const orderItems = items.length === 0 || random.chance(0.3) ? [...items, added] : items;
  const json = { orderItems, ...(random.chance(0.5) && { version: read.json.version }) };
  const saved = await api.put(path, { token, json, mayFail: true });
  expectOneOf(shop, "edit", saved, [200, 404, 409, 422]);
};

const refundOrder = async (shop: Shop, random: Random, id: number) => {
  const { api, token, database } = shop;
  const lines = await readLineProgress(database, id);
  const items = lines
    .filter(() => random.chance(0.6))
    .map(({ id: item, quantity }) => ({ item, quantity: random.int(1, quantity) }));
  const request = items.length > 0 ? { items, restock: random.chance(0.5) } : { amount: 1 };
  const response = await requestRefund({ api, order: { id, token }, ...request });
  expectOneOf(shop, "refund", response, [201, 404, 409, 422]);
};

/** Refunds all that is left at the provider, perhaps while staff refund the same order. */
const refundAtProvider = async (shop: Shop, random: Random, orderId: number) => {
  const { cards, database } = shop;
  const [order] = await database
    .select({ paymentId: orders.paymentIntentId })
    .from(orders)
    .where(eq(orders.id, orderId));
  if (!order?.paymentId || random.chance(0.5)) return;
  const providerRefund = cards.call("refunds", { payment_intent: order.paymentId });
  if (random.chance(0.5)) await refundOrder(shop, random, orderId);
  const { status } = await providerRefund;
  shop.tally[`refund at provider ${status}`] =
    (shop.tally[`refund at provider ${status}`] ?? 0) + 1;
};

/** Saves a wrong total, another payment, or nothing new. The paid amount stays the same. */
const editInvoice = async (shop: Shop, random: Random, orderId: number) => {
  const { api, token, database } = shop;
  const [invoice] = await database
    .select({ id: invoices.id, version: invoices.version })
    .from(invoices)
    .where(eq(invoices.orderId, orderId));
  if (!invoice) return;
  const saved = await api.put(`/api/admin/invoices_update/${invoice.id}`, {
    token,
    json: {
      ...(random.chance(0.8) && { totalAmount: random.int(0, 9_000) / 100 }),
      ...(random.chance(0.5) && { version: invoice.version }),
    },
    mayFail: true,
  });
  expectOneOf(shop, "edit invoice", saved, [200, 409]);
};

const step = (name: "prepare" | "deliver") => async (shop: Shop, _: Random, id: number) => {
  const { api, token } = shop;
  const path = `/api/admin_orders/${id}/${name}`;
  expectOneOf(shop, name, await api.post(path, { token, mayFail: true }), [200, 404, 409]);
};

const deleteOrder = async (shop: Shop, _: Random, id: number) => {
  const { api, token } = shop;
  const deleted = await api.delete(`/api/admin_orders/${id}`, { token, mayFail: true });
  expectOneOf(shop, "delete", deleted, [204, 404, 409]);
};

const correctStock = async (shop: Shop, random: Random) => {
  const { api, token, productIds } = shop;
  const path = `/api/products/${productIds[random.int(0, COUNTED.length - 1)]}/stock_movements`;
  const json = { quantity: random.pick([-2, -1, 3, 5]), reason: "Inventaire" };
  expectOneOf(
    shop,
    "correct",
    await api.post(path, { token, json, mayFail: true }),
    [201, 409, 422],
  );
};

/** Saves the product's form with values that were read a moment ago. */
const saveProduct = async (shop: Shop, random: Random) => {
  const { api, token, productIds } = shop;
  const id = random.pick(productIds);
  const read = await api.get<JsonOf<typeof adminProductResource>>(`/api/products/${id}`, { token });
  const { name, description, price, defaultCategory, stock, vatRate } = read.json;
  const saved = await api.put(`/api/physical_products/${id}`, {
    token,
    json: {
      name,
      description,
      vatRate,
      price: random.chance(0.3) ? price + 1 : price,
      defaultCategory: `/api/categories/${defaultCategory.id}`,
      ...(stock !== null && { stock: stock + random.int(0, 2), currentStock: stock }),
    },
    mayFail: true,
  });
  expectOneOf(shop, "save product", saved, [200, 409, 422]);
};

const eraseBuyer = async (shop: Shop, random: Random) => {
  const { api, token } = shop;
  const order = await pickOrder(shop, random);
  if (order?.userId == null) return;
  const erased = await api.delete(`/api/users/${order.userId}`, { token, mayFail: true });
  expectOneOf(shop, "erase", erased, [204, 404]);
};

/** Frequent acts are listed several times. */
const ON_ORDERS = [
  shipOrder,
  shipOrder,
  editOrder,
  editOrder,
  refundOrder,
  refundOrder,
  refundAtProvider,
  editInvoice,
  step("prepare"),
  step("deliver"),
  deleteOrder,
];

async function act(shop: Shop, random: Random): Promise<void> {
  if (random.chance(0.2)) return correctStock(shop, random);
  if (random.chance(0.15)) return saveProduct(shop, random);
  if (random.chance(0.04)) return eraseBuyer(shop, random);
  const order = await pickOrder(shop, random);
  if (order) await random.pick(ON_ORDERS)(shop, random, order.id);
}

/** Initial pieces of the products whose stock is counted. The stock of the others is not counted. */
const COUNTED = [15, 60, 500, 30, 40, 90];

/**
 * For each order and product, the pieces missing from the stock are those bought minus those put back.
 * Pieces of deleted orders that stay out of the stock were sent or written off.
 */
async function expectPiecesAccountedFor({ database: db, productIds }: Shop): Promise<void> {
  const counted = sql.param(productIds.slice(0, COUNTED.length));
  const wrong = await db.execute(sql`
    with moved as (
      select m.order_id, m.product_id, -sum(m.quantity) as pieces from stock_movements m
      where m.order_id is not null and m.product_id = any(${counted}::int[]) group by 1, 2
    ), bought as (
      select l.order_id, l.product_id, sum(l.quantity - (
        select coalesce(sum(p.quantity), 0) from refund_lines p join refunds r on r.id = p.refund_id
        where p.order_line_id = l.id and r.status = 'succeeded' and r.restock)) as pieces
      from order_lines l where l.product_id = any(${counted}::int[]) group by 1, 2
    )
    select *, moved.pieces as moved, bought.pieces as bought
    from moved full join bought using (order_id, product_id)
    where coalesce(moved.pieces, 0) <> coalesce(bought.pieces, 0)`);
  expect([...wrong]).toEqual([]);
  const lost = await db.execute(sql`
    with kept as (
      select m.product_id, -sum(m.quantity) as pieces from stock_movements m
      where m.order_id is null and m.kind in ('sale', 'return')
        and m.product_id = any(${counted}::int[]) group by 1
    ), gone as (
      select product_id, sum(pieces) as pieces from pieces_gone
      where product_id = any(${counted}::int[]) group by 1
    )
    select product_id, kept.pieces as kept, gone.pieces as gone
    from kept full join gone using (product_id)
    where coalesce(kept.pieces, 0) <> coalesce(gone.pieces, 0)`);
  expect([...lost]).toEqual([]);
}

/**
 * Makes the database record how many pieces of an order do not come back when the order is deleted:
 * pieces that were sent, and pieces that a refund wrote off.
 */
async function watchDeletions(db: Database): Promise<void> {
  await db.execute(sql`create table pieces_gone (product_id int, pieces int)`);
  await db.execute(sql`
    create function note_pieces_gone() returns trigger language plpgsql as $$ begin
      insert into pieces_gone
      select product_id, out - least(out, unsent) from (
        select l.product_id, sum(l.quantity - given.restocked) as out,
          sum(greatest(0, l.quantity - l.shipped_quantity - given.all)) as unsent
        from order_lines l cross join lateral (
          select coalesce(sum(p.quantity), 0) as all,
            coalesce(sum(p.quantity) filter (where r.restock), 0) as restocked
          from refund_lines p join refunds r on r.id = p.refund_id
          where p.order_line_id = l.id and r.status = 'succeeded') given
        where l.order_id = old.id group by 1) pieces;
      return old;
    end $$`);
  await db.execute(sql`create trigger note_pieces_gone before delete on orders
    for each row execute function note_pieces_gone()`);
}

/** Expects that the shop's other tables agree with its orders. */
async function expectOrdersAgree({ database: db, productIds, lastExample }: Shop): Promise<void> {
  const wrong = await db.execute(sql`
    select o.id, o.status, o.refunded_cents from orders o
    where o.refunded_cents <> (select coalesce(sum(amount_cents), 0) from refunds r
        where r.order_id = o.id and r.status = 'succeeded')
      or exists (select from order_lines l where l.order_id = o.id and l.product_type = 'physical'
        and l.shipped_quantity <> (select coalesce(sum(s.quantity), 0) from shipment_lines s
          where s.order_line_id = l.id))`);
  expect([...wrong]).toEqual([]);
  const sales = await db.execute(sql`
    select p.id, p.sales_count, (select coalesce(sum(quantity), 0) from order_lines l
      where l.product_id = p.id) as sold
    from products p where p.id = any(${sql.param([...productIds])}::int[])
      and p.sales_count <> (select coalesce(sum(quantity), 0) from order_lines l
        where l.product_id = p.id)`);
  expect([...sales]).toEqual([]);
  const sums = await db.execute(sql`
    select (select sum(orders) from order_sums) - (select count(*) from orders) as orders,
      (select sum(total_cents) from order_sums)
        - (select sum(total_cents - refunded_cents) from orders) as cents`);
  expect([...sums]).toMatchObject([{ orders: "0", cents: "0" }]);
  const rows = await db.execute<{ id: number; status: OrderStatus; isAllRefunded: boolean }>(sql`
    select id, status, ${isAllRefunded} as "isAllRefunded" from orders where id > ${lastExample}`);
  for (const { id, ...order } of rows) {
    const lines = await readLineProgress(db, id);
    const reckoned = statusAfterChange({ ...order, lines, isUndecided: false });
    expect(reckoned, `order ${id}`).toBe(order.status);
  }
}

test(`staff do ${ACTS} things while customers buy (seed ${SEED})`, async ({ isolatedShop }) => {
  test.setTimeout(60_000 + ACTS * 500);
  const { cards, database } = isolatedShop;
  const api = await isolatedShop.start();
  const productIds: number[] = [];
  for (let i = 0; i < 8; i++) {
    const type = i === 7 ? "digital" : "physical";
    const values = { priceCents: 99 + 517 * i, vatRateBp: i % 2 ? 550 : 2000, type } as const;
    const { id } = await createProduct({ db: database, ...values, stock: COUNTED[i] ?? null });
    productIds.push(id);
  }
  const { token } = await newAdmin(database);
  const [last] = await database.execute<{ id: number }>(sql`select max(id) as id from orders`);
  const shop: Shop = {
    api,
    cards,
    database,
    productIds,
    token,
    lastExample: last?.id ?? 0,
    tally: {},
  };

  await watchDeletions(database);

  const seeds = createRandom(SEED);
  let acts = 0;
  const lane = (run: (shop: Shop, random: Random) => Promise<void>) => async () => {
    while (acts < ACTS) {
      acts += 1;
      await run(shop, createRandom(seeds.int(0, 2 ** 31 - 1)));
    }
  };
  await Promise.all([
    ...Array.from({ length: BUYERS }, lane(buy)),
    ...Array.from({ length: STAFF }, lane(act)),
  ]);
  console.log(`What happened: ${JSON.stringify(shop.tally)}`);

  const isSettled = async () => {
    await isolatedShop.reconcile(api);
    return (await balanceOf({ database, cards })).unsettled;
  };
  await expect.poll(isSettled, { timeout: 60_000 }).toBe(0);
  await expectStockAddsUp(database);
  await expectPiecesAccountedFor(shop);
  await expectOrdersAgree(shop);
  await expectStatesAgree({ api, database, cards, token, since: shop.lastExample });
  expect(await brokenCreditNotes(database)).toEqual([]);
  const balance = await balanceOf({ database, cards });
  expect(balance).toMatchObject({
    orders: balance.keptPayments - (shop.tally["delete 204"] ?? 0),
    invoices: balance.keptPayments,
    invoiceCents: balance.keptCents,
    creditNotes: balance.orderRefunds,
    creditNoteCents: balance.orderRefundCents,
    mismatches: [],
  });
});
