import { once, setMaxListeners } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { openDatabase, queryRows } from "@/bench/database";
import { residentMiB } from "@/bench/processes";
import { createCustomers, purchase, startSandbox } from "@/bench/purchases";
import { aimOf, printAims, quantilesOf, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, type Server, startShop } from "@/bench/shop";
import { forgetEnv } from "@/lib/env";
import { freePort } from "@/sandbox/ports";

// npm run bench -- bodies – a thousand connections, each with a request body that never ends: what memory
// they take, whether health is answered meanwhile, and whether a purchase goes through. First they come
// within five seconds, then all at once. Only on this machine, and for half a minute at most each time.

const SOCKETS = 1_000;
/** Bytes that each body announces, and those that it sends. */
const LENGTH = 250_000;
const SENT = 249_000;
const MEMORY_LIMIT_MIB = 48;
const HEALTH_LIMIT_MS = 100;
const SAMPLE_MS = 20;
/** All of them have been refused or cut off by then. */
const MAX_SECONDS = 30;
const SECRET = "a-secret-of-the-benchmark-for-sessions";
/** Purchases before, so that the server has been in use. */
const WARM_UP = 200;

/** Milliseconds from one connection to the next where they do not come at once. */
const SPACING_MS = 5;
/** Milliseconds until the bodies of all connections have arrived. */
const ARRIVAL_MS = 2_000;

/** Opens all connections, and settles when the server has closed them. */
async function sendUnfinishedBodies({
  port,
  spacingMs,
}: {
  port: number;
  spacingMs: number;
}): Promise<Map<string, number>> {
  const signature = `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`;
  const text = `POST /api/stripe/webhook HTTP/1.1\r\nHost: 127.0.0.1\r\nStripe-Signature: ${signature}\r\nContent-Type: application/json\r\nContent-Length: ${LENGTH}\r\n\r\n`;
  const request = Buffer.concat([Buffer.from(text), Buffer.alloc(SENT, "x")]);
  const answers = new Map<string, number>();
  const count = (answer: string) => answers.set(answer, (answers.get(answer) ?? 0) + 1);
  const signal = AbortSignal.timeout(MAX_SECONDS * 1_000);
  setMaxListeners(SOCKETS, signal);
  await Promise.all(
    Array.from({ length: SOCKETS }, async (_, i) => {
      await delay(i * spacingMs);
      const socket = net.connect({ host: "127.0.0.1", port, signal });
      let answer = "closed";
      socket.on("data", (bytes) => {
        answer = bytes.toString("latin1", 9, 12);
      });
      // Refused connections are reset, since the server has not read what they sent.
      socket.on("error", () => undefined);
      socket.write(request);
      await once(socket, "close").catch(() => undefined);
      count(signal.aborted ? "still open" : answer);
    }),
  );
  return answers;
}

/** Asks for health from another thread, which the connections do not keep busy. */
async function startHealthProbe(url: string): Promise<() => Promise<number[]>> {
  const worker = new Worker(new URL("./health-probe.mjs", import.meta.url), { workerData: url });
  await once(worker, "message");
  return async () => {
    worker.postMessage("stop");
    const [times] = (await once(worker, "message")) as [number[]];
    await worker.terminate();
    return times;
  };
}

export async function run({ services }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await openDatabase({ services, products: 1_000, isDurable: true });
  Object.assign(process.env, { AUTH_SECRET: SECRET, DATABASE_URL: database.url });
  forgetEnv();
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-bench-"));
  await services.start(async () => ({
    stop: async () => rmSync(folder, { recursive: true, force: true }),
  }));
  const port = await freePort();
  const cards = await startSandbox({ services, shop: { port }, folder });
  const shop = await startShop({
    services,
    databaseUrl: database.url,
    port,
    settings: {
      AUTH_SECRET: SECRET,
      STRIPE_API_BASE: cards.url,
      MAIL_DIR: path.join(folder, "mails"),
    },
  });
  const products = await queryRows<{ id: number }>({
    url: database.url,
    sql: "select id from products where price_cents >= 100 order by id limit 2",
  });
  const [customer] = await createCustomers(database.url);
  if (!customer) throw new Error("There is no customer.");
  const productIds = products.map(({ id }) => id);
  const buy = () => purchase({ shop, cardsUrl: cards.url, customer, productIds });
  for (let i = 0; i < WARM_UP; i++) await buy();

  const before = residentMiB(shop.pid) ?? 0;
  const spread = await measure({ shop, port, buy, spacingMs: SPACING_MS });
  print({ ...spread, before, name: `within ${(SOCKETS * SPACING_MS) / 1_000} s` });
  const burst = await measure({ shop, port, buy, spacingMs: 0 });
  print({ ...burst, before, name: "at once" });
  const aims = [
    aimOf({
      name: "more memory",
      value: Math.max(...spread.memory) - before,
      atMost: MEMORY_LIMIT_MIB,
      unit: "MiB",
      digits: 0,
    }),
    aimOf({
      name: "slowest answer of /api/health",
      value: spread.health.most,
      atMost: HEALTH_LIMIT_MS,
      unit: "ms",
      digits: 0,
    }),
  ];
  printAims(aims);
  saveResults("bodies", { before, spread, burst, aims });
  return services.shutDown(aims.every(({ isMet }) => isMet) ? 0 : 1);
}

/** What the connections do to a shop. */
async function measure({
  shop,
  port,
  buy,
  spacingMs,
}: {
  shop: Server;
  port: number;
  buy: () => Promise<unknown>;
  spacingMs: number;
}) {
  const memory: number[] = [];
  let isOver = false;
  const sampling = (async () => {
    for (; !isOver; await delay(SAMPLE_MS)) memory.push(residentMiB(shop.pid) ?? 0);
  })();
  const stopProbe = await startHealthProbe(`${shop.origin}/api/health`);
  const sending = sendUnfinishedBodies({ port, spacingMs });
  // They have arrived, and hold all the memory that there is for them.
  await delay(SOCKETS * spacingMs + ARRIVAL_MS);
  const begin = performance.now();
  await buy();
  const purchaseMs = performance.now() - begin;
  const answers = Object.fromEntries(await sending);
  const times = await stopProbe();
  const health = { count: times.length, ...quantilesOf(times), most: Math.max(...times) };
  isOver = true;
  await sampling;
  return { memory, health, purchaseMs, answers };
}

function print({
  name,
  before,
  memory,
  health,
  purchaseMs,
  answers,
}: Awaited<ReturnType<typeof measure>> & { name: string; before: number }): void {
  const counts = Object.entries(answers).map(([status, count]) => `${status} ${count} times`);
  console.log(
    `${SOCKETS} bodies of ${SENT} of ${LENGTH} bytes, ${name}; answers: ${counts.join(", ")}.`,
  );
  console.log(
    `Memory ${before.toFixed(0)} MiB before, ${Math.max(...memory).toFixed(0)} at most, ${(memory.at(-1) ?? 0).toFixed(0)} after.`,
  );
  console.log(
    `A purchase took ${purchaseMs.toFixed(0)} ms meanwhile. Health ${health.count} times: p50 ${health.p50.toFixed(1)} ms, p99 ${health.p99.toFixed(1)} ms, at most ${health.most.toFixed(1)} ms.\n`,
  );
}
