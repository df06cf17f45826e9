import { expect, test } from "@playwright/test";
import { z } from "zod";
import { getSessionUser } from "@/lib/auth/queries";
import { issueToken, verifyToken } from "@/lib/auth/token";
import { forgetEnv } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { authenticateBy } from "@/lib/http/api/access";
import { idParams } from "@/lib/http/api/ids";
import { pagingQuery } from "@/lib/http/api/paging";
import { collectionOf, file, message } from "@/lib/http/api/reply";
import { resource } from "@/lib/http/api/resource";
import { methods, refuseAll, route } from "@/lib/http/api/route";
import type { Handler } from "@/lib/http/api/route-definition";
import { VERBS } from "@/lib/http/api/verbs";

authenticateBy({ verifyToken, getSessionUser });

const environment = { ...process.env };

test.beforeAll(() => {
  process.env.AUTH_SECRET = "a-secret-that-is-long-enough-for-the-tests";
  process.env.CRON_SECRET = "the-scheduler's-secret";
  // Nobody listens there: what needs the database is 503.
  process.env.DATABASE_URL = "postgresql://127.0.0.1:1/none";
  process.env.LOG_LEVEL = "silent";
  forgetEnv();
});

test.afterAll(() => {
  process.env = environment;
  forgetEnv();
});

const thing = resource({
  name: "Thing",
  path: "/api/things",
  description: "Chose",
  schema: z.object({ id: z.int(), name: z.string() }),
  toJson: (row: { id: number; name: string }) => row,
});

interface Call {
  method?: string;
  path?: string;
  params?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
}

async function call(
  handler: Handler,
  { method = "GET", path = "/api/things", params = {}, headers = {}, body }: Call = {},
) {
  const request = new Request(`http://shop.test${path}`, {
    method,
    headers: { ...(body !== undefined && { "content-type": "application/json" }), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const response = await handler(request, { params: Promise.resolve(params) });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text.startsWith("{") || text.startsWith("[") ? JSON.parse(text) : undefined,
  };
}

const LINK = '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

function expectCommonHeaders(headers: Headers) {
  expect(headers.get("vary")).toBe("Accept");
  // The refusal of a write names it by an absolute URL before: lib/http/api/docs-link.ts.
  expect(headers.get("link")?.split(", ").at(-1)).toBe(LINK);
}

test("an item is sent as JSON-LD or plain JSON", async () => {
  const handler = route({
    access: "public",
    summary: "Lire",
    params: idParams,
    run: ({ params }) => ({ id: params.id, name: "é" }),
    reply: thing,
  });
  const ld = await call(handler, { params: { id: "7" } });
  expect(ld.status).toBe(200);
  expect(ld.json).toEqual({
    "@context": "/api/contexts/Thing",
    "@id": "/api/things/7",
    "@type": "Thing",
    id: 7,
    name: "é",
  });
  expect(ld.headers.get("content-type")).toBe("application/ld+json; charset=utf-8");
  expect(ld.headers.get("cache-control")).toBe("public, no-cache");
  expectCommonHeaders(ld.headers);
  const plain = await call(handler, {
    params: { id: "7" },
    headers: { accept: "application/json" },
  });
  expect(plain.json).toEqual({ id: 7, name: "é" });
  expect(plain.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expectCommonHeaders(plain.headers);
  for (const id of ["0", "abc", "99999999999"])
    expect((await call(handler, { params: { id } })).status, id).toBe(404);
  expect(
    (await call(handler, { params: { id: "7" }, headers: { accept: "text/html" } })).status,
  ).toBe(406);
});

test("a collection is sent as a Hydra collection or an array", async () => {
  const rows = [1, 2, 3, 4, 5].map((id) => ({ id, name: `n${id}` }));
  const list = (plainArray: boolean) =>
    route({
      access: "public",
      summary: "Lister",
      query: pagingQuery,
      run: ({ query: { page, itemsPerPage } }) => ({
        items: rows.slice((page - 1) * itemsPerPage, page * itemsPerPage),
        total: rows.length,
      }),
      reply: collectionOf(thing, { plainArray }),
    });
  const ld = await call(list(false), { path: "/api/things?itemsPerPage=2&page=2" });
  expect(ld.json).toEqual({
    "@context": "/api/contexts/Thing",
    "@id": "/api/things",
    "@type": "hydra:Collection",
    "hydra:totalItems": 5,
    "hydra:member": [
      { "@id": "/api/things/3", "@type": "Thing", id: 3, name: "n3" },
      { "@id": "/api/things/4", "@type": "Thing", id: 4, name: "n4" },
    ],
    "hydra:view": {
      "@id": "/api/things?itemsPerPage=2&page=2",
      "@type": "hydra:PartialCollectionView",
      "hydra:first": "/api/things?itemsPerPage=2&page=1",
      "hydra:last": "/api/things?itemsPerPage=2&page=3",
      "hydra:previous": "/api/things?itemsPerPage=2&page=1",
      "hydra:next": "/api/things?itemsPerPage=2&page=3",
    },
    "hydra:search": {
      "@type": "hydra:IriTemplate",
      "hydra:template": "/api/things",
      "hydra:variableRepresentation": "BasicRepresentation",
      "hydra:mapping": [],
    },
  });
  const beyond = await call(list(false), { path: "/api/things?page=1000000000000" });
  expect(beyond.status).toBe(200);
  expect(beyond.json["hydra:member"]).toEqual([]);
  const accept = { accept: "application/json, text/plain, */*" };
  expect((await call(list(false), { headers: accept })).json).toEqual(rows);
  expect((await call(list(true))).json).toEqual(rows);
  const refused = await call(list(false), { path: "/api/things?page=0" });
  expect([refused.status, refused.json.status]).toEqual([400, 400]);
});

test("the POST of a resource is 201 with its Location, and is not cached", async () => {
  const handler = route({
    access: "public",
    summary: "Créer",
    body: z.object({ name: z.string().min(1) }),
    errorsMap: true,
    run: ({ body }) => ({ id: 9, name: body.name }),
    reply: thing,
  });
  const created = await call(handler, { method: "POST", body: { name: "x" } });
  expect(created.status).toBe(201);
  expect(created.headers.get("location")).toBe("/api/things/9");
  expect(created.headers.get("cache-control")).toBe("private, no-store");
  expect(created.json).toMatchObject({ "@id": "/api/things/9", name: "x" });
  const refused = await call(handler, { method: "POST", body: { name: "" } });
  expect(refused.status).toBe(422);
  expect(refused.json).toMatchObject({
    violations: [{ propertyPath: "name", message: "Ce champ est obligatoire." }],
    errors: { name: "Ce champ est obligatoire." },
  });
});

test("commands, empty responses and files are sent", async () => {
  const command = route({
    access: "public",
    summary: "Faire",
    run: () => ({ message: "Fait." }),
    reply: message({ status: 201 }),
  });
  const done = await call(command, { method: "POST" });
  expect([done.status, done.json]).toEqual([201, { message: "Fait." }]);
  const remove = route({
    access: "public",
    summary: "Supprimer",
    run: () => undefined,
    reply: 204,
  });
  const removed = await call(remove, { method: "DELETE" });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expectCommonHeaders(removed.headers);
  const pdf = route({
    access: "public",
    summary: "Télécharger",
    run: () => new Response("%PDF", { headers: { "content-type": "application/pdf" } }),
    reply: file({ contentType: "application/pdf", description: "La facture" }),
  });
  const downloaded = await call(pdf, { headers: { accept: "application/pdf" } });
  expect([downloaded.status, downloaded.text]).toEqual([200, "%PDF"]);
  expect(downloaded.headers.get("content-type")).toBe("application/pdf");
  expectCommonHeaders(downloaded.headers);
});

test("guarded files are not cached by proxies", async () => {
  const reply = file({ contentType: "application/pdf", description: "La facture" });
  const download = (access: "public" | "cron", headers: Record<string, string> = {}) =>
    route({ access, summary: "Télécharger", run: () => new Response("%PDF", { headers }), reply });
  const authorization = "Bearer the-scheduler's-secret";
  const cacheControl = async (handler: Handler) =>
    (await call(handler, { headers: { authorization } })).headers.get("cache-control");
  expect(await cacheControl(download("cron"))).toBe("private, no-store");
  expect(await cacheControl(download("cron", { "cache-control": "private" }))).toBe("private");
  expect(await cacheControl(download("public"))).toBeNull();
});

test("HEAD of a file cancels its stream", async () => {
  let isCancelled = false;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(10)),
        cancel: () => {
          isCancelled = true;
        },
      }),
    );
  const reply = file({ contentType: "application/pdf", description: "La facture" });
  const { HEAD } = methods({
    GET: route({ access: "public", summary: "Télécharger", run: endless, reply }),
  });
  expect((await call(HEAD, { method: "HEAD" })).text).toBe("");
  expect(isCancelled).toBe(true);
});

test("errors that run throws become responses", async () => {
  const throwing = (error: unknown) =>
    route({
      access: "public",
      summary: "Échouer",
      run: () => {
        throw error;
      },
      reply: 204,
    });
  expect((await call(throwing(fail.conflict("Déjà fait.")))).json).toMatchObject({
    status: 409,
    error: "Déjà fait.",
  });
  expect((await call(throwing(new Error("secret")))).status).toBe(500);
  expect((await call(throwing("text"))).status).toBe(500);
});

test("without a valid token access is refused", async () => {
  let runs = 0;
  const guarded = (access: "user" | "admin" | "pending-2fa") =>
    route({ access, summary: "Garder", run: () => runs++, reply: 204 });
  const token = await issueToken({
    user: { id: 1, roles: ["ROLE_ADMIN"], sessionVersion: 1 },
    type: "access",
  });
  for (const access of ["user", "admin", "pending-2fa"] as const)
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Bearer abc",
      "Basic abc",
      `Bearer ${token}x`,
      `Bearer a b`,
    ]) {
      const refused = await call(guarded(access), { headers: { authorization } });
      expect(refused.status, `${access} ${authorization}`).toBe(401);
      expect(refused.headers.get("www-authenticate")).toBe("Bearer");
      expect(refused.json.code).toBe(401);
    }
  // A good token, but no database to ask: that is no reason to send anybody to the login.
  const unknown = await call(guarded("user"), { headers: { authorization: `Bearer ${token}` } });
  expect(unknown.status).toBe(503);
  expect(runs).toBe(0);
});

test("the scheduler needs its secret", async () => {
  const handler = route({ access: "cron", summary: "Planifier", run: () => undefined, reply: 204 });
  const status = async (authorization: string) =>
    (await call(handler, { headers: { authorization } })).status;
  expect(await status("Bearer the-scheduler's-secret")).toBe(204);
  expect(await status("Bearer the-scheduler's-secre")).toBe(401);
  expect(await status("")).toBe(401);
  delete process.env.CRON_SECRET;
  forgetEnv();
  expect(await status("Bearer undefined")).toBe(401);
  process.env.CRON_SECRET = "the-scheduler's-secret";
  forgetEnv();
});

test("checks run in this order: access, path, query, body", async () => {
  const checks = {
    params: idParams,
    query: pagingQuery,
    body: z.object({ name: z.string() }),
    run: () => undefined,
    reply: 204 as const,
    summary: "Ordonner",
  };
  const wrong = { method: "POST", path: "/api/things/x?page=0", params: { id: "x" }, body: {} };
  expect((await call(route({ ...checks, access: "user" }), wrong)).status).toBe(401);
  const open = route({ ...checks, access: "public" });
  expect((await call(open, wrong)).status).toBe(404);
  expect((await call(open, { ...wrong, params: { id: "1" } })).status).toBe(400);
  expect((await call(open, { ...wrong, params: { id: "1" }, path: "/api/things/1" })).status).toBe(
    422,
  );
});

test("HEAD has no body; OPTIONS and 405 list the allowed methods", async () => {
  const verbs = methods({
    GET: route({
      access: "public",
      summary: "Lire",
      run: () => ({ id: 1, name: "x" }),
      reply: thing,
    }),
    PUT: route({
      access: "public",
      summary: "Écrire",
      run: () => ({ id: 1, name: "x" }),
      reply: thing,
    }),
  });
  expect(Object.keys(verbs).sort()).toEqual([...VERBS].sort());
  const head = await call(verbs.HEAD, { method: "HEAD" });
  expect([head.status, head.text]).toEqual([200, ""]);
  expect(head.headers.get("content-type")).toBe("application/ld+json; charset=utf-8");
  expect(head.headers.get("cache-control")).toBe("public, no-cache");
  const options = await call(verbs.OPTIONS, { method: "OPTIONS" });
  expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS, PUT"]);
  for (const method of ["POST", "PATCH", "DELETE"] as const) {
    const refused = await call(verbs[method], { method });
    expect([refused.status, refused.headers.get("allow")]).toEqual([
      405,
      "GET, HEAD, OPTIONS, PUT",
    ]);
    expect(refused.json["@type"]).toBe("hydra:Error");
    expectCommonHeaders(refused.headers);
  }
  const writeOnly = methods({ POST: verbs.PUT });
  expect((await call(writeOnly.HEAD, { method: "HEAD" })).status).toBe(405);
});

test("unknown paths are 404", async () => {
  const { GET, HEAD, POST } = refuseAll();
  const at = (handler: Handler, path: string) =>
    handler(new Request("http://shop.test/api/x"), { params: Promise.resolve({ path: [path] }) });
  expect((await at(GET, "unknown")).status).toBe(404);
  expect((await at(POST, "unknown")).status).toBe(404);
  expect(await (await at(HEAD, "unknown")).text()).toBe("");
});
