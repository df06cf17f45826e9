import { sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres, { type Sql } from "postgres";
import type { Database } from "@/db";
import { type Api, createApi } from "./api-client";
import { type Cards, startCards } from "./cards";
import { createDatabase } from "./database-broker";
import { test as base, expect } from "./fixtures";
import { type ShopEnv, type ShopProcess, startShop } from "./shop-process";
import { countLockWaits } from "./table-lock";

/**
 * A database, a card provider and a shop for one test, which may break any of them. `start` starts the
 * shop, also after `kill`.
 */
export class IsolatedShop {
  private shop: ShopProcess | undefined;
  readonly database: Database;
  private readonly sql: Sql;

  constructor(
    readonly cards: Cards,
    private readonly env: ShopEnv,
  ) {
    this.sql = postgres(String(env.DATABASE_URL), { max: 6, onnotice: () => undefined });
    this.database = drizzle({ client: this.sql });
  }

  log(): string {
    return this.shop?.log() ?? "";
  }

  async start(): Promise<Api> {
    this.shop = await startShop(this.env);
    await this.cards.sendWebhooksTo(this.shop.baseURL);
    return createApi(this.shop);
  }

  /** SIGKILL. */
  async kill(): Promise<void> {
    await this.shop?.stop();
  }

  /** Makes the shop reconcile all unfinished checkouts, due or not. */
  async reconcile(api: Api): Promise<void> {
    const { status, text } = await api.post("/api/cron/checkouts?due=all", {
      token: this.env.CRON_SECRET,
    });
    expect(status, text).toBe(200);
  }

  /** Cuts the shop's connections to the database. Returns how many there were. */
  async cutConnections(): Promise<number> {
    const rows = await this.database.execute(sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'mini-ecommerce'`);
    return rows.length;
  }

  /** Settles once a query waits for a lock. */
  async waitForBlockedQuery(): Promise<void> {
    const waiting = () => countLockWaits(this.database);
    await expect.poll(waiting, { intervals: [20], timeout: 20_000 }).toBeGreaterThan(0);
  }

  /** Holds the locks of a statement while `run` runs. */
  async withLock(statement: string, run: () => Promise<void>): Promise<void> {
    await this.sql.begin(async (tx) => {
      await tx.unsafe(statement);
      await run();
    });
  }

  async end(): Promise<void> {
    await this.kill();
    await this.sql.end();
  }
}

export const test = base.extend<{ isolatedShop: IsolatedShop }>({
  isolatedShop: async ({ shopEnv }, use, { errors }) => {
    const cards = await startCards(String(shopEnv.AUTH_SECRET));
    const isolatedShop = new IsolatedShop(cards, {
      ...shopEnv,
      DATABASE_URL: await createDatabase(),
      STRIPE_API_BASE: cards.url,
      // The URL stays the same at each start, whatever the port.
      SITE_URL: "http://127.0.0.1:3000",
    });
    await use(isolatedShop);
    if (errors.length > 0) console.log(`The shop's log:\n${isolatedShop.log()}`);
    await isolatedShop.end();
    await cards.stop();
  },
});
