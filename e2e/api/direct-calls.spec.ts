import net from "node:net";
import { createOrder, createProduct, createUser } from "@/db/factories";
import { newAdmin } from "../admin";
import type { ApiRequest } from "../api-client";
import { expect, test } from "../fixtures";

// What is answered without Next.js is answered as by it: docs/decisions/052.

type Headers = Record<string, string | string[] | undefined>;

/** Next.js names headers of its own. */
const isByNext = ({ vary }: Headers) => /\brsc\b/.test(String(vary));

const OF_TRANSFER = ["date", "x-request-id", "transfer-encoding", "content-length", "vary"];

const comparable = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_TRANSFER.includes(name)));

test("an answer is the same from Next.js, at the first call, and without it", async ({
  shopWith,
}) => {
  const { api, database: db } = await shopWith();
  const admin = await newAdmin(db);
  const product = await createProduct({ db });
  const { invoice } = await createOrder({
    db,
    user: await createUser({ db }),
    items: [{ product }],
  });
  const { token } = admin;
  // Each of another endpoint: Next.js answers the first call of each.
  const calls: [status: number, call: ApiRequest & { method?: string; path: string }][] = [
    [200, { path: "/api/products?itemsPerPage=3&page=2&type=physical" }],
    [200, { path: `/api/products/${product.id}`, accept: "application/json" }],
    [200, { path: "/api/home", method: "HEAD" }],
    [200, { path: "/api/users", token }],
    [200, { path: "/api/admin_orders", token, accept: "text/csv" }],
    [200, { path: `/api/invoices/${invoice?.id}/download`, token }],
    [204, { path: "/api/cart/add", method: "OPTIONS" }],
    [400, { path: "/api/reviews?page=-1" }],
    [400, { path: "/api/login_check", method: "POST", body: "{", headers: JSON_TYPE }],
    [400, { path: "/api/stripe/webhook", method: "POST", body: "{}" }],
    [401, { path: "/api/cart" }],
    [404, { path: "/api/tags/999999" }],
    [404, { path: "/api/orders/quatre%20cents", token }],
    [405, { path: "/api/categories/1", method: "PATCH" }],
    [406, { path: "/api/tags", accept: "text/plain" }],
    [413, { path: "/api/contact", method: "POST", json: { text: "a".repeat(70_000) } }],
    [415, { path: "/api/register", method: "POST", body: "a", headers: TEXT }],
    [422, { path: "/api/reset-password", method: "POST", json: {} }],
    // Last, since it knows all endpoints.
    [200, { path: "/api/docs" }],
  ];
  for (const [status, { method = "GET", path, ...request }] of calls) {
    const name = `${method} ${path}`;
    const byNext = await api.request(method, path, request);
    const direct = await api.request(method, path, request);
    expect([isByNext(byNext.headers), isByNext(direct.headers)], name).toEqual([true, false]);
    expect([byNext.status, direct.status], name).toEqual([status, status]);
    expect(direct.text, name).toBe(byNext.text);
    expect(comparable(direct.headers), name).toEqual(comparable(byNext.headers));
    expect(direct.headers.vary, name).toContain("Accept");
  }
});

const JSON_TYPE = { "Content-Type": "application/json" };
const TEXT = { "Content-Type": "text/plain" };

test("JSON comes with its length, and the connection stays open", async ({ api }) => {
  await api.get("/api/tags");
  const { headers, text } = await api.get("/api/tags");
  expect(headers["content-length"]).toBe(String(Buffer.byteLength(text)));
  expect(headers["transfer-encoding"]).toBeUndefined();
  expect(headers.connection).toBe("keep-alive");
});

test("a client that leaves in the middle of a body disturbs nobody", async ({ api, shop }) => {
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
