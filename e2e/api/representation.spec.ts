import http from "node:http";
import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createAdmin } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { tokenOf } from "../accounts";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";
import type { Collection, LabelJson } from "../representation";

// The API's protocol, tested with requests to real routes. The unit tests of lib/http/api cover the notations of
// queries, bodies and `Accept`; e2e/access.spec.ts covers the access to every call.

const LINK = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';
const LD = "application/ld+json; charset=utf-8";
const PLAIN = "application/json; charset=utf-8";

test("items and lists are JSON-LD, or the same as plain JSON, with the headers of the API", async ({
  api,
  database: db,
}) => {
  // Not a key of JSON-LD, but a characteristic's name.
  const characteristics = [{ name: "@note", value: "x" }];
  const { id } = await createProduct({ db, characteristics });
  for (const path of [`/api/products/${id}`, "/api/products?itemsPerPage=2&page=2"]) {
    const read = async (accept: string | undefined, type: string) => {
      const answer = await api.get<Record<string, unknown>>(path, { ...(accept && { accept }) });
      expect(answer.status, path).toBe(200);
      expect(answer.headers).toMatchObject({
        "content-type": type,
        "cache-control": "public, no-cache",
        vary: expect.stringMatching(/Accept$/),
        link: LINK,
        "x-content-type-options": "nosniff",
      });
      return answer.json;
    };
    const ld = await read(undefined, LD);
    expect(ld["@context"]).toBe("/api/contexts/Product");
    for (const accept of ["*/*", "application/ld+json"]) expect(await read(accept, LD)).toEqual(ld);
    const plain = await read("application/json, text/plain, */*", PLAIN);
    const members = JSON.stringify(ld["hydra:member"] ?? ld);
    const withoutKeys = JSON.parse(members, (_, value) =>
      value?.["@type"]
        ? Object.fromEntries(Object.entries(value).filter(([key]) => !key.startsWith("@")))
        : value,
    );
    expect(plain).toEqual(withoutKeys);
    expect((await api.get(path, { accept: "text/html" })).status).toBe(406);
  }
});

test("a page of a list links to the others, and one beyond the end is empty", async ({ api }) => {
  const list = "/api/categories?itemsPerPage=2";
  const { json } = await api.get<Collection<LabelJson>>(`${list}&page=2`);
  const last = Math.ceil(json["hydra:totalItems"] / 2);
  expect(json).toEqual({
    "@context": "/api/contexts/Category",
    "@id": "/api/categories",
    "@type": "hydra:Collection",
    "hydra:totalItems": expect.any(Number),
    "hydra:member": [1, 2].map(() =>
      expect.objectContaining({ "@id": expect.any(String), "@type": "Category" }),
    ),
    "hydra:view": {
      "@id": `${list}&page=2`,
      "@type": "hydra:PartialCollectionView",
      "hydra:first": `${list}&page=1`,
      "hydra:last": `${list}&page=${last}`,
      "hydra:previous": `${list}&page=1`,
      "hydra:next": `${list}&page=3`,
    },
    "hydra:search": expect.objectContaining({ "@type": "hydra:IriTemplate" }),
  });
  expect(json["hydra:member"][0]).not.toHaveProperty("@context");
  const viewOf = async (path: string) => {
    const answer = await api.get<Collection<LabelJson>>(path);
    expect(answer.status, path).toBe(200);
    return { members: answer.json["hydra:member"].length, view: answer.json["hydra:view"] };
  };
  expect(await viewOf(`${list}&page=900`)).toMatchObject({
    members: 0,
    view: { "hydra:last": `${list}&page=${last}`, "hydra:previous": `${list}&page=${last}` },
  });
  // A list of one page has a view only if it is filtered.
  const search = "/api/products?search=xqzwvkjhg%26%C3%A9";
  const type = "hydra:PartialCollectionView";
  expect(await viewOf(search)).toEqual({ members: 0, view: { "@id": search, "@type": type } });
  const whole = (await api.get<Collection<LabelJson>>("/api/categories")).json;
  expect("hydra:view" in whole).toBe(whole["hydra:totalItems"] > 30);
});

test("unchanged responses are 304", async ({ api }) => {
  const path = "/api/products?itemsPerPage=2";
  const etag = String((await api.get(path)).headers.etag);
  const headers = { "If-None-Match": etag };
  const again = await api.get(path, { headers });
  expect([again.status, again.text, again.headers.etag]).toEqual([304, "", etag]);
  expect((await api.get(path, { accept: "application/json", headers })).status).toBe(200);
});

test("HEAD is GET without its body, OPTIONS and 405 say what is allowed", async ({ api }) => {
  const head = await api.request("HEAD", "/api/products");
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", LD]);
  const options = await api.request("OPTIONS", "/api/products");
  expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS, POST"]);
  for (const [method, path, allow] of [
    ["PATCH", "/api/home", "GET, HEAD, OPTIONS"],
    // A call without GET has no HEAD either.
    ["HEAD", "/api/contact", "OPTIONS, POST"],
  ] as const) {
    const refused = await api.request(method, path);
    expect([refused.status, refused.headers.allow]).toEqual([405, allow]);
  }
});

test("what is created is 201 with its Location, and not cached; what is deleted is 204", async ({
  api,
  database: db,
}) => {
  const { token } = await newAdmin(db);
  const json = { name: "Pliable", color: "#102030" };
  const created = await api.post<LabelJson>("/api/tags", { token, json });
  const { "@id": iri } = created.json;
  expect(created).toMatchObject({
    status: 201,
    headers: { location: iri, "cache-control": "private, no-store" },
    json: { ...json, "@type": "Tag", "@context": "/api/contexts/Tag" },
  });
  const removed = await api.delete(iri, { token });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect(removed.headers).toMatchObject({ "cache-control": "no-store", link: LINK });
});

test("administrators get their own view of a list, while they have the role", async ({
  api,
  database: db,
}) => {
  const admin = await createAdmin({ db });
  const token = await tokenOf(admin);
  const isOfAdmins = async (bearer: string) => {
    const { status, json } = await api.get<Collection<object>>("/api/products", { token: bearer });
    expect(status).toBe(200);
    return "version" in (json["hydra:member"][0] ?? {});
  };
  expect(await isOfAdmins(token)).toBe(true);
  expect(await isOfAdmins("forged")).toBe(false);
  const ofAdmin = eq(users.id, admin.id);
  await db
    .update(users)
    .set({ roles: ["ROLE_USER"] })
    .where(ofAdmin);
  expect(await isOfAdmins(token)).toBe(false);
  await db.update(users).set({ isDeleted: true }).where(ofAdmin);
  expect(await isOfAdmins(token)).toBe(false);
});

test("a wrong call is refused with a French sentence, for access, path, query, body in this order", async ({
  api,
  database: db,
}) => {
  const { token } = await newAdmin(db);
  const json = {};
  for (const [status, method, path, request] of [
    [401, "PUT", "/api/tags/x", { json }],
    [404, "PUT", "/api/tags/x", { token, json }],
    [401, "GET", "/api/users?page=0", {}],
    [400, "GET", "/api/users?page=0", { token }],
    [422, "POST", "/api/tags", { token, json }],
    [404, "GET", "/api/none/at/all?x=1", {}],
    [404, "GET", "/api/products/99999999999999999999", {}],
    [400, "GET", "/api/products/%E0%A4%A", {}],
    [400, "GET", "/api/products?page=un", {}],
  ] as const) {
    const answer = await api.request<Record<string, unknown>>(method, path, request);
    expect(answer.status, path).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
    expect(answer.json).toMatchObject({
      "@type": status === 422 ? "ConstraintViolationList" : "hydra:Error",
      status,
      detail: expect.stringMatching(/\p{L}+ .*\.$/u),
    });
  }
  // Next.js takes a lone % for the character.
  expect((await api.get("/api/products?search=50%")).status).toBe(200);
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
