import http from "node:http";
import { expect, test } from "../fixtures";

type Json = Record<string, unknown>;

interface Collection {
  "@id": string;
  "hydra:totalItems": number;
  "hydra:member": { "@id": string; "@type": string; id: number }[];
  "hydra:search": { "hydra:template": string };
}

const LINK = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

test("a list is a Hydra collection, or a plain array for clients that prefer JSON", async ({
  api,
}) => {
  for (const accept of [undefined, "*/*", "application/ld+json", "text/html, */*;q=0.1"]) {
    const { headers, json } = await api.get<Collection>("/api/products?itemsPerPage=3", { accept });
    expect(headers["content-type"]).toBe("application/ld+json; charset=utf-8");
    expect(json).toMatchObject({
      "@context": "/api/contexts/Product",
      "@id": "/api/products",
      "@type": "hydra:Collection",
    });
    expect(json["hydra:member"]).toHaveLength(3);
    for (const member of json["hydra:member"]) {
      expect(member["@id"]).toBe(`/api/products/${member.id}`);
      expect(["PhysicalProduct", "DigitalProduct"]).toContain(member["@type"]);
      expect(member).not.toHaveProperty("@context");
    }
  }
  for (const accept of ["application/json", "application/json, text/plain, */*"]) {
    const { headers, json, text } = await api.get<Json[]>("/api/products?itemsPerPage=3", {
      accept,
    });
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(json).toHaveLength(3);
    expect(text).not.toMatch(/"(@id|@type|@context|hydra:\w+)":/);
  }
});

test("an Accept that allows neither is 406, as French JSON all the same", async ({ api }) => {
  for (const path of ["/api/products", "/api/categories", "/api/tags"])
    for (const accept of ["application/xml", "text/html", "text/csv", "application/ld+json;q=0"]) {
      const { status, headers, json } = await api.get(path, { accept });
      expect(status, `${path} ${accept}`).toBe(406);
      expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
      expect(json).toMatchObject({ "@type": "hydra:Error", status: 406 });
    }
});

test("every response has Vary and the documentation's Link", async ({ api }) => {
  for (const path of [
    "/api/products",
    "/api/products/999999999",
    "/api/none",
    "/api/products?page=0",
  ]) {
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
  const plain = await api.get("/api/products?itemsPerPage=2", {
    accept: "application/json",
    headers: { "If-None-Match": etag },
  });
  expect(plain.status).toBe(200);
});

test("HEAD is GET without its body, OPTIONS and 405 say what is allowed", async ({ api }) => {
  const head = await api.request("HEAD", "/api/products");
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers["content-type"]).toBe("application/ld+json; charset=utf-8");
  const options = await api.request("OPTIONS", "/api/products");
  expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
    const refused = await api.request(method, "/api/home");
    expect([refused.status, refused.headers.allow], method).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(refused.json).toMatchObject({ "@type": "hydra:Error", status: 405 });
  }
});

const invalidPaths: [path: string, status: number][] = [
  ["/api/none", 404],
  ["/api/none/at/all?x=1", 404],
  ["/api/products/un", 404],
  ["/api/products/99999999999999999999", 404],
  ["/api/products/%E0%A4%A", 400],
  ["/api/products?page=un", 400],
];

test("an invalid path or query is refused with a French sentence", async ({ api }) => {
  for (const [path, expected] of invalidPaths) {
    const { status, headers, json } = await api.get<Json>(path);
    expect(status, path).toBe(expected);
    expect(headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(json).toMatchObject({ "@type": "hydra:Error", status: expected });
    expect(json.error).toBe(json.detail);
    expect(json["hydra:description"]).toBe(json.detail);
    expect(String(json.detail)).toMatch(/\p{L}+ .*\.$/u);
  }
});

const validPaths = [
  // Next.js takes a lone % for the character.
  "/api/products?search=50%",
  "/api/products?itemsPerPage=7&page=1000000000000",
  "/api/products?type=digital&type=physical",
  "/api/products?__proto__=1&constructor[prototype]=2",
  `/api/products?search=${encodeURIComponent(`' " % _ \\ ; -- 🦊 ${"x".repeat(5000)}`)}`,
];

test("empty, repeated, unknown and long parameters are valid", async ({ api }) => {
  for (const path of validPaths) {
    const { status, json } = await api.get<Collection>(path);
    expect(status, path.slice(0, 60)).toBe(200);
    expect(json["hydra:member"].length).toBeLessThanOrEqual(100);
  }
});

test("paths are case-sensitive", async ({ api }) => {
  for (const path of ["/PRODUCTS", "/Products?search=a", "/Cart", "/CONTACT", "/API/products"])
    expect((await api.get(path)).status, path).toBe(404);
});

test("pages with a malformed URL are 404, not 500", async ({ api }) => {
  for (const path of ["/product/%E0%A4%A", "/%", "/products/%C3"])
    expect((await api.get(path)).status, path).toBe(404);
});

test("the request target * is 404, and an absolute URL is answered by its path", async ({
  shop,
}) => {
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

test("malformed bodies are refused", async ({ api }) => {
  const type = { "Content-Type": "application/json" };
  const status = async (request: Parameters<typeof api.post>[1]) =>
    (await api.post("/api/contact", request)).status;
  expect(await status({ headers: type, body: "{" })).toBe(400);
  expect(await status({ headers: type, body: "[]" })).toBe(400);
  expect(await status({ headers: type })).toBe(400);
  expect(await status({ headers: { "Content-Type": "text/plain" }, body: "{}" })).toBe(415);
  expect(await status({ json: { nom: "x".repeat(100_000) } })).toBe(413);
  const wrong = await api.post("/api/contact", { json: { nom: 3, email: "x", message: "a\0b" } });
  expect(wrong.status).toBe(422);
  expect(wrong.json).toMatchObject({ "@type": "ConstraintViolationList" });
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
