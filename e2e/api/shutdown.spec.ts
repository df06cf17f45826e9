import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { mailOutbox } from "@/db/schema/mail";
import { createApi } from "../api-client";
import { expectBalance } from "../balance";
import { startBlockableProxy } from "../blockable-proxy";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { startCards } from "../cards";
import { createDatabase } from "../database-broker";
import { openDatabase } from "../database-fixtures";
import { expect, test } from "../fixtures";
import { startProxy } from "../proxy";
import { ResendServer } from "../services/resend";
import { type ShopProcess, startShop } from "../shop-process";
import { countLockWaits } from "../table-lock";
import { openTcpProxy } from "../tcp-proxy";

const isClosed = (shop: ShopProcess) =>
  fetch(`${shop.baseURL}/api/health`).then(
    () => false,
    () => true,
  );

async function countConnections(database: Database): Promise<number> {
  const rows = await database.execute(sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name like 'mini-ecommerce%'`);
  return rows.length;
}

test("a draining shop says so, and serves everybody until the proxy has noticed", async ({
  shopWith,
}) => {
  const wire = await openTcpProxy(await createDatabase());
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  try {
    const shop = await shopWith({ env: { DRAIN_DELAY: "300", DATABASE_URL: wire.url } });
    const { api } = shop;
    // More than the system's buffers hold: the response ends only when all of it has been read.
    const size = 40_000_000;
    await writeFile(path.join(String(shop.env.UPLOADS_DIR), "affiche.png"), Buffer.alloc(size));
    const get = async (path: string) => {
      const request = http.get(`${shop.baseURL}${path}`, { agent });
      const [answer] = (await once(request, "response")) as [http.IncomingMessage];
      return { request, answer };
    };
    const ready = async () => {
      const { status, json } = await api.get("/api/ready", { mayFail: true });
      return { code: status, ...(json as object) };
    };
    expect(await ready()).toMatchObject({ code: 200, database: "reachable" });
    const { answer: long } = await get("/images/affiche.png");
    expect([long.statusCode, long.headers.connection]).toEqual([200, "keep-alive"]);
    // The shutdown waits for five minutes. The end of the test kills the shop.
    void shop.end();
    const draining = { code: 503, status: "draining", database: "reachable" };
    await expect.poll(ready).toMatchObject(draining);
    let bytes = 0;
    for await (const chunk of long) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(size);
    const { request, answer: next } = await get("/api/tags");
    expect(request.reusedSocket).toBe(true);
    expect([next.statusCode, next.headers.connection]).toEqual([200, "close"]);
    next.resume();
    for (const path of ["/api/health", "/"]) {
      const { status, headers } = await api.get(path);
      expect([path, status, headers.connection]).toEqual([path, 200, "close"]);
    }
    // The database's last answer expires, and a new check would find it unreachable.
    wire.stall();
    await shop.advanceClock(5);
    expect(await ready()).toMatchObject(draining);
  } finally {
    agent.destroy();
    await wire.stop();
  }
});

for (const signal of ["SIGTERM", "SIGINT"] as const) {
  test(`requests in progress are completed after ${signal}`, async ({ shopWith }) => {
    const shop = await shopWith();
    const { api, database } = shop;
    const password = "Motdepasse-2026!";
    const json = { nom: "Dupont", lastname: "Élise", email: "elise@exemple.test", password };
    const { answer } = await database.transaction(async (tx) => {
      await tx.execute(sql`lock table users in exclusive mode`);
      const answer = api.post("/api/register", { json });
      await expect.poll(() => countLockWaits(database)).toBe(1);
      process.kill(shop.pid, signal);
      await expect.poll(() => isClosed(shop)).toBe(true);
      return { answer };
    });
    expect((await answer).status).toBe(201);
    expect(await shop.end()).toBe(0);
    await expect.poll(() => countConnections(database)).toBe(0);
  });
}

test("a mail being sent is completed, and the next one left", async ({ shopWith }) => {
  const provider = await ResendServer.start({ apiKey: "re_test" });
  const gate = await startBlockableProxy();
  gate.setTarget(Number(new URL(provider.url).port));
  try {
    const shop = await shopWith({
      env: {
        RESEND_API_KEY: "re_test",
        RESEND_BASE_URL: `http://127.0.0.1:${gate.port}`,
        MAIL_FROM: "contact@mini-ecommerce.test",
      },
    });
    const message = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
    const data = { ...message, name: "Camille" };
    const mail = { template: "contact", data, recipient: "contact@mini-ecommerce.test" };
    await shop.database.insert(mailOutbox).values([mail, mail]);
    const sending = gate.hold();
    expect((await shop.api.post("/api/contact", { json: message })).status).toBe(201);
    await sending;
    const code = shop.end();
    await expect.poll(() => isClosed(shop)).toBe(true);
    gate.release();
    expect(await code).toBe(0);
    const mails = await shop.database.select().from(mailOutbox);
    expect(mails.map(({ status }) => status).sort()).toEqual(["pending", "pending", "sent"]);
    expect(provider.mails).toHaveLength(1);
  } finally {
    await gate.stop();
    await provider.stop();
  }
});

test("a rolling restart under load loses no request and no order", async ({ shopEnv }) => {
  test.slow();
  const cards = await startCards(String(shopEnv.AUTH_SECRET));
  const proxy = await startProxy();
  const env = {
    ...shopEnv,
    DATABASE_URL: await createDatabase(),
    STRIPE_API_BASE: cards.url,
    SITE_URL: proxy.baseURL,
    TRUST_PROXY: "1",
    DRAIN_DELAY: "3",
  };
  await cards.sendWebhooksTo(proxy.baseURL);
  const running: ShopProcess[] = [];
  const begin = async () => {
    const shop = await startShop(env);
    running.push(shop);
    await proxy.add(shop.baseURL);
    return shop;
  };
  const api = createApi({
    baseURL: proxy.baseURL,
    log: () => running.map((it) => it.log()).join(""),
  });
  const { database, close } = openDatabase(env.DATABASE_URL);
  let isOver = false;
  let reads = 0;
  let orders = 0;
  const failures: string[] = [];
  const read = async (paths: readonly string[]) => {
    while (!isOver)
      for (const path of paths) {
        const { status, text } = await api.get(path, { mayFail: true });
        reads += 1;
        if (status !== 200) failures.push(`GET ${path}: ${status} ${text.slice(0, 200)}`);
      }
  };
  const buy = async () => {
    const product = await createProduct({ db: database, priceCents: 1290 });
    const buyer = await createBuyer(database);
    while (!isOver) {
      await addToCart({ api, buyer, productId: product.id });
      const secret = await payCart({ api, buyer, cards });
      const { status, text } = await confirm({ api, buyer, secret });
      if (status === 200 || status === 201) orders += 1;
      else failures.push(`confirm: ${status} ${text.slice(0, 200)}`);
    }
  };
  const expectOrders = () =>
    expect.poll(() => orders, { timeout: 60_000 }).toBeGreaterThan(orders + 3);

  try {
    const first = await begin();
    const second = await begin();
    const visitors = Promise.all([
      read(["/", "/products", "/api/products?page=2"]),
      read(["/product/1", "/api/tags", "/api/products/3"]),
      buy(),
      buy(),
      buy(),
    ]);
    for (const old of [first, second]) {
      await expectOrders();
      // One shop stops while the other one serves visitors. Then its successor starts.
      expect(await old.end(), old.log()).toBe(0);
      expect(proxy.remove(old.baseURL)).toBeGreaterThan(10);
      await begin();
    }
    await expectOrders();
    isOver = true;
    await visitors;
    expect(failures).toEqual([]);
    expect(reads).toBeGreaterThan(50);
    await expectBalance({ database, cards, title: "rolling restart", orders });
  } finally {
    isOver = true;
    for (const shop of running) await shop.stop();
    await close();
    await proxy.close();
    await cards.stop();
  }
});
