import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type BrowserContext, test as base, type Clock } from "@playwright/test";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { closeDatabase, type Database } from "@/db";
import { forgetEnv } from "@/lib/env";
import { type Api, createApi } from "./api-client";
import { type Cards, startCards } from "./cards";
import { createDatabase } from "./database-broker";
import { waitForHydration } from "./hydration";
import { type Mailbox, openMailbox } from "./mailbox";
import { type PageProblems, watchProblems } from "./page-problems";
import { type ShopEnv, type ShopProcess, startShop } from "./shop-process";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy";

// Every worker has its own shop: a copy of the demonstration shop's database, a folder for mails
// and uploads, and the built shop on a port of its own. Tests of one worker share it, so they make
// the rows they change (db/factories.ts gives them unique names) and never count what others may
// add; a test that needs a shop to itself opens one with `shopWith`.
//
// The shop caches pages and answers until a write through its API expires them. What a test writes
// into the database by itself goes through `arrange`, which empties the cache afterwards.

/** A shop with the tools to use it. */
export interface Shop extends ShopProcess {
  api: Api;
  mailbox: Mailbox;
  database: Database;
}

interface ShopRequest {
  /** Overrides or adds to the worker's variables. */
  env?: ShopEnv;
  /** A database of its own (as at the first start), or the worker's. */
  database?: "own" | "shared";
}

interface TestFixtures {
  /** Starts a further shop for this test, for instance with `RATE_LIMIT_SCALE: "1"`. */
  shopWith: (request?: ShopRequest) => Promise<Shop>;
  /** A TCP proxy with fault injection, in front of the worker's database. */
  databaseProxy: TcpProxy;
  /** Writes rows, and clears the shop's caches. Returns what `write` returns. */
  arrange: <T>(write: (db: Database) => Promise<T>) => Promise<T>;
  /** Console errors, exceptions and 5xx answers fail the test, unless they are allowed here. */
  problems: PageProblems;
  /** The page's clock: `install`, `pauseAt`, `runFor`. */
  clock: Clock;
}

interface WorkerFixtures {
  /** The variables that the worker's shop runs with; this process has them, too. */
  shopEnv: ShopEnv;
  /** The worker's database. Code of the shop that a test calls directly (`@/lib/…`) uses it, too. */
  database: Database;
  /** The worker's shop. */
  shop: Shop;
  /** The worker's card sandbox, which the worker's shop is paid through. */
  cards: Cards;
  /** Calls the worker's shop. */
  api: Api;
  /** What the worker's shop has sent. */
  mailbox: Mailbox;
}

/** So high that tests do not hit the limits; those about limits open a shop at scale 1. */
const NO_LIMITS = "100000";

const AUTH_SECRET = "a-secret-of-the-tests-that-signs-sessions";

function makeFolders(): { env: ShopEnv; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-test-"));
  const MAIL_DIR = path.join(folder, "mails");
  const UPLOADS_DIR = path.join(folder, "uploads");
  const DOWNLOADS_DIR = path.join(folder, "downloads");
  for (const each of [MAIL_DIR, UPLOADS_DIR, DOWNLOADS_DIR]) mkdirSync(each);
  return {
    env: { MAIL_DIR, UPLOADS_DIR, DOWNLOADS_DIR },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export function openDatabase(url: string): { database: Database; close: () => Promise<void> } {
  const pool = new Pool({ connectionString: url, max: 4 });
  pool.on("error", () => undefined);
  return { database: drizzle({ client: pool }), close: () => pool.end() };
}

const watched = new WeakMap<BrowserContext, PageProblems>();

/** Sets the variables in this process, so that tests can call the shop's own code. */
function applyEnv(env: ShopEnv): void {
  Object.assign(process.env, env);
  forgetEnv();
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  cards: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      const cards = await startCards(AUTH_SECRET);
      await use(cards);
      await cards.stop();
    },
    { scope: "worker" },
  ],

  shopEnv: [
    async ({ cards }, use) => {
      const DATABASE_URL = await createDatabase();
      const { env: folders, remove } = makeFolders();
      const env: ShopEnv = {
        ...folders,
        DATABASE_URL,
        DATABASE_POOL_MAX: "6",
        SHOP_DEMO: "1",
        AUTH_SECRET,
        CRON_SECRET: "a-secret-of-the-tests-for-the-scheduler",
        RATE_LIMIT_SCALE: NO_LIMITS,
        LOG_LEVEL: "warn",
        STRIPE_API_BASE: cards.url,
      };
      applyEnv(env);
      await use(env);
      await closeDatabase();
      remove();
    },
    { scope: "worker", timeout: 120_000 },
  ],

  database: [
    async ({ shopEnv }, use) => {
      const { database, close } = openDatabase(String(shopEnv.DATABASE_URL));
      await use(database);
      await close();
    },
    { scope: "worker" },
  ],

  shop: [
    async ({ shopEnv, database, cards }, use) => {
      const shop = await startShop(shopEnv);
      applyEnv(shop.env);
      await cards.sendWebhooksTo(shop.baseURL);
      await use({
        ...shop,
        api: createApi(shop),
        mailbox: openMailbox(String(shopEnv.MAIL_DIR)),
        database,
      });
      await shop.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  api: [async ({ shop }, use) => use(shop.api), { scope: "worker" }],

  mailbox: [
    async ({ shopEnv }, use) => use(openMailbox(String(shopEnv.MAIL_DIR))),
    { scope: "worker" },
  ],

  arrange: async ({ database, shop }, use) =>
    use(async (write) => {
      const result = await write(database);
      await shop.forgetCaches();
      return result;
    }),

  databaseProxy: async ({ shopEnv }, use) => {
    const proxy = await openTcpProxy(String(shopEnv.DATABASE_URL));
    await use(proxy);
    await proxy.stop();
  },

  shopWith: async ({ shopEnv }, use) => {
    const closing: (() => Promise<void> | void)[] = [];
    await use(async ({ env = {}, database: whose = "own" } = {}) => {
      const DATABASE_URL = whose === "own" ? await createDatabase() : String(shopEnv.DATABASE_URL);
      const { env: folders, remove } = makeFolders();
      closing.push(remove);
      const { database, close } = openDatabase(DATABASE_URL);
      closing.push(close);
      const shop = await startShop({ ...shopEnv, ...folders, DATABASE_URL, ...env });
      closing.push(() => shop.stop());
      return {
        ...shop,
        api: createApi(shop),
        mailbox: openMailbox(String(shop.env.MAIL_DIR)),
        database,
      };
    });
    for (const close of closing.reverse()) await close();
  },

  baseURL: async ({ shop }, use) => use(shop.baseURL),

  // Further shops end after the context, whose requests they may be answering.
  context: async ({ context, shop, shopWith: _ }, use, testInfo) => {
    const problems = watchProblems(context);
    watched.set(context, problems);
    await use(context);
    if (testInfo.status !== testInfo.expectedStatus)
      await testInfo.attach("shop.log", { body: shop.log(), contentType: "text/plain" });
    problems.expectNone();
  },

  problems: async ({ context }, use) => {
    const problems = watched.get(context);
    if (problems) await use(problems);
  },

  page: async ({ page, javaScriptEnabled }, use) => {
    if (javaScriptEnabled !== false) waitForHydration(page);
    await use(page);
  },

  clock: async ({ page }, use) => use(page.clock),
});

export { expect } from "@playwright/test";
