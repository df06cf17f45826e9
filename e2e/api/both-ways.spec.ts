import net from "node:net";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { EMPTY_DOCUMENT } from "@/lib/workarounds/empty-documents";
import { newAdmin } from "../admin";
import { type ApiRequest, createApi } from "../api-client";
import { expect, test } from "../fixtures";
import { startNextAlone } from "../shop-process";

// A serverless host runs Next.js without the shop's server: the answers are the same (docs/decisions/069).

type Headers = Record<string, string | string[] | undefined>;

/** Headers of the transfer, which may differ. Next.js adds names of its own to `Vary`. */
const OF_TRANSFER = [
  "connection",
  "date",
  "keep-alive",
  "transfer-encoding",
  "content-length",
  "vary",
];

/**
 * Headers that the server adds to every response. On a serverless host, the host must set them
 * (docs/deployment.md).
 */
const OF_SERVER = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "permissions-policy",
  "referrer-policy",
  "x-content-type-options",
  "x-frame-options",
  "x-request-id",
];

const comparable = (headers: Headers) =>
  Object.fromEntries(
    Object.entries(headers).filter(([name]) => ![...OF_TRANSFER, ...OF_SERVER].includes(name)),
  );

const JSON_TYPE = { "Content-Type": "application/json" };
const TEXT = { "Content-Type": "text/plain" };

test("one table of requests is answered the same by the server and by Next.js alone", async ({
  shopWith,
}) => {
  const shop = await shopWith();
  const { database: db } = shop;
  const { token } = await newAdmin(db);
  const product = await createProduct({ db });
  const user = await createUser({ db });
  const { invoice } = await createOrder({ db, user, items: [{ product }] });
  const alone = await startNextAlone(shop.env);
  try {
    const calls: [status: number, call: ApiRequest & { method?: string; path: string }][] = [
      [200, { path: "/api/products?itemsPerPage=3&page=2&type=physical" }],
      [200, { path: `/api/products/${product.id}`, accept: "application/json" }],
      [200, { path: "/api/home", method: "HEAD" }],
      [200, { path: "/api/health" }],
      [200, { path: "/api/users", token }],
      [200, { path: "/api/admin_orders", token, accept: "text/csv" }],
      [200, { path: `/api/invoices/${invoice?.id}/download`, token }],
      [204, { path: "/api/cart/add", method: "OPTIONS" }],
      [400, { path: "/api/reviews?page=-1" }],
      [400, { path: "/api/login_check", method: "POST", body: "{", headers: JSON_TYPE }],
      [400, { path: "/api/stripe/webhook", method: "POST", body: "{}" }],
      [401, { path: "/api/cart" }],
      [404, { path: "/api/nothing" }],
      [404, { path: "/api/tags/999999" }],
      [404, { path: "/api/orders/quatre%20cents", token }],
      [405, { path: "/api/categories/1", method: "PATCH" }],
      [406, { path: "/api/tags", accept: "text/plain" }],
      [413, { path: "/api/contact", method: "POST", json: { text: "a".repeat(70_000) } }],
      [415, { path: "/api/register", method: "POST", body: "a", headers: TEXT }],
      [422, { path: "/api/reset-password", method: "POST", json: {} }],
      [200, { path: "/api/docs" }],
      [200, { path: "/" }],
      [200, { path: `/product/${product.id}` }],
      [200, { path: "/contact" }],
      [200, { path: "/robots.txt" }],
      [307, { path: "/backoffice" }],
    ];
    const byServer = shop.api;
    const byNext = createApi(alone);
    for (const [status, { method = "GET", path, ...request }] of calls) {
      const name = `${method} ${path}`;
      // The server's first and second responses are alike too.
      const answers = [
        await byNext.request(method, path, request),
        await byServer.request(method, path, request),
        await byServer.request(method, path, request),
      ];
      const [expected] = answers;
      for (const answer of answers) {
        expect(answer.status, name).toBe(status);
        expect(answer.text, name).toBe(expected?.text);
        const { "x-nextjs-cache": _, ...headers } = comparable(answer.headers);
        const { "x-nextjs-cache": __, ...others } = comparable(expected?.headers ?? {});
        if (path.startsWith("/api/")) expect(headers, name).toEqual(others);
        if (path.startsWith("/api/")) expect(answer.headers.vary, name).toContain("Accept");
      }
    }
  } finally {
    await alone.stop();
  }
});

test("the mailbox is 404 without the server, which alone recognizes this machine", async ({
  shop,
}) => {
  const alone = await startNextAlone(shop.env);
  try {
    expect((await fetch(`${alone.baseURL}/mailbox`)).status).toBe(404);
    // The server recognizes this machine by its connection.
    expect((await fetch(`${shop.baseURL}/mailbox`)).status).toBe(200);
  } finally {
    await alone.stop();
  }
});

test("Next.js still sends an empty document for a 404: if not, remove the workaround", async ({
  shop,
}) => {
  const alone = await startNextAlone(shop.env);
  try {
    const answer = await fetch(`${alone.baseURL}/product/99999999`);
    expect(answer.status).toBe(404);
    expect((await answer.text()).startsWith(EMPTY_DOCUMENT)).toBe(true);
  } finally {
    await alone.stop();
  }
});

test("JSON comes with its length, and the connection stays open", async ({ api }) => {
  await api.get("/api/tags");
  const { headers, text } = await api.get("/api/tags");
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  expect(headers["transfer-encoding"]).toBeUndefined();
  expect(headers.connection).toBe("keep-alive");
});

test("a client that disconnects in the middle of a body causes no error", async ({ api, shop }) => {
  await api.post("/api/contact", { json: {} });
  const { hostname, port } = new URL(shop.baseURL);
  const before = shop.log().length;
  for (let i = 0; i < 20; i++)
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(Number(port), hostname);
      socket.once("error", reject);
      socket.write(
        "POST /api/contact HTTP/1.1\r\nHost: shop.test\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
        () => socket.destroy(),
      );
      socket.once("close", () => resolve());
    });
  expect((await api.post("/api/contact", { json: {} })).status).toBe(422);
  expect(shop.log().slice(before)).toBe("");
});
