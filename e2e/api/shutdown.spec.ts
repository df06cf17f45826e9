import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import http, { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { mailOutbox } from "@/db/schema/mail";
import { freePort } from "@/sandbox/ports";
import { SERVER } from "@/scripts/build";
import { createApi } from "../api-client";
import { expectBalance } from "../balance";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { startCards } from "../cards";
import { createDatabase } from "../database-broker";
import { openDatabase } from "../database-fixtures";
import { expect, test } from "../fixtures";
import { startProxy } from "../proxy";
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

test("a draining shop says so, and answers until the proxy has noticed", async ({ shopWith }) => {
  const wire = await openTcpProxy(await createDatabase());
  try {
    const { api, end, advanceClock } = await shopWith({
      env: { DRAIN_DELAY: "300", DATABASE_URL: wire.url },
    });
    const ready = async () => {
      const { status, json } = await api.get("/api/ready", { mayFail: true });
      return { code: status, ...(json as object) };
    };
    expect((await api.get("/api/tags")).headers.connection).toBe("keep-alive");
    expect(await ready()).toMatchObject({ code: 200, database: "reachable" });
    // The shutdown waits for five minutes. The end of the test kills the shop.
    void end();
    const draining = { code: 503, status: "draining", database: "reachable" };
    await expect.poll(ready).toMatchObject(draining);
    for (const path of ["/api/health", "/api/tags", "/"]) {
      const { status, headers } = await api.get(path);
      expect([path, status, headers.connection]).toEqual([path, 200, "close"]);
    }
    // The database's last answer expires, and a new check would find it unreachable.
    wire.stall();
    await advanceClock(5);
    expect(await ready()).toMatchObject(draining);
  } finally {
    await wire.stop();
  }
});

test("a keep-alive connection is served until the proxy has noticed", async ({ shopWith }) => {
  const { api, baseURL, end, env } = await shopWith({ env: { DRAIN_DELAY: "300" } });
  // More than the system's buffers hold: the response ends only when all of it has been read.
  const size = 40_000_000;
  await writeFile(path.join(String(env.UPLOADS_DIR), "affiche.png"), Buffer.alloc(size));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (path: string) => {
    const request = http.get(`${baseURL}${path}`, { agent });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    return { request, answer };
  };
  try {
    const { answer: long } = await get("/images/affiche.png");
    expect([long.statusCode, long.headers.connection]).toEqual([200, "keep-alive"]);
    void end();
    await expect
      .poll(async () => (await api.get("/api/ready", { mayFail: true })).status)
      .toBe(503);
    let bytes = 0;
    for await (const chunk of long) bytes += (chunk as Buffer).length;
    expect(bytes).toBe(size);

    const { request, answer: next } = await get("/api/tags");
    expect(request.reusedSocket).toBe(true);
    expect([next.statusCode, next.headers.connection]).toEqual([200, "close"]);
    next.resume();
  } finally {
    agent.destroy();
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

test("the shop ends when the process that started it is gone", async ({ shopEnv }) => {
  const env = { ...process.env, ...shopEnv, NODE_ENV: "production", PORT: `${await freePort()}` };
  const child = spawn(process.execPath, SERVER, {
    env: env as NodeJS.ProcessEnv,
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  try {
    expect((await once(child, "message"))[0]).toBe("ready");
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill("SIGKILL");
  }
});

test("a mail being sent is completed, and the next one left", async ({ shopWith }) => {
  const asked: ServerResponse[] = [];
  const provider = createServer((request, response) => {
    request.resume();
    asked.push(response);
  });
  provider.listen({ port: 0, host: "127.0.0.1" });
  await once(provider, "listening");
  try {
    const { port } = provider.address() as AddressInfo;
    const shop = await shopWith({
      env: {
        RESEND_API_KEY: "re_test",
        RESEND_BASE_URL: `http://127.0.0.1:${port}`,
        MAIL_FROM: "Mini Ecommerce <contact@mini-ecommerce.test>",
      },
    });
    const message = { nom: "Camille", email: "camille@exemple.fr", message: "Bonjour" };
    const data = { ...message, name: "Camille" };
    const mail = { template: "contact", data, recipient: "contact@mini-ecommerce.test" };
    await shop.database.insert(mailOutbox).values([mail, mail]);
    expect((await shop.api.post("/api/contact", { json: message })).status).toBe(201);
    await expect.poll(() => asked.length).toBe(1);
    const code = shop.end();
    await expect.poll(() => isClosed(shop)).toBe(true);
    asked[0]
      ?.writeHead(200, { "Content-Type": "application/json" })
      .end(JSON.stringify({ id: "49a3999c-0ce1-4ea6-ab68-afcd6dc2e794" }));
    expect(await code).toBe(0);
    const rows = await shop.database.execute(
      sql`select status, count(*)::int as mails from mail_outbox group by status order by status`,
    );
    expect(rows).toEqual([
      { status: "pending", mails: 2 },
      { status: "sent", mails: 1 },
    ]);
    expect(asked.length).toBe(1);
  } finally {
    provider.closeAllConnections();
    provider.close();
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
      const before = orders;
      await expect.poll(() => orders, { timeout: 60_000 }).toBeGreaterThan(before + 3);
      // One shop stops while the other one serves visitors. Then its successor starts.
      expect(await old.end(), old.log()).toBe(0);
      expect(proxy.remove(old.baseURL)).toBeGreaterThan(10);
      await begin();
    }
    const before = orders;
    await expect.poll(() => orders, { timeout: 20_000 }).toBeGreaterThan(before + 3);
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
