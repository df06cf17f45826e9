import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import Stripe from "stripe";
import {
  test as base,
  Control,
  expect,
  stripeFor,
  WEBHOOK_SECRET,
} from "@/e2e/services/card-sandbox";

const ROOT = path.resolve(import.meta.dirname, "../..");
const COUNT = 80;
/** Concurrent purchases: most of them are in progress when the process is killed. */
const LANES = 16;
const RETRIES = { maxNetworkRetries: 0 };

interface Child {
  process: ChildProcess;
  url: string;
  kill(): Promise<void>;
}

interface LaunchOptions {
  dataFile: string;
  webhook: string;
}

function start({ dataFile, webhook }: LaunchOptions): ChildProcess {
  return spawn(
    process.execPath,
    [
      ...["--import", "tsx", "sandbox/cards/program.ts"],
      ...["--port", "0", "--data", dataFile, "--webhook", webhook, "--retry", "50"],
    ],
    {
      cwd: ROOT,
      env: { PATH: process.env.PATH, NODE_ENV: "test", STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET },
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
}

/** Resolves once the sandbox listens. */
async function ready(child: ChildProcess): Promise<Child> {
  let written = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.once("exit", () => reject(new Error(`The sandbox has ended: ${written}`)));
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      written += text;
      const found = /Bac à sable de cartes : (http:\S+)/.exec(written)?.[1];
      if (found) resolve(found);
    });
  });
  const ended = once(child, "exit");
  return {
    process: child,
    url,
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

const test = base.extend<{ launch: (options: LaunchOptions) => Promise<Child> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the dependencies from the pattern
  launch: async ({}, use) => {
    const children: ChildProcess[] = [];
    await use((options) => {
      const child = start(options);
      children.push(child);
      return ready(child);
    });
    // After a failed test a process may still be running.
    for (const child of children) child.kill("SIGKILL");
  },
});

/** What the shop knows of a purchase from the responses that it received. */
interface Purchase {
  number: number;
  amount: number;
  id?: string;
  isPaid: boolean;
}

async function buy(url: string, purchase: Purchase): Promise<void> {
  const stripe = stripeFor(url, RETRIES);
  const { number, amount } = purchase;
  const intent = await stripe.paymentIntents.create(
    { amount, currency: "eur", metadata: { number } },
    { idempotencyKey: `create-${number}` },
  );
  // A retry gets the payment intent of the saved response.
  if (purchase.id !== undefined) expect(intent.id).toBe(purchase.id);
  purchase.id = intent.id;
  const paid = await stripe.paymentIntents.confirm(
    intent.id,
    { payment_method: "pm_card_visa" },
    { idempotencyKey: `confirm-${number}` },
  );
  expect(paid.status).toBe("succeeded");
  purchase.isPaid = true;
}

test("repeated kills during payments lose nothing and charge nothing twice", async ({
  folder,
  receiver,
  launch,
}) => {
  test.setTimeout(120_000);
  const options = { dataFile: path.join(folder, "killed.jsonl"), webhook: receiver.url };
  const purchases: Purchase[] = Array.from({ length: COUNT }, (_, number) => ({
    number,
    amount: 100 + number,
    isPaid: false,
  }));
  let interrupted = 0;
  for (let round = 0; ; round += 1) {
    const child = await launch(options);
    const stripe = stripeFor(child.url, RETRIES);
    for (const { id, isPaid } of purchases) {
      if (id === undefined) continue;
      const intent = await stripe.paymentIntents.retrieve(id);
      if (isPaid) expect(intent.status).toBe("succeeded");
    }
    const open = purchases.filter(({ isPaid }) => !isPaid);
    let answered = 0;
    let isKilled = false;
    const lane = async () => {
      for (let purchase = open.pop(); purchase && !isKilled; purchase = open.pop()) {
        await buy(child.url, purchase);
        answered += 1;
        // The process is not killed in the last round.
        if (answered !== 15 || round >= 3) continue;
        isKilled = true;
        await child.kill();
      }
    };
    const results = await Promise.allSettled(Array.from({ length: LANES }, lane));
    const reasons = results.flatMap((result) =>
      result.status === "rejected" ? [result.reason as unknown] : [],
    );
    for (const reason of reasons)
      if (!(reason instanceof Stripe.errors.StripeConnectionError)) throw reason;
    interrupted += reasons.length;
    if (isKilled) continue;
    expect(reasons).toEqual([]);

    const control = new Control(child.url);
    const total = purchases.reduce((sum, { amount }) => sum + amount, 0);
    const { totals, payments } = await control.summary();
    const sums = { taken: total, refunded: 0, net: total, payments: COUNT, refunds: 0 };
    expect(totals).toEqual(sums);
    expect(payments.every(({ status }) => status === "succeeded")).toBe(true);
    // Every event is delivered, including the events of killed processes.
    await expect
      .poll(async () => (await control.summary()).webhooks, { timeout: 20_000 })
      .toEqual({ pending: 0, delivered: 3 * COUNT, suppressed: 0 });
    const paid = new Set(
      receiver.events
        .filter(({ type }) => type === "payment_intent.succeeded")
        .map(({ data }) => (data.object as { id: string }).id),
    );
    expect([...paid].sort()).toEqual(purchases.map(({ id }) => id).sort());
    child.process.kill("SIGTERM");
    expect(await once(child.process, "exit")).toEqual([0, null]);
    break;
  }
  // Without an interrupted purchase this test proves nothing.
  expect(interrupted).toBeGreaterThan(0);
});
