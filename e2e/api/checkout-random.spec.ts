import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { orderLines } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { createRandom, type Random } from "@/db/seed/random";
import type { CallFault, WebhookFault } from "@/sandbox/cards/faults";
import { newAdmin } from "../admin";
import type { Api, ApiAnswer } from "../api-client";
import { balanceOf, expectBalance } from "../balance";
import { type Buyer, confirm, createBuyer, ordersOf, requestPayment } from "../buying";
import { expectDelivered } from "../cards";
import { expect } from "../fixtures";
import { type IsolatedShop, test } from "../isolated-shop";
import { expectStatesAgree } from "../order-states";
import { newKey, requestRefund } from "../refunding";
import { expectStockAddsUp, expireHolds } from "../stock";

// Hundreds of concurrent purchases with random faults, withdrawals, and refunds of every kind, drawn from
// a seed. E2E_SEED and E2E_PURCHASES repeat or lengthen a run. In the end the books of the shop and the
// provider agree.

const SEED = Number(process.env.E2E_SEED ?? 20_261_120);
const PURCHASES = Number(process.env.E2E_PURCHASES ?? 500);
/** Customers who buy at the same time. */
const CONCURRENCY = 8;
/** After every so many purchases the shop is killed, and starts again. */
const KILL_INTERVAL = 110;

const CALLS = [
  "payment_intents.create",
  "payment_intents.retrieve",
  "payment_intents.cancel",
  "refunds.create",
  "refunds.list",
  "*",
] as const;

function drawFault(random: Random): Partial<CallFault> | Partial<WebhookFault> {
  const when = random.pick(["before", "after"] as const);
  const times = random.int(1, 4);
  const milliseconds = random.int(1, 200);
  if (random.chance(0.4)) {
    const webhook = random.pick(["payment_intent.succeeded", "payment_intent.*", "*"]);
    return random.pick<Partial<WebhookFault>>([
      { webhook, effect: "twice", times },
      { webhook, effect: "late", milliseconds: 3 * milliseconds, times },
      { webhook, effect: "reordered", milliseconds: 3 * milliseconds, times },
      { webhook, effect: "never", times },
    ]);
  }
  const call = random.pick(CALLS);
  return random.pick<Partial<CallFault>>([
    { call, effect: "delay", when, milliseconds, times },
    { call, effect: "fail", when, status: random.pick([500, 502, 503]), times },
    { call, effect: "fail", when: "before", status: 500, isRemembered: true },
    { call, effect: "drop", when, times },
    { call, effect: "cut", times },
    { call, effect: "trickle", milliseconds, times },
  ]);
}

/** The customers' requests; after a crash they go to another shop process. */
class Crowd {
  api: Api | undefined;
  private starting: Promise<Api> | undefined;
  readonly tally: Record<string, number> = {};

  constructor(readonly isolatedShop: IsolatedShop) {}

  count(what: string): void {
    this.tally[what] = (this.tally[what] ?? 0) + 1;
  }

  async restart(): Promise<void> {
    this.starting ??= (async () => {
      this.api = undefined;
      await this.isolatedShop.kill();
      this.api = await this.isolatedShop.start();
      return this.api;
    })().finally(() => {
      this.starting = undefined;
    });
    await this.starting;
  }

  /**
   * Retries after a lost connection or a 503, as people do. Returns null after too many attempts. Any
   * other unexpected response fails the test.
   */
  async call<T>(run: (api: Api) => Promise<ApiAnswer<T>>): Promise<ApiAnswer<T> | null> {
    for (let attempt = 0; attempt < 4; attempt++) {
      const api = this.api ?? (await this.starting);
      if (!api) continue;
      try {
        const answer = await run(api);
        if (answer.status !== 503) {
          expect(answer.status, answer.text).toBeLessThan(500);
          return answer;
        }
        this.count("503");
      } catch (error) {
        if (!/ECONN|EPIPE|socket hang up|aborted/.test(String(error))) throw error;
        this.count("connection lost");
      }
    }
    this.count("gave up");
    return null;
  }
}

interface Turn {
  crowd: Crowd;
  random: Random;
}

async function buy({
  crowd,
  random,
  productIds,
  staff,
}: Turn & {
  productIds: readonly number[];
  /** Tokens of two administrators. */
  staff: readonly string[];
}): Promise<void> {
  const { isolatedShop } = crowd;
  const { cards, database } = isolatedShop;
  const buyer: Buyer = await createBuyer(database);
  const add = () =>
    crowd.call((api) =>
      api.post("/api/cart/add", {
        token: buyer.token,
        json: { productId: random.pick(productIds), quantity: random.int(1, 3) },
        mayFail: true,
      }),
    );
  for (let i = random.int(1, 3); i > 0; i--) await add();
  if (random.chance(0.35)) await cards.fault(drawFault(random));
  if (random.chance(0.04)) await isolatedShop.cutConnections();
  let opened = await crowd.call((api) => requestPayment({ api, buyer }));
  if (opened === null) return;
  // A lost request left the cart empty, or others hold the last pieces.
  if (opened.status === 422) return crowd.count("empty cart, or too few pieces");
  expect(opened.status, opened.text).toBe(200);

  const isChanged = random.chance(0.15);
  if (isChanged) await add();
  if (isChanged && random.chance(0.6)) {
    opened = await crowd.call((api) => requestPayment({ api, buyer }));
    if (opened === null) return;
    if (opened.status === 422) return crowd.count("too few pieces for the changed cart");
    expect(opened.status, opened.text).toBe(200);
  }
  // The buyer is slow: a hold expires.
  if (random.chance(0.1)) await expireHolds(database, random.pick(productIds));
  const secret = opened.json.clientSecret;
  if (random.chance(0.08)) return crowd.count("left without paying");

  if (random.chance(0.1)) await cards.pay(secret, "pm_card_chargeDeclined").catch(() => null);
  const isAsked = random.chance(0.1);
  // The buyer's own connection to the provider may break too. With some cards, the bank decides later
  // about a refund.
  const card = random.chance(0.15) ? "pm_card_pendingRefund" : "pm_card_visa";
  const paid = await cards
    .pay(secret, isAsked ? "pm_card_authenticationRequired" : card)
    .catch(() => null);
  if (paid?.json.status === "requires_action")
    await cards
      .authenticate(paid.json, random.chance(0.8) ? "authorized" : "refused")
      .catch(() => null);

  if (random.chance(0.03)) {
    crowd.count("account erased");
    await crowd.call((api) =>
      api.delete("/api/account/delete/hard", { token: buyer.token, mayFail: true }),
    );
    return;
  }
  if (random.chance(0.15)) return crowd.count("closed the browser");
  if (random.chance(0.04)) await isolatedShop.cutConnections();
  const confirmations = await Promise.all(
    Array.from({ length: random.pick([1, 1, 2, 3]) }, () =>
      crowd.call((api) => confirm({ api, buyer, secret })),
    ),
  );
  for (const answer of confirmations) {
    if (answer === null) continue;
    crowd.count(`confirmation ${answer.status}`);
    // 409: somebody else has bought the last piece.
    expect([200, 201, 402, 409], answer.text).toContain(answer.status);
  }
  if (random.chance(0.15)) await withdraw({ crowd, random, buyer });
  while (random.chance(0.3)) await refundOrder({ crowd, random, buyer, staff });
}

/** The buyer withdraws from the order, perhaps with two clicks, or in two tabs. */
async function withdraw({ crowd, random, buyer }: Turn & { buyer: Buyer }): Promise<void> {
  const [order] = await ordersOf(crowd.isolatedShop.database, buyer.id);
  if (!order) return;
  const { token } = buyer;
  const send = () =>
    crowd.call((api) =>
      api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "" }, mayFail: true }),
    );
  const answers = await Promise.all(Array.from({ length: random.pick([1, 1, 2]) }, send));
  for (const answer of answers) {
    if (answer === null) continue;
    crowd.count(`withdrawal ${answer.status}`);
    expect([201, 409], answer.text).toContain(answer.status);
  }
}

/**
 * Expects that each withdrawal is recorded and acknowledged once, and is settled when the whole purchase
 * is refunded. Leaves out the withdrawals of the example data.
 */
async function expectWithdrawalsSettled(database: Database, since: Date): Promise<number> {
  const rows = await database.execute<{ state: string; receipts: number; is_given_back: boolean }>(
    sql`select w.state,
        (select count(*)::int from mail_outbox m where m.template = 'withdrawal-receipt'
          and m.user_id = w.user_id) as receipts,
        not exists (select from order_lines l where l.order_id = w.order_id and l.quantity > (
          select coalesce(sum(p.quantity), 0) from refund_lines p join refunds r on r.id = p.refund_id
          where p.order_line_id = l.id and r.status = 'succeeded'
        )) as is_given_back
      from withdrawals w where w.order_id is not null and w.user_id is not null and w.created_at > ${since.toISOString()}::timestamptz`,
  );
  for (const { state, receipts, is_given_back } of rows) {
    expect(receipts).toBe(1);
    if (is_given_back) expect(state).toBe("refunded");
    expect(["received", "refunded"]).toContain(state);
  }
  return rows.length;
}

/**
 * Refunds the buyer's order: some pieces or all, perhaps with a deduction, or an amount, by staff or at
 * the provider.
 */
async function refundOrder({
  crowd,
  random,
  buyer,
  staff,
}: Turn & { buyer: Buyer; staff: readonly string[] }): Promise<void> {
  const { cards, database } = crowd.isolatedShop;
  const [order] = await ordersOf(database, buyer.id);
  if (!order?.paymentIntentId) return;
  const lines = await database.select().from(orderLines).where(eq(orderLines.orderId, order.id));
  if (random.chance(0.35)) await cards.fault(drawFault(random));
  const kinds = ["pieces", "all", "amount", "amount", "provider", "dispute", "race"] as const;
  const kind = random.pick(kinds);
  const amount = random.int(1, Math.max(1, Math.floor(order.totalCents / 2)));
  crowd.count(`refund: ${kind}`);
  if (kind === "provider") {
    const form = { payment_intent: order.paymentIntentId, amount: String(amount) };
    await cards.call("refunds", form).catch(() => null);
    return;
  }
  if (kind === "dispute") {
    const outcome = random.pick(["won", "lost"] as const);
    if (random.chance(0.3)) await cards.dispute(order.paymentIntentId, outcome);
    return;
  }
  let price = 0;
  const items = lines
    .filter(() => kind === "all" || random.chance(0.5))
    .map(({ id, quantity: bought, unitPriceCents }) => {
      const quantity = kind === "all" ? bought : random.int(1, bought);
      price += quantity * unitPriceCents;
      return { item: id, quantity };
    });
  const isLowered = random.chance(0.4);
  const request =
    kind === "amount" || (kind === "race" && random.chance(0.5)) || items.length === 0
      ? { amount: amount / 100 }
      : { items, ...(isLowered && { amount: random.int(1, price) / 100 }) };
  const keys = [newKey(), newKey()];
  // Two members of staff at once, one of whom clicks twice.
  const askers = random.chance(0.3) ? [0, 0, 1] : [0];
  // Meanwhile, all that is left is refunded at the provider.
  const atProvider =
    kind === "race"
      ? cards.call("refunds", { payment_intent: order.paymentIntentId }).catch(() => null)
      : null;
  const answers = await Promise.all(
    askers.map((who) =>
      crowd.call((api) =>
        requestRefund({
          api,
          order: { id: order.id, token: staff[who] ?? "" },
          ...(keys[who] && { key: keys[who] }),
          ...request,
        }),
      ),
    ),
  );
  await atProvider;
  for (const answer of answers) {
    if (answer === null) continue;
    crowd.count(`refund ${answer.status}`);
    expect([201, 409], answer.text).toContain(answer.status);
  }
}

/** Lets the bank decide about pending refunds. */
async function decideRefunds({
  database,
  cards,
  random,
}: Pick<IsolatedShop, "database" | "cards"> & { random: Random }): Promise<void> {
  const waiting = await database
    .select({ providerId: refunds.providerId })
    .from(refunds)
    .where(and(eq(refunds.status, "pending"), ne(refunds.origin, "dispute")));
  for (const { providerId } of waiting)
    if (providerId !== null)
      await cards.settleRefund(providerId, random.chance(0.5) ? "succeeded" : "failed");
}

test(`${PURCHASES} purchases with random faults (seed ${SEED})`, async ({ isolatedShop }) => {
  test.setTimeout(60_000 + PURCHASES * 1_000);
  const { cards, database } = isolatedShop;
  const begin = new Date();
  const crowd = new Crowd(isolatedShop);
  crowd.api = await isolatedShop.start();
  const productIds: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { id } = await createProduct({
      db: database,
      priceCents: 99 + 517 * i,
      vatRateBp: [2000, 1000, 550, 210][i % 4] ?? 2000,
      stock: [20, 60, 1_000][i] ?? null,
      ...(i % 6 === 5 && { type: "digital", downloadLink: "/downloads/guide-the.pdf" }),
    });
    productIds.push(id);
  }
  const staff = [(await newAdmin(database)).token, (await newAdmin(database)).token];

  const seeds = createRandom(SEED);
  let started = 0;
  const lane = async () => {
    while (started < PURCHASES) {
      started += 1;
      const isFatal = started % KILL_INTERVAL === 0;
      const random = createRandom(seeds.int(0, 2 ** 31 - 1));
      const buying = buy({ crowd, random, productIds, staff });
      if (isFatal) await crowd.restart();
      await buying;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, lane));

  // After the faults, the remaining purchases are completed without further requests.
  await cards.clearFaults();
  const { api } = crowd;
  if (!api) throw new Error("The shop is not running.");
  await expectDelivered(cards, { timeout: 60_000 });
  const decisions = createRandom(SEED);
  const isSettled = async () => {
    await isolatedShop.reconcile(api);
    await decideRefunds({ database, cards, random: decisions });
    const { unsettled, keptPayments, orders, mismatches } = await balanceOf({ database, cards });
    return unsettled === 0 && keptPayments === orders && mismatches.length === 0;
  };
  await expect.poll(isSettled, { timeout: 60_000 }).toBe(true);

  console.log(`What happened: ${JSON.stringify(crowd.tally)}`);
  const title = `${PURCHASES} purchases, seed ${SEED}`;
  const balance = await expectBalance({ database, cards, title, isAlone: true });
  await expectStockAddsUp(database);
  expect(await expectWithdrawalsSettled(database, begin)).toBeGreaterThan(0);
  const ended = await expectStatesAgree({ api, database, cards, token: staff[0] ?? "" });
  expect(ended).toBeGreaterThan(0);
  // Most purchases succeeded despite the faults.
  expect(balance.orders).toBeGreaterThan(PURCHASES / 2);
});
