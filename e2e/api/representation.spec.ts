import http from "node:http";
import { expect, test } from "../fixtures";

// What only a running server shows; the rest of the protocol is tested beside lib/http/api.

const LINK = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

test("every response has Vary and the documentation's Link", async ({ api }) => {
  for (const path of ["/api/products", "/api/none", "/api/products?page=0"]) {
    const { headers } = await api.get(path);
    expect(headers.vary, path).toContain("Accept");
    expect(headers["x-content-type-options"], path).toBe("nosniff");
    expect(headers.link, path).toBe(LINK);
  }
});

test("unchanged responses are 304", async ({ api }) => {
  const first = await api.get("/api/products?itemsPerPage=2");
  expect(first.headers["cache-control"]).toBe("public, no-cache");
  const etag = String(first.headers.etag);
  const again = await api.get("/api/products?itemsPerPage=2", {
    headers: { "If-None-Match": etag },
  });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  const accept = "application/json";
  const headers = { "If-None-Match": etag };
  expect((await api.get("/api/products?itemsPerPage=2", { accept, headers })).status).toBe(200);
});

test("HEAD is GET without its body, OPTIONS and 405 say what is allowed", async ({ api }) => {
  const head = await api.request("HEAD", "/api/products");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers["content-type"]).toBe("application/ld+json; charset=utf-8");
  const options = await api.request("OPTIONS", "/api/products");
  expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  const refused = await api.request("PATCH", "/api/home");
  expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
});

test("an invalid path or query is refused with a French sentence", async ({ api }) => {
  for (const [path, expected] of [
    ["/api/none/at/all?x=1", 404],
    ["/api/products/99999999999999999999", 404],
    ["/api/products/%E0%A4%A", 400],
    ["/api/products?page=un", 400],
  ] as const) {
    const { status, headers, json } = await api.get<Record<string, unknown>>(path);
    expect(status, path).toBe(expected);
    expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(json).toMatchObject({ "@type": "hydra:Error", status: expected });
    expect(String(json.detail)).toMatch(/\p{L}+ .*\.$/u);
  }
  // Next.js takes a lone % for the character.
  expect((await api.get("/api/products?search=50%")).status).toBe(200);
});

test("paths are case-sensitive, and malformed URLs of pages are 404", async ({ api }) => {
  for (const path of ["/PRODUCTS", "/Products?search=a", "/Cart", "/CONTACT", "/API/products"])
    expect((await api.get(path)).status, path).toBe(404);
  for (const path of ["/product/%E0%A4%A", "/%", "/products/%C3"])
    expect((await api.get(path)).status, path).toBe(404);
});

test("the target * is 404, and an absolute URL is answered by its path", async ({ shop }) => {
  const { hostname, port, host } = new URL(shop.baseURL);
  const answerTo = (method: string, path: string) =>
    new Promise<[status: number | undefined, location: string | undefined]>((resolve, reject) => {
      const request = http.request({ hostname, port, method, path, agent: false }, (response) => {
        response.resume();
        resolve([response.statusCode, response.headers.location]);
      });
      request.on("error", reject);
      request.end();
    });
  for (const method of ["GET", "HEAD", "OPTIONS", "POST"])
    expect(await answerTo(method, "*"), method).toEqual([404, undefined]);
  for (const path of ["/api/products", "/products?page=2", "/contact", "?a=b", ""])
    expect(await answerTo("GET", `http://${host}${path}`), path).toEqual([200, undefined]);
  expect(await answerTo("GET", `http://${host}/api/users`)).toEqual([401, undefined]);
  expect(await answerTo("GET", "ftp://exemple.fr/products")).toEqual([404, undefined]);
});

test("an endless body is refused while it is still being sent", async ({ shop }) => {
  const { hostname, port } = new URL(shop.baseURL);
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const request = http.request({
      hostname,
      port,
      method: "POST",
      path: "/api/contact",
      headers: { "Content-Type": "application/json", "Transfer-Encoding": "chunked" },
    });
    const send = () => {
      while (!request.destroyed && request.write("a".repeat(16_384)));
    };
    request.on("drain", send);
    request.on("response", (response) => {
      resolve(response.statusCode);
      request.destroy();
    });
    request.on("error", reject);
    send();
  });
  expect(status).toBe(413);
});

test("a rate limit cannot be evaded by spoofed IPs", async ({ shopWith }) => {
  const { api } = await shopWith({ database: "shared", env: { RATE_LIMIT_SCALE: "1" } });
  const statuses: number[] = [];
  for (let i = 0; i < 12; i++) {
    const { status, headers } = await api.post("/api/contact", {
      json: { nom: "Léa", email: "lea@exemple.test", message: `Bonjour ${i}` },
      headers: { "X-Forwarded-For": `198.51.100.${i}`, "X-Shop-Peer-Address": `198.51.100.${i}` },
    });
    statuses.push(status);
    if (status === 429) expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  }
  expect(statuses).toContain(201);
  expect(statuses.at(-1)).toBe(429);
});
