import type { BrowserContext, Clock } from "@playwright/test";
import type { Database } from "@/db";
import { type Api, createApi } from "./api-client";
import { createDatabase } from "./database-broker";
import { applyEnv, test as base, makeFolders, openDatabase } from "./database-fixtures";
import { waitForHydration } from "./hydration";
import { type Mailbox, openMailbox } from "./mailbox";
import { type PageProblems, watchProblems } from "./page-problems";
import { type ShopEnv, type ShopProcess, startShop } from "./shop-process";

// Every worker has its own shop: a copy of the demonstration shop's database, a folder for mails and
// uploads, and the built shop on a port of its own. The tests of one worker share its shop. So a test
// creates the rows that it changes (db/factories gives them unique names) and never counts rows that
// other tests may add. A test that needs a shop to itself opens one with `shopWith`.
//
// The shop caches pages and responses until a write through its API expires them. A test that writes to
// the database directly uses `arrange`, which then clears the cache.

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
  /**
   * The worker's shop with rate limits, behind a proxy: every test calls it from a network of its own,
   * unless a request says another in `X-Forwarded-For`.
   */
  limited: Pick<Shop, "api" | "mailbox" | "database">;
  /** Writes rows, and clears the shop's caches. Returns what `write` returns. */
  arrange: <T>(write: (db: Database) => Promise<T>) => Promise<T>;
  /** Console errors, exceptions and 5xx answers fail the test, unless they are allowed here. */
  problems: PageProblems;
  /** The page's clock: `install`, `pauseAt`, `runFor`. */
  clock: Clock;
}

interface WorkerFixtures {
  /** The worker's shop. */
  shop: Shop;
  /** A shop with rate limits and a database of its own, for `limited`. */
  limitedShop: Omit<Shop, "api">;
  /** Calls the worker's shop. */
  api: Api;
  /** The mails that the worker's shop has sent. */
  mailbox: Mailbox;
}

let lastNetwork = 0;

const watched = new WeakMap<BrowserContext, PageProblems>();

export const test = base.extend<TestFixtures, WorkerFixtures>({
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

  limitedShop: [
    async ({ shopEnv }, use) => {
      const DATABASE_URL = await createDatabase();
      const { env: folders, remove } = makeFolders();
      const { database, close } = openDatabase(DATABASE_URL);
      const limits = { RATE_LIMIT_SCALE: "1", TRUST_PROXY: "1" };
      const shop = await startShop({ ...shopEnv, ...folders, DATABASE_URL, ...limits });
      await use({ ...shop, mailbox: openMailbox(String(folders.MAIL_DIR)), database });
      await shop.stop();
      await close();
      remove();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  limited: async ({ limitedShop }, use) => {
    lastNetwork += 1;
    const address = `198.18.${lastNetwork}.1`;
    const { mailbox, database } = limitedShop;
    await use({
      api: createApi(limitedShop, { "X-Forwarded-For": address }),
      mailbox,
      database,
    });
  },

  arrange: async ({ database, shop }, use) =>
    use(async (write) => {
      const result = await write(database);
      await shop.forgetCaches();
      return result;
    }),

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

  // Further shops stop after the context, because they may still be answering its requests.
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
