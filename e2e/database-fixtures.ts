import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { test as base } from "@playwright/test";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { closeDatabase, type Database } from "@/db";
import { forgetEnv } from "@/lib/env";
import { type Cards, startCards } from "./cards";
import { createDatabase } from "./database-broker";
import type { ShopEnv } from "./shop-process";
import { openTcpProxy, type TcpProxy } from "./tcp-proxy";

// Fixtures for tests that call the shop's code directly. No shop runs beside these tests: its workers
// would take the mails and payments that a test has made due.

interface TestFixtures {
  /** A TCP proxy with fault injection, in front of the worker's database. */
  databaseProxy: TcpProxy;
}

interface WorkerFixtures {
  /** The variables that the worker's shop runs with. They are set in this process too. */
  shopEnv: ShopEnv;
  /** The worker's database. The shop's code, called directly (`@/lib/…`), uses it too. */
  database: Database;
  /** The card sandbox through which the worker's shop is paid. */
  cards: Cards;
}

/** High enough that tests do not hit the limits. Tests about limits open a shop at scale 1. */
const NO_LIMITS = "100000";

const AUTH_SECRET = "a-secret-of-the-tests-that-signs-sessions";

export function makeFolders(): { env: ShopEnv; remove: () => void } {
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
  const sql = postgres(url, { max: 4, onnotice: () => undefined });
  return { database: drizzle({ client: sql }), close: () => sql.end() };
}

/** Sets the variables in this process, so that tests can call the shop's own code. */
export function applyEnv(env: ShopEnv): void {
  Object.assign(process.env, env);
  forgetEnv();
}

export const test = base.extend<TestFixtures, WorkerFixtures>({
  cards: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture names from the pattern.
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

  databaseProxy: async ({ shopEnv }, use) => {
    const proxy = await openTcpProxy(String(shopEnv.DATABASE_URL));
    await use(proxy);
    await proxy.stop();
  },
});

export { expect } from "@playwright/test";
