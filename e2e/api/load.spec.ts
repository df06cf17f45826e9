import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { text as textOf } from "node:stream/consumers";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";
import { expect, test } from "../fixtures";
import { countLockWaits, withTableLock } from "../table-lock";

// Many and slow clients: docs/decisions/034 and 098.

/**
 * Pages must wait for a locked table until the test releases it. There are connections for all of them, since a page waits
 * for one for five seconds only: 16 pages use two each, the counts of filters four.
 */
const UNLIMITED = { DATABASE_TIMEOUT: "60", DATABASE_POOL_MAX: "48" };

/** A hundred concurrent requests take long on a slow machine. */
const LONG_TIMEOUT = { timeout: 60_000 };

test.beforeEach(() => test.slow());

/** Opens a connection, sends this and waits. */
async function connect(baseURL: string, text: string): Promise<net.Socket> {
  const { hostname, port } = new URL(baseURL);
  const socket = net.connect(Number(port), hostname);
  await once(socket, "connect");
  socket.on("error", () => undefined).write(text);
  return socket;
}

test("slow requests and unread responses delay nobody else", async ({ shopWith }) => {
  const shop = await shopWith({ database: "shared", env: { RATE_LIMIT_SCALE: "1" } });
  const { api, baseURL, database: db } = shop;
  const user = await createUser({ db });
  const head = "Host: 127.0.0.1\r\n";
  const login = `POST /api/login_check HTTP/1.1\r\n${head}Content-Type: application/json\r\n`;
  const list = "GET /api/products?itemsPerPage=100&search=a&min_price=";
  const slow = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => [
      await connect(baseURL, `GET / HTTP/1.1\r\n${head}X-A: b\r\n`),
      await connect(baseURL, `${login}Content-Length: 60000\r\n\r\n{`),
      // This client never reads its response.
      (await connect(baseURL, `${list}${index} HTTP/1.1\r\n${head}\r\n`)).pause(),
    ]),
  );
  // The shop has to make a hundred large responses first.
  const search = () => api.get("/api/products?search=theiere", { mayFail: true });
  await expect.poll(async () => (await search()).status, LONG_TIMEOUT).toBe(200);
  expect((await api.get("/")).status).toBe(200);
  expect((await api.get("/products?search=theiere")).status).toBe(200);
  const json = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json })).status).toBe(200);
  // The slow clients are still connected.
  const waiting = slow.flat().filter((socket) => !socket.destroyed && !socket.readableEnded);
  expect(waiting.length).toBeGreaterThan(150);
  for (const socket of slow.flat()) socket.destroy();
});

test("an Upgrade is answered over HTTP/1.1, and holds no connection", async ({ baseURL }) => {
  for (const protocol of ["websocket", "h2c"])
    for (const path of ["/contact", "/cart", "/rien", "/%E0%A4%A", "/api/health"]) {
      const socket = await connect(
        String(baseURL),
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
      );
      expect(await textOf(socket), `${protocol} ${path}`).toMatch(/^HTTP\/1\.1 (?:200|307|404) /);
    }
});

/** Sends each request on a connection of its own. */
function createRequester(baseURL: string) {
  const agent = new http.Agent({ maxSockets: 1_000 });
  const ask = async (path: string, signal?: AbortSignal) => {
    const request = http.get(baseURL + path, { agent, ...(signal && { signal }) });
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    response.resume();
    await once(response, "end");
    return { status: response.statusCode, headers: response.headers };
  };
  return { ask, stop: () => agent.destroy() };
}

/** The responses so far, of which there will be this many at least. */
async function firstAnswers<T>(requests: readonly Promise<T>[], count: number): Promise<T[]> {
  const answers: T[] = [];
  for (const request of requests)
    request.then(
      (answer) => answers.push(answer),
      () => undefined,
    );
  await expect.poll(() => answers.length, LONG_TIMEOUT).toBeGreaterThanOrEqual(count);
  return [...answers];
}

test("of too many concurrent renderings some fail at once", async ({ shopWith }) => {
  const shop = await shopWith({ env: UNLIMITED });
  const { ask, stop } = createRequester(shop.baseURL);
  const stored = ["/", "/products", "/product/1"];
  for (const path of stored) expect((await ask(path)).status).toBe(200);
  const view = (number: number) => ask(`/products?max_price=${1_000 + number}`);
  const left = new AbortController();
  let rest: ReturnType<typeof ask>[] = [];
  await withTableLock(shop.database, "products", async () => {
    // 16 are rendered, and 200 wait.
    const views = Array.from({ length: 300 }, (_, number) => view(number));
    const refused = await firstAnswers(views, 84);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([500]));
    for (const path of stored) expect((await ask(path)).status, path).toBe(200);
    // A visitor who leaves keeps no place.
    const unread = ask("/product/2", left.signal).catch(() => undefined);
    left.abort();
    await unread;
    rest = views;
  });
  const statuses = (await Promise.all(rest)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(216);
  // Every place is free again, and what was refused has not been stored.
  const again = await Promise.all(Array.from({ length: 40 }, (_, number) => view(260 + number)));
  expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  stop();
});

test("calls beyond the queue get 503, and searches leave connections to others", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { ...UNLIMITED, DATABASE_POOL_MAX: "6" } });
  const { ask, stop } = createRequester(shop.baseURL);
  await test.step("calls beyond the queue for the database get 503 with Retry-After", async () => {
    const list = (number: number) => ask(`/api/products?min_price=${number}`);
    const lists: ReturnType<typeof ask>[] = [];
    await withTableLock(shop.database, "products", async () => {
      // In parts: no more than 511 connections may wait to be accepted.
      for (let part = 0; part < 3; part++) {
        lists.push(...Array.from({ length: 200 }, (_, number) => list(1_000 * part + number)));
        expect((await ask("/api/health")).status).toBe(200);
      }
      for (const { status, headers } of await firstAnswers(lists, 90))
        expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    });
    await Promise.all(lists);
    const again = await Promise.all(
      Array.from({ length: 50 }, (_, number) => list(5_000 + number)),
    );
    expect(new Set(again.map(({ status }) => status))).toEqual(new Set([200]));
  });

  const search = (number: number) => ask(`/api/products?search=mot${number}`);
  expect((await search(0)).status).toBe(200);
  let searches: ReturnType<typeof ask>[] = [];
  // Only searches read this table.
  await withTableLock(shop.database, "search_words", async () => {
    searches = Array.from({ length: 12 }, (_, number) => search(number));
    await expect.poll(() => countLockWaits(shop.database)).toBe(4);
    const page = ask("/products?search=mot");
    const lists = Array.from({ length: 20 }, (_, number) =>
      ask(`/api/products?page=${number + 1}`),
    );
    for (const { status } of await Promise.all(lists)) expect(status).toBe(200);
    // The other searches never get their turn.
    for (const { status, headers } of await Promise.all(searches.slice(4)))
      expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    expect((await page).status).toBe(500);
    expect(await countLockWaits(shop.database)).toBe(4);
  });
  for (const { status } of await Promise.all(searches.slice(0, 4))) expect(status).toBe(200);
  stop();
});

test("uploads and invoices are limited by the hour, for each user", async ({ shopWith }) => {
  // A hundredth of the limits, which are 600 an hour and 300 in ten minutes.
  const { api, database: db } = await shopWith({
    database: "shared",
    env: { RATE_LIMIT_SCALE: "0.01" },
  });
  const admin = await createAdmin({ db });
  const token = await issueToken({ user: admin, type: "access" });
  const product = await createProduct({ db });
  const { invoice } = await createOrder({ db, user: admin, items: [{ product }] });
  const download = (bearer: string) =>
    api.get(`/api/invoices/${invoice?.id}/download`, { token: bearer });
  // Guarded files are not cached.
  expect((await download(token)).headers["cache-control"]).toBe("private, no-store");
  for (const status of [200, 200, 429]) expect((await download(token)).status).toBe(status);
  // Without a session nothing is counted.
  for (let count = 0; count < 4; count++) expect((await download("forged")).status).toBe(401);
  const other = await issueToken({ user: await createAdmin({ db }), type: "access" });
  expect((await download(other)).status).toBe(200);
  for (const status of [415, 415, 415, 415, 415, 415, 429])
    expect((await api.post("/api/upload", { token, body: "x" })).status).toBe(status);
});
