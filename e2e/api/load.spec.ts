import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";
import { MAX_READS_PER_NETWORK } from "@/lib/http/server/read-semaphore";
import { confirm, createBuyerWithCart, payCart } from "../buying";
import { expect, test } from "../fixtures";
import { countLockWaits, withTableLock } from "../table-lock";

// Many and slow clients: docs/decisions/031.

/** Pages must wait for a locked table until the test releases it, and must not wait for a connection. */
const UNLIMITED = { DATABASE_TIMEOUT: "60", DATABASE_POOL_MAX: "30" };

/** A hundred concurrent requests take long on a slow machine. */
const LONG_TIMEOUT = { timeout: 30_000 };

test.beforeEach(() => test.slow());

/** Opens a connection, sends this and waits. */
async function connect(baseURL: string, text: string): Promise<net.Socket> {
  const { hostname, port } = new URL(baseURL);
  const socket = net.connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(text);
  return socket;
}

test("slow requests and unread responses delay nobody else", async ({ shopWith }) => {
  const shop = await shopWith({ database: "shared", env: { RATE_LIMIT_SCALE: "1" } });
  const { api, baseURL, database: db } = shop;
  const user = await createUser({ db });
  const head = "Host: 127.0.0.1\r\n";
  const slow = await Promise.all(
    Array.from({ length: 600 }, (_, index) => {
      if (index % 3 === 0) return connect(baseURL, `GET / HTTP/1.1\r\n${head}X-A: b\r\n`);
      if (index % 3 === 1)
        return connect(
          baseURL,
          `POST /api/login_check HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`,
        );
      // This client never reads its response.
      return connect(
        baseURL,
        `GET /api/products?itemsPerPage=100&search=a&min_price=${index} HTTP/1.1\r\n${head}\r\n`,
      ).then((socket) => socket.pause());
    }),
  );
  // The shop has to make two hundred large responses first.
  const search = () => api.get("/api/products?search=theiere", { mayFail: true });
  await expect.poll(async () => (await search()).status, LONG_TIMEOUT).toBe(200);
  expect((await api.get("/")).status).toBe(200);
  expect((await api.get("/products?search=theiere")).status).toBe(200);
  const json = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json })).status).toBe(200);
  // The slow clients are still connected.
  const waiting = slow.filter((socket) => !socket.destroyed && !socket.readableEnded);
  expect(waiting.length).toBeGreaterThan(300);
  for (const socket of slow) socket.destroy();
});

const SIGNATURE = `t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}`;

/** The beginning of a request, with this much of its body. */
const unfinished = ({ path, length, sent }: { path: string; length: number; sent: number }) =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nStripe-Signature: ${SIGNATURE}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${"x".repeat(sent)}`;

/** All that a connection receives until it is closed: status line, headers and body. */
async function readAll(socket: net.Socket): Promise<string> {
  let text = "";
  for await (const part of socket.setEncoding("utf8")) text += part;
  return text;
}

test("a request whose body stalls is ended with 408", async ({ shopWith }) => {
  const { baseURL } = await shopWith({ database: "shared" });
  // First through Next.js, which loads the route, then without it.
  for (let turn = 0; turn < 2; turn++) {
    const path = "/api/contact";
    const socket = await connect(baseURL, unfinished({ path, length: 60_000, sent: 20_000 }));
    const answer = await readAll(socket);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toMatch(/\r\nConnection: close\r\n/i);
    expect(answer).toContain("La suite de votre envoi n'est pas arrivée. Réessayez.");
  }
});

test("a page is answered without waiting for the request body", async ({ baseURL }) => {
  for (const path of ["/login", "/cart", "/products", "/backoffice", "/mailbox"]) {
    const text = unfinished({ path, length: 9_000_000, sent: 100_000 });
    const socket = await connect(String(baseURL), text);
    // Next.js would wait for the whole body.
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(String(answer), path).toMatch(/^HTTP\/1\.1 (?:200|307) /);
    socket.destroy();
  }
});

test("many unfinished bodies leave memory for a purchase", async ({ shopWith, cards }) => {
  const { api, baseURL, database: db } = await shopWith({ database: "shared" });
  const path = "/api/stripe/webhook";
  expect((await api.post(path, { json: {} })).status).toBe(400);
  const request = unfinished({ path, length: 250_000, sent: 249_000 });
  const refusals: string[] = [];
  // Twice as many as the memory for bodies can hold.
  const sockets = await Promise.all(
    Array.from({ length: 300 }, async () => {
      const socket = await connect(baseURL, request);
      socket.on("data", (bytes) => refusals.push(String(bytes)));
      return socket;
    }),
  );
  await expect.poll(() => refusals.length, LONG_TIMEOUT).toBeGreaterThan(100);
  expect(refusals[0]).toMatch(/^HTTP\/1\.1 503 /);
  expect(refusals[0]).toMatch(/\r\nRetry-After: 5\r\n/i);
  expect(refusals[0]).toContain("La boutique reçoit trop d'envois volumineux en ce moment.");

  const { buyer } = await createBuyerWithCart({ api, db });
  const secret = await payCart({ api, buyer, cards });
  // 200 if the provider's event was faster.
  expect([200, 201]).toContain((await confirm({ api, buyer, secret })).status);

  // The first unfinished requests are cut off, and free their places.
  const isFree = async () =>
    (
      await api.post(path, {
        body: "x".repeat(200_000),
        headers: { "Stripe-Signature": SIGNATURE },
      })
    ).status;
  await expect.poll(() => refusals.length, LONG_TIMEOUT).toBe(300);
  expect(await isFree()).toBe(400);
  expect(new Set(refusals.map((text) => text.slice(9, 12)))).toEqual(new Set(["408", "503"]));
  for (const socket of sockets) socket.destroy();
});

test("an Upgrade request is answered over HTTP/1.1, and holds no connection", async ({
  api,
  baseURL,
}) => {
  // An ordinary request first, because the shop may not have had any yet.
  await api.get("/api/health");
  for (const protocol of ["websocket", "h2c"])
    for (const path of ["/contact", "/cart", "/rien", "/%E0%A4%A", "/api/health"]) {
      const socket = await connect(
        String(baseURL),
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: ${protocol}\r\n\r\n`,
      );
      let answer = "";
      for await (const part of socket.setEncoding("utf8")) answer += part;
      expect(answer, `${protocol} ${path}`).toMatch(/^HTTP\/1\.1 (?:200|307|404) /);
    }
});

/** Sends each request on a connection of its own. */
function createRequester(baseURL: string) {
  const agent = new http.Agent({ maxSockets: 1_000 });
  const ask = (path: string, accept = "text/html") =>
    new Promise<{ status: number; headers: http.IncomingHttpHeaders; text: string }>(
      (resolve, reject) => {
        http
          .get(baseURL + path, { agent, headers: { Accept: accept } }, async (response) => {
            let text = "";
            for await (const part of response.setEncoding("utf8")) text += part;
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
          })
          .once("error", reject);
      },
    );
  return { ask, stop: () => agent.destroy() };
}

/** Waits until this many of the requests are answered. */
async function settled(requests: readonly Promise<unknown>[], count: number): Promise<void> {
  let answered = 0;
  for (const request of requests) void request.then(() => answered++);
  await expect.poll(() => answered, LONG_TIMEOUT).toBeGreaterThanOrEqual(count);
}

test("the render limit cannot be bypassed by a form or another spelling of the URL", async ({
  shop,
}) => {
  for (const path of ["/products#x", "/site/%66r/search?search=a", "/sitemap.xml#x"]) {
    const socket = await connect(shop.baseURL, `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    const [bytes] = await once(socket, "data");
    expect(String(bytes), path).toMatch(/^HTTP\/1\.1 404/);
    socket.destroy();
  }
  const body = new URLSearchParams({ a: "b" });
  for (const path of ["/", "/product/1", "/login"]) {
    const send = () => fetch(shop.baseURL + path, { method: "POST", body });
    await (await send()).text();
    const again = await send();
    await again.text();
    // The response is the stored page.
    expect([again.status, again.headers.get("x-nextjs-cache")], path).toEqual([200, "HIT"]);
  }
});

test("of too many concurrent searches some get 503; cached pages are not affected", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = createRequester(shop.baseURL);
  expect((await ask("/contact", "text/html")).status).toBe(200);
  let searches: ReturnType<typeof ask>[] = [];
  await withTableLock(shop.database, "products", async () => {
    // All requests together stay below the 511 connections that may wait to be accepted. More would be
    // reset.
    const paths = Array.from({ length: 200 }, (_, index) => `products?search=mot${index}`);
    searches = [
      ...paths.map((path) => ask(`/api/${path}`, "application/json")),
      ...paths.map((path) => ask(`/${path}`)),
    ];
    const stored = Array.from({ length: 50 }, () => ask("/contact"));
    for (const { status } of await Promise.all(stored)) expect(status).toBe(200);
    await settled(searches, searches.length / 2);
  });
  const answers = await Promise.all(searches);

  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 503]);
  const isTooBusy = ({ text }: { text: string }) =>
    text.includes("La boutique reçoit trop de demandes en ce moment.");
  const refused = answers.filter(isTooBusy);
  expect(refused.length).toBeGreaterThan(answers.length / 4);
  for (const { status, headers, text } of refused) {
    expect(status).toBe(503);
    expect(headers["retry-after"]).toBe("5");
    const isPage = headers["content-type"]?.startsWith("text/html");
    if (isPage) expect(headers["content-security-policy"]).toMatch(/style-src 'self' 'sha256-/);
    else expect(JSON.parse(text)).toMatchObject({ status: 503 });
  }
  // Every place is free again.
  for (let index = 0; index < 2; index++) {
    const again = Array.from({ length: MAX_READS_PER_NETWORK / 2 }, (_, number) =>
      ask(`/api/products?search=encore${index}x${number}`, "application/json"),
    );
    expect((await Promise.all(again)).filter(isTooBusy)).toEqual([]);
  }
  stop();
});

test("searches that wait for the database leave connections to all others", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { ...UNLIMITED, DATABASE_POOL_MAX: "6" } });
  const { ask, stop } = createRequester(shop.baseURL);
  const search = (number: number) => ask(`/api/products?search=mot${number}`, "application/json");
  const list = (number: number) => ask(`/api/products?min_price=${number}`, "application/json");
  expect((await search(0)).status).toBe(200);
  let searches: ReturnType<typeof ask>[] = [];
  // Only searches read this table.
  await withTableLock(shop.database, "search_words", async () => {
    searches = Array.from({ length: 12 }, (_, number) => search(number));
    await expect.poll(() => countLockWaits(shop.database)).toBe(4);
    const page = ask("/products?search=mot");
    const lists = Array.from({ length: 20 }, (_, number) => list(number));
    for (const { status } of await Promise.all(lists)) expect(status).toBe(200);
    // The other searches never get their turn.
    for (const { status, headers } of await Promise.all(searches.slice(4)))
      expect([status, headers["retry-after"]]).toEqual([503, "5"]);
    const { status, text } = await page;
    expect([status, text]).toEqual([503, expect.stringContaining("Erreur lors du filtrage")]);
    expect(await countLockWaits(shop.database)).toBe(4);
  });
  for (const { status } of await Promise.all(searches.slice(0, 4))) expect(status).toBe(200);
  const again = Array.from({ length: 12 }, (_, number) => search(number));
  for (const { status } of await Promise.all(again)) expect(status).toBe(200);
  stop();
});

test("of too many concurrent uncached pages some get 503, the others are served", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = createRequester(shop.baseURL);
  const stored = ["/", "/products", "/product/1"];
  for (const path of stored) expect((await ask(path)).status).toBe(200);
  const view = (number: number) => `/products?max_price=${1_000 + number}`;
  const numbers = Array.from({ length: 2 * MAX_READS_PER_NETWORK }, (_, number) => number);
  let pairs: (readonly [page: ReturnType<typeof ask>, unknown: ReturnType<typeof ask>])[] = [];
  await withTableLock(shop.database, "products", async () => {
    // Alternating, so that some of each kind find a place.
    pairs = numbers.map((number) => [ask(view(number)), ask(`/product/9${number}999`)]);
    for (const path of stored.flatMap((path) => Array<string>(20).fill(path)))
      expect((await ask(path)).status, path).toBe(200);
    await settled(pairs.flat(), 20);
  });

  const answers = [
    ...(await Promise.all(pairs.map(([page]) => page))),
    ...(await Promise.all(pairs.map(([, unknown]) => unknown))),
  ];
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 404, 503]);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(10);
  for (const { headers, text } of refused) {
    expect([headers["retry-after"], headers["cache-control"]]).toEqual(["5", "no-store"]);
    // The request is refused before it reaches Next.js.
    expect(text).toContain("La boutique reçoit trop de demandes en ce moment.");
  }
  // Every place is free again, also those of pages that do not exist: nothing is refused.
  for (let turn = 0; turn < 2; turn++) {
    const again = numbers
      .slice(0, MAX_READS_PER_NETWORK / 2)
      .map((number) => ask(`/products?min_price=${turn}&max_price=${2_000 + number}`));
    for (const { status } of await Promise.all(again)) expect(status).toBe(200);
  }

  // Expired pages are served, however many have to be rendered again in the background.
  const known = numbers.filter((number) => answers[number]?.status === 200);
  await shop.advanceClock(400);
  const shown = await Promise.all(known.map((number) => ask(view(number))));
  for (const { status } of shown) expect(status).toBe(200);
  const ageOf = async () => (await ask(view(known[0] ?? 0))).headers["x-nextjs-cache"];
  await expect.poll(ageOf, LONG_TIMEOUT).toBe("HIT");
  stop();
});

test("visitors who wait for the same page take one place together", async ({ shopWith }) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1", ...UNLIMITED } });
  const { ask, stop } = createRequester(shop.baseURL);
  for (const path of ["/product/1", "/products", "/products?search=livre"]) {
    let waiting: ReturnType<typeof ask>[] = [];
    await withTableLock(shop.database, "products", async () => {
      waiting = Array.from({ length: 2 * MAX_READS_PER_NETWORK }, () => ask(path));
      await expect.poll(() => countLockWaits(shop.database), LONG_TIMEOUT).toBeGreaterThan(0);
    });
    for (const { status } of await Promise.all(waiting)) expect(status, path).toBe(200);
  }
  stop();
});

test("a network at its limit gets cached pages, and 503 for others", async ({ shopWith }) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1", ...UNLIMITED } });
  const { ask, stop } = createRequester(shop.baseURL);
  for (const path of ["/", "/product/1"]) expect((await ask(path)).status).toBe(200);
  const view = (number: number) => `/products?max_price=${1_000 + number}`;
  let waiting: ReturnType<typeof ask>[] = [];
  await withTableLock(shop.database, "products", async () => {
    waiting = Array.from({ length: MAX_READS_PER_NETWORK }, (_, number) => ask(view(number)));
    // This call needs no database: it is answered until no place is free.
    const isFull = async () => {
      const { status } = await ask("/api", "*/*");
      // The call itself took a place for a moment, so one of the views may have been refused.
      if (status === 200) waiting.push(ask(view(waiting.length)));
      return status === 503;
    };
    await expect.poll(isFull, LONG_TIMEOUT).toBe(true);
    for (const path of [
      "/products?min_price=1",
      "/product/2",
      "/products?search=livre",
      "/sitemap.xml",
      "/og/product/1",
    ]) {
      const { status, headers } = await ask(path);
      expect([status, headers["retry-after"]], path).toEqual([503, "5"]);
    }
    for (const path of ["/", "/product/1", "/api/health"])
      expect((await ask(path, "*/*")).status, path).toBe(200);
  });
  await Promise.all(waiting);
  for (const path of [view(0), "/product/2", "/sitemap.xml", "/og/product/1"])
    expect((await ask(path)).status, path).toBe(200);
  stop();
});

test("a queued page whose first visitor disconnects is rendered for the next one", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: UNLIMITED });
  const { ask, stop } = createRequester(shop.baseURL);
  const path = "/product/2";
  let waiting: ReturnType<typeof ask>[] = [];
  await withTableLock(shop.database, "products", async () => {
    // Earlier requests are in the queue once some later ones are answered.
    const queued = async () => {
      for (let count = 0; count < 10; count++) expect((await ask("/contact")).status).toBe(200);
    };
    // More than the shop renders at once.
    waiting = Array.from({ length: 40 }, (_, number) => ask(`/products?max_price=${number + 1}`));
    await queued();
    const first = http.get(shop.baseURL + path);
    first.on("error", () => undefined);
    await once(first, "finish");
    await queued();
    waiting.push(ask(path));
    await queued();
    first.destroy();
    await queued();
  });
  const answers = await Promise.all(waiting);
  for (const { status } of answers) expect(status).toBe(200);
  // The page was rendered for another request. Caches may not store it: they could not be told when to
  // purge it.
  expect(answers.at(-1)?.headers["cache-control"]).toContain("no-store");
  const { status, headers } = await ask(path);
  expect([status, headers["cache-control"]]).toEqual([200, "s-maxage=300"]);
  stop();
});

test("pipelined requests of a closed connection free their slots", async ({ shopWith }) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1", ...UNLIMITED } });
  const { ask, stop } = createRequester(shop.baseURL);
  const question = (number: number) =>
    `GET /api/products?search=mot${number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  await withTableLock(shop.database, "products", async () => {
    const numbers = Array.from({ length: MAX_READS_PER_NETWORK }, (_, number) => number);
    const socket = await connect(shop.baseURL, numbers.map(question).join(""));
    const status = async () => (await ask("/api", "*/*")).status;
    await expect.poll(status, LONG_TIMEOUT).toBe(503);
    socket.destroy();
    await expect.poll(status, LONG_TIMEOUT).toBe(200);
  });
  const again = Array.from({ length: MAX_READS_PER_NETWORK / 2 }, (_, number) =>
    ask(`/api/products?search=encore${number}`, "application/json"),
  );
  for (const { status } of await Promise.all(again)) expect(status).toBe(200);
  stop();
});

test("picture resizing and invoice rendering have concurrency limits", async ({ shopWith }) => {
  // A hundredth of the limits, which are 600 an hour and 300 in ten minutes.
  const { api, database: db } = await shopWith({
    database: "shared",
    env: { RATE_LIMIT_SCALE: "0.01" },
  });
  const admin = await createAdmin({ db });
  const token = await issueToken({ user: admin, type: "access" });
  const product = await createProduct({ db });
  const { invoice } = await createOrder({ db, user: admin, items: [{ product }] });
  const pdfs = [];
  for (let count = 0; count < 4; count++)
    pdfs.push((await api.get(`/api/invoices/${invoice?.id}/download`, { token })).status);
  expect(pdfs).toEqual([200, 200, 200, 429]);
  const uploads = [];
  for (let count = 0; count < 7; count++)
    uploads.push((await api.post("/api/upload", { token, body: "x" })).status);
  expect(uploads).toEqual([415, 415, 415, 415, 415, 415, 429]);
});
