import { once } from "node:events";
import http from "node:http";
import net from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import {
  createAdmin,
  createOrder,
  createProduct,
  createUser,
  DEFAULT_PASSWORD,
} from "@/db/factories";
import { issueToken } from "@/lib/auth/token";
import { MOST_READINGS_OF_ONE } from "@/lib/http/load";
import { expect, test } from "../fixtures";
import { locking } from "../locking";

// Many and slow clients: docs/decisions/031.

/** A connection that sends this and then waits. */
async function connect(baseURL: string, text: string): Promise<net.Socket> {
  const { hostname, port } = new URL(baseURL);
  const socket = net.connect(Number(port), hostname);
  socket.on("error", () => undefined);
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  socket.write(text);
  return socket;
}

test("requests that trickle in, and answers that nobody reads, keep nobody else waiting", async ({
  shopWith,
}) => {
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
      // Reads nothing of what it asks for.
      return connect(
        baseURL,
        `GET /api/products?itemsPerPage=100&search=a&min_price=${index} HTTP/1.1\r\n${head}\r\n`,
      ).then((socket) => socket.pause());
    }),
  );
  // Two hundred large answers have to be made first.
  const search = () => api.get("/api/products?search=theiere", { mayFail: true });
  await expect.poll(async () => (await search()).status, { timeout: 30_000 }).toBe(200);
  expect((await api.get("/")).status).toBe(200);
  expect((await api.get("/products?search=theiere")).status).toBe(200);
  const json = { username: user.email, password: DEFAULT_PASSWORD };
  expect((await api.post("/api/login_check", { json })).status).toBe(200);
  // They were there all the time.
  const waiting = slow.filter((socket) => !socket.destroyed && !socket.readableEnded);
  expect(waiting.length).toBeGreaterThan(300);
  for (const socket of slow) socket.destroy();
});

test("who offers another protocol is answered in this one, and holds no connection", async ({
  api,
  baseURL,
}) => {
  // A user may do so before anybody else has come.
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

/** Asks with as many connections as there are requests. */
function asker(baseURL: string) {
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

test("nobody has pages rendered past the bounds, by a form or another spelling", async ({
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
    // The stored page.
    expect([again.status, again.headers.get("x-nextjs-cache")], path).toEqual([200, "HIT"]);
  }
});

test("of too many searches at once some are asked to come back; stored pages know nothing of it", async ({
  shopWith,
}) => {
  const shop = await shopWith({ database: "shared", env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = asker(shop.baseURL);
  expect((await ask("/contact", "text/html")).status).toBe(200);
  const calls = Array.from({ length: 500 }, (_, index) =>
    ask(`/api/products?search=mot${index}`, "application/json"),
  );
  const pages = Array.from({ length: 500 }, (_, index) =>
    ask(`/products?search=mot${index}`, "text/html"),
  );
  const stored = Array.from({ length: 50 }, () => ask("/contact", "text/html"));
  const answers = await Promise.all([...calls, ...pages]);
  for (const { status } of await Promise.all(stored)) expect(status).toBe(200);

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
  // Every place is given back.
  for (let index = 0; index < 2; index++) {
    const again = Array.from({ length: MOST_READINGS_OF_ONE / 2 }, (_, number) =>
      ask(`/api/products?search=encore${index}x${number}`, "application/json"),
    );
    expect((await Promise.all(again)).filter(isTooBusy)).toEqual([]);
  }
  stop();
});

test("of too many pages at once that nobody has asked for, some are to come back; the others serve", async ({
  shopWith,
}) => {
  const shop = await shopWith({ database: "shared", env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = asker(shop.baseURL);
  for (const path of ["/", "/products", "/product/1"]) expect((await ask(path)).status).toBe(200);
  const view = (number: number) => `/products?max_price=${1_000 + number}`;
  const numbers = Array.from({ length: 2 * MOST_READINGS_OF_ONE }, (_, number) => number);
  // In turn, so that some of each find a place.
  const pairs = numbers.map(
    (number) => [ask(view(number)), ask(`/product/9${number}999`)] as const,
  );
  const views = Promise.all(pairs.map(([page]) => page));
  const unknown = Promise.all(pairs.map(([, page]) => page));
  const stored = ["/", "/products", "/product/1"].flatMap((path) =>
    Array.from({ length: 20 }, () => ask(path)),
  );
  for (const { status } of await Promise.all(stored)) expect(status).toBe(200);

  const answers = [...(await views), ...(await unknown)];
  expect([...new Set(answers.map(({ status }) => status))].sort()).toEqual([200, 404, 503]);
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(10);
  for (const { headers, text } of refused) {
    expect([headers["retry-after"], headers["cache-control"]]).toEqual(["5", "no-store"]);
    expect(text).toMatch(/Erreur lors du filtrage des produits\.|Veuillez réessayer plus tard\./);
  }
  // Every place is given back, by those that were not there as well: nothing is refused any more.
  for (let turn = 0; turn < 2; turn++) {
    const again = numbers
      .slice(0, MOST_READINGS_OF_ONE / 2)
      .map((number) => ask(`/products?min_price=${turn}&max_price=${2_000 + number}`));
    for (const { status } of await Promise.all(again)) expect(status).toBe(200);
  }

  // Pages whose time is over are shown, however many are to be made anew behind them.
  const known = numbers.filter((number) => answers[number]?.status === 200);
  await shop.advanceClock(400);
  const shown = await Promise.all(known.map((number) => ask(view(number))));
  for (const { status } of shown) expect(status).toBe(200);
  const ageOf = async () => (await ask(view(known[0] ?? 0))).headers["x-nextjs-cache"];
  await expect.poll(ageOf, { timeout: 20_000 }).toBe("HIT");
  stop();
});

test("a network whose places are all taken gets what is stored, and nothing that is to be read", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = asker(shop.baseURL);
  for (const path of ["/", "/product/1"]) expect((await ask(path)).status).toBe(200);
  const view = (number: number) => `/products?max_price=${1_000 + number}`;
  let waiting: ReturnType<typeof ask>[] = [];
  await locking(shop.database, "products", async () => {
    waiting = Array.from({ length: MOST_READINGS_OF_ONE }, (_, number) => ask(view(number)));
    // Asks no database: it is answered until there is no place.
    const isFull = async () => {
      const { status } = await ask("/api", "*/*");
      // For a moment it had a place itself, which one of the views may have been refused.
      if (status === 200) waiting.push(ask(view(waiting.length)));
      return status === 503;
    };
    await expect.poll(isFull).toBe(true);
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

test("a page whose first visitor leaves while it waits for its turn is made for the next one", async ({
  shopWith,
}) => {
  const shop = await shopWith();
  const { ask, stop } = asker(shop.baseURL);
  const path = "/product/2";
  let waiting: ReturnType<typeof ask>[] = [];
  await locking(shop.database, "products", async () => {
    // More than are made at once.
    waiting = Array.from({ length: 40 }, (_, number) => ask(`/products?max_price=${number + 1}`));
    await delay(500);
    const first = http.get(shop.baseURL + path);
    first.on("error", () => undefined);
    await delay(500);
    waiting.push(ask(path));
    await delay(500);
    first.destroy();
    await delay(500);
  });
  const answers = await Promise.all(waiting);
  for (const { status } of answers) expect(status).toBe(200);
  // What was made for somebody else: no cache could be told when to forget it.
  expect(answers.at(-1)?.headers["cache-control"]).toContain("no-store");
  const { status, headers } = await ask(path);
  expect([status, headers["cache-control"]]).toEqual([200, "s-maxage=300"]);
  stop();
});

test("who sends many questions at once on one connection and leaves takes no place along", async ({
  shopWith,
}) => {
  const shop = await shopWith({ env: { RATE_LIMIT_SCALE: "1" } });
  const { ask, stop } = asker(shop.baseURL);
  const question = (number: number) =>
    `GET /api/products?search=mot${number} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
  await locking(shop.database, "products", async () => {
    const numbers = Array.from({ length: MOST_READINGS_OF_ONE }, (_, number) => number);
    const socket = await connect(shop.baseURL, numbers.map(question).join(""));
    await expect.poll(async () => (await ask("/api", "*/*")).status).toBe(503);
    socket.destroy();
  });
  const again = Array.from({ length: MOST_READINGS_OF_ONE / 2 }, (_, number) =>
    ask(`/api/products?search=encore${number}`, "application/json"),
  );
  for (const { status } of await Promise.all(again)) expect(status).toBe(200);
  stop();
});

test("pictures and invoices are made so often and no oftener", async ({ shopWith }) => {
  // 600 an hour and 300 in ten minutes, times a hundredth.
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
