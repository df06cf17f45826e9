import { setTimeout as delay } from "node:timers/promises";
import { createAdmin, createUser } from "@/db/factories/people";
import { createRandom, type Random } from "@/db/seed/random";
import { issueToken } from "@/lib/auth/token";
import type { ApiAnswer, ApiRequest } from "../api-client";
import { startCards } from "../cards";
import { digests } from "../digests";
import { expect, type Shop, test } from "../fixtures";

// Random invalid requests. The API calls come from the shop's own OpenAPI document, so new routes are
// included. Every request must get a response, and never a 5xx. Every refusal must have the shop's own
// form. A refused call or a reading call may not change the database. Pages and files are requested in
// the same way. The seed is fixed, so a failure can be repeated.

const SEED = 20_261;
/**
 * Requests for each verb of each path. An administrator reaches the code behind nearly every call. The
 * others are mostly refused before it, and reach little that the administrator does not reach.
 */
const TRIES = { anonymous: 3, customer: 3, scheduler: 2, admin: 6 };
const PAGE_TRIES = 10;
/** A slower response counts as missing. */
const TIMEOUT_MS = 15_000;

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
  $ref?: string;
}

interface Operation {
  parameters?: { name: string; in: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema }> };
}

interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

const TEXTS = [
  ...["", " ", "0", "-1", "1.5", "1e400", "NaN", "null", "99999999999999999999", "2147483648"],
  ...["é".repeat(300), "a".repeat(20_000), "👩‍👩‍👧‍👦".repeat(60)],
  ...["\u0000", "a\u0000b", "\ud800", "\u202e\u200b\ufeff", "%00%ff%zz"],
  ...["' or 1=1 --", "'; drop table users; --", "../../../../etc/passwd", "{{7*7}}", "__proto__"],
  ...["<script>alert(1)</script>", "//exemple.fr", "a@b", "2026-13-45T99:99:99Z", "2026-02-30"],
  ...["/api/products/0", "/api/products/-1", "/api/users/99999999999"],
] as const;

const VALUES: readonly unknown[] = [
  ...TEXTS,
  ...[null, true, 0, -1, 0.1, 1e308, 2 ** 31, 2 ** 53],
  ...[[], {}, [null], [[[[]]]], { $ne: null }, { "@id": "/api/products/1" }],
  Array.from({ length: 500 }, (_, index) => index),
];

/** Too deep for a recursive parser. */
const DEEPLY_NESTED = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;

const bodyOf = (type: string, body: string | Uint8Array): ApiRequest => ({
  body,
  headers: { "Content-Type": type },
});

const BODIES: readonly ApiRequest[] = [
  ...[
    ...["", "{", "[]", '"texte"', DEEPLY_NESTED, `{"a":${DEEPLY_NESTED},"b":"\\u0000"}`],
    '{"a":1,"a":2,"__proto__":{"roles":["ROLE_ADMIN"]}}',
    new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  ].map((body) => bodyOf("application/json", body)),
  bodyOf("application/ld+json", "null"),
  bodyOf("application/x-www-form-urlencoded", "nom=a&email=b"),
  bodyOf("multipart/form-data; boundary=x", "--x\r\nContent-Disposition: form-data"),
  bodyOf("multipart/form-data", "x"),
  bodyOf("text/plain", "a".repeat(100_000)),
  { json: { nom: "a".repeat(200_000) } },
];

/** Headers of proxies, other frameworks and attackers; none may affect a call. */
const HEADERS: readonly Record<string, string>[] = [
  { "X-HTTP-Method-Override": "DELETE" },
  { "X-Forwarded-For": "127.0.0.1, ::1, <script>, 999.1.1.1" },
  { "X-Forwarded-Host": "pirate.exemple", "X-Forwarded-Proto": "javascript" },
  { "X-Shop-Peer-Address": "' or 1=1 --" },
  { "X-Middleware-Subrequest": "middleware:middleware:middleware:middleware:middleware" },
  { "X-Matched-Path": "/backoffice", "X-Invoke-Path": "/backoffice", "X-Nextjs-Data": "1" },
  { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-State-Tree": "%5B%22" },
  { "Next-Action": "a".repeat(40) },
  { "Content-Encoding": "gzip" },
  { "If-None-Match": `W/"${"a,".repeat(3_000)}"`, "If-Match": "*" },
  { Range: "bytes=9-1,-,0-0,1-1", "If-Range": "x" },
  { Cookie: `next-auth.session-token=${"a".repeat(4_000)}; a=%E0%A4; ;;==` },
  { "Accept-Language": "x;q=9,".repeat(500), "Accept-Charset": "utf-7" },
  { "Content-Security-Policy": "script-src 'nonce-x'", "X-Nonce": "x" },
  { Origin: "null" },
  { "Sec-Fetch-Site": "cross-site", Origin: "https://pirate.exemple" },
  { Host: "pirate.exemple:99999" },
  { Authorization: "Bearer ey.ey.ey" },
  { Authorization: `Basic ${"a".repeat(10_000)}` },
];

class Sender {
  constructor(
    private readonly random: Random,
    private readonly document: OpenApi,
  ) {}

  /** A value that roughly matches the schema, so that validation does not refuse it right away. */
  private fitting(schema: Schema | undefined, depth = 0): unknown {
    const { random } = this;
    if (!schema || depth > 4) return random.pick(VALUES);
    if (schema.$ref) {
      const name = schema.$ref.split("/").at(-1) ?? "";
      return this.fitting(this.document.components?.schemas?.[name], depth + 1);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return random.pick(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf ?? schema.allOf;
    if (choices) return this.fitting(random.pick(choices), depth + 1);
    const type = Array.isArray(schema.type) ? random.pick(schema.type) : schema.type;
    switch (type) {
      case "object":
        return Object.fromEntries(
          Object.entries(schema.properties ?? {})
            .filter(() => !random.chance(0.1))
            .map(([name, field]) => [name, this.value(field, depth + 1)]),
        );
      case "array":
        return Array.from({ length: random.int(0, 3) }, () => this.value(schema.items, depth + 1));
      case "boolean":
        return random.chance(0.5);
      case "integer":
        return random.int(0, 70);
      case "number":
        return random.int(0, 9_999) / 100;
      default:
        return random.pick("Été 75001 1 /api/products/3 nom@exemple.fr 2026-05-01".split(" "));
    }
  }

  private value(schema: Schema | undefined, depth = 0): unknown {
    return this.random.chance(0.25) ? this.random.pick(VALUES) : this.fitting(schema, depth);
  }

  private text(schema: Schema | undefined): string {
    const value = this.random.chance(0.5) ? this.random.pick(TEXTS) : this.fitting(schema);
    return typeof value === "string" ? value : JSON.stringify(value);
  }

  /** Sometimes not percent-encoded; never a space, which would end the URL. */
  private encoded(text: string): string {
    const cut = text.slice(0, 3_000).replaceAll(/\p{Surrogate}/gu, "");
    if (this.random.chance(0.1)) return "%E9%";
    return encodeURIComponent(cut);
  }

  request(
    path: string,
    { parameters = [], requestBody }: Operation,
  ): { path: string } & ApiRequest {
    const { random } = this;
    const known = parameters.filter(({ in: place }) => place === "query");
    const query = known
      .filter(() => random.chance(0.4))
      .map(({ name, schema }) => `${encodeURIComponent(name)}=${this.encoded(this.text(schema))}`);
    if (random.chance(0.2))
      query.push(random.pick(["page=0", "page=-1", "x[y][z]=1", "&&=", "page", "%", "search[]=a"]));
    const filled = path.replaceAll(/\{(\w+)\}/g, () =>
      random.chance(0.5) ? String(random.int(1, 70)) : this.encoded(random.pick(TEXTS)) || "0",
    );
    const url = filled + (query.length > 0 ? `?${query.join("&")}` : "");
    const accept = random.chance(0.15)
      ? random.pick(["application/json", "text/csv", "*/*;q=0", "image/png", "a/b/c", ","])
      : "application/ld+json";
    const content = requestBody?.content;
    if (random.chance(0.1)) {
      const schema = Object.values(content ?? {})[0]?.schema;
      const headers = random.pick(HEADERS);
      return { path: url, accept, headers, ...(content && { json: this.value(schema) }) };
    }
    if (!content && !random.chance(0.1)) return { path: url, accept };
    if (random.chance(0.25)) return { path: url, accept, ...random.pick(BODIES) };
    const schema = content?.["application/json"]?.schema ?? Object.values(content ?? {})[0]?.schema;
    return { path: url, accept, json: this.value(schema) };
  }
}

const changed = (before: Record<string, string>, after: Record<string, string>) =>
  Object.keys(after).filter(
    // This table counts attempts, above all failed ones.
    (table) => table !== "code_tries" && before[table] !== after[table],
  );

type Caller = keyof typeof TRIES;

async function tokenOf(shop: Shop, caller: Caller): Promise<string | undefined> {
  if (caller === "anonymous") return undefined;
  if (caller === "scheduler") return String(shop.env.CRON_SECRET);
  const user = await (caller === "admin" ? createAdmin : createUser)({ db: shop.database });
  return issueToken({ user, type: "access" });
}

/** Sends a request. Returns what is wrong with the answer, or that none came in time. */
async function send(
  { api }: Shop,
  method: string,
  { path, ...request }: { path: string } & ApiRequest,
  isWrong: (answer: ApiAnswer<unknown>) => boolean,
): Promise<{ status: number; wrong: string[] }> {
  const about = `${method} ${path.slice(0, 300)} ${JSON.stringify(request).slice(0, 300)}`;
  const answer = await Promise.race([
    api.request(method, path, { ...request, mayFail: true }),
    delay(TIMEOUT_MS, null, { ref: false }),
  ]);
  const status = answer?.status ?? 0;
  const isRight = answer && status < 500 && !isWrong(answer);
  return { status, wrong: isRight ? [] : [`${about}: ${status} ${answer?.text.slice(0, 300)}`] };
}

test("no random request breaks a call", async ({ shopWith, shopEnv }) => {
  test.setTimeout(600_000);
  // A card sandbox of its own, because the scheduler refunds payments.
  const cards = await startCards(String(shopEnv.AUTH_SECRET));
  const shop = await shopWith({ database: "own", env: { STRIPE_API_BASE: cards.url } });
  const document = (await shop.api.get<OpenApi>("/api/docs.json")).json;
  for (const [caller, tries] of Object.entries(TRIES) as [Caller, number][])
    await test.step(`of ${caller}`, () => sendRandomly({ shop, document }, { caller, tries }));
  expect(shop.log()).not.toMatch(/unhandled|ERR_/i);
  await cards.stop();
});

async function sendRandomly(
  { shop, document }: { shop: Shop; document: OpenApi },
  { caller, tries }: { caller: Caller; tries: number },
): Promise<void> {
  const sender = new Sender(createRandom(SEED), document);
  const wrong: string[] = [];
  let asked = 0;
  for (const [path, operations] of Object.entries(document.paths))
    for (const [verb, operation] of Object.entries(operations)) {
      const call = `${verb.toUpperCase()} ${path} of ${caller}`;
      // A new user for each call, so that a logout or deletion does not affect the next call.
      const token = await tokenOf(shop, caller);
      let before = await digests(shop.database);
      let accepted = 0;
      for (let attempt = 0; attempt < tries; attempt++) {
        const request = { ...sender.request(path, operation), ...(token && { token }) };
        const isUnclear = (answer: ApiAnswer<unknown>) =>
          answer.status >= 400 && !isProblem(answer);
        const answer = await send(shop, verb.toUpperCase(), request, isUnclear);
        wrong.push(...answer.wrong);
        asked++;
        if (answer.status < 400) accepted++;
        // Reading calls must change nothing, nor must the calls of others than administrators that are all
        // refused. This is checked once, below.
        if (verb === "get" || caller !== "admin") continue;
        const after = await digests(shop.database);
        const tables = changed(before, after);
        if (answer.status >= 400 && tables.length > 0)
          wrong.push(`${call}, ${request.path}: ${answer.status}, but changed ${tables}`);
        before = after;
      }
      const isReading = verb === "get" && !path.startsWith("/api/cron/");
      if (!isReading && (caller === "admin" || accepted > 0)) continue;
      const tables = changed(before, await digests(shop.database));
      if (tables.length > 0) wrong.push(`${call} changed ${tables}`);
    }
  expect(wrong.slice(0, 25), `${wrong.length} of ${asked} requests`).toEqual([]);
  expect(asked).toBeGreaterThan(100 * tries);
}

/** The paths of the shop that are not API calls, with their known parameters. */
const PATHS: readonly (readonly [path: string, ...parameters: string[]])[] = [
  ["/products", "search", "category", "tags.id", "type", "min_price", "max_price", "page"],
  ["/products", "price_sort", "date_sort", "page", "_rsc"],
  ["/product/{}", "_rsc"],
  ["/login", "retour"],
  ["/account-verification/{}", "email"],
  ["/orders", "lien"],
  ["/downloads/{}/{}", "user", "expires", "signature"],
  ["/sitemap.xml", "part"],
  ["/_next/image", "url", "w", "q"],
  ...`/ /contact /contact/merci /register /forget-password /reset-password/{} /account /profile /addresses
    /cart /checkout /order/{}/confirmation /backoffice /backoffice/{} /mailbox /mailbox/{} /images/{}
    /images/{}/{} /og/site /og/product/{} /feed.xml /robots.txt /_next/static/{} /api/auth/{}
    /api/auth/callback/{} /site/{}/products/{}/{} /{}`
    .split(/\s+/)
    .map((path) => [path] as const),
];

test("no request breaks pages and files; what is unknown is refused, and nothing is changed", async ({
  shopWith,
}) => {
  test.setTimeout(600_000);
  const shop = await shopWith({ database: "own" });
  const token = await tokenOf(shop, "admin");
  const before = await digests(shop.database);
  const random = createRandom(SEED);
  const sender = new Sender(random, { paths: {} });
  const wrong: string[] = [];
  for (const [path, ...names] of PATHS)
    for (let attempt = 0; attempt < PAGE_TRIES; attempt++) {
      const parameters = names.map((name) => ({ name, in: "query" }));
      const { headers, ...sent } = sender.request(path.replaceAll("{}", "{any}"), { parameters });
      const accept = random.chance(0.2) && sent.accept ? sent.accept : "text/html";
      const method = random.chance(0.1) ? random.pick(["HEAD", "POST", "PUT", "OPTIONS"]) : "GET";
      const request = { path: sent.path, accept, ...(headers && { headers }) };
      const isReflected = ({ text }: ApiAnswer<unknown>) => text.includes("<script>alert(1)");
      wrong.push(...(await send(shop, method, request, isReflected)).wrong);
    }
  expect(wrong.slice(0, 25), `${wrong.length} requests`).toEqual([]);

  // These are refused before they reach the API, whatever the path.
  for (const method of ["TRACE", "PROPFIND", "LINK", "PURGE", "SEARCH"])
    expect((await shop.api.request(method, "/api/users", { token })).status, method).toBe(405);
  for (const path of [
    ...["/api/../api/users", "/api//users", "//api/users", "/%61pi/users", "/api/%75sers"],
    ...["/api/users/", "/api/users;x=1", "/api/users%00", "/api/users%c0%af", "/api/users%2f1"],
    ...["/api/products/..%2f..%2fusers", "/api/%252e%252e/users", "/backoffice/%2e%2e/api/users"],
    ...["/api/.env", "/.env", "/.git/config", "/_next/../package.json"],
    ...["/_next/static/%2e%2e/%2e%2e/package.json", "/images/..%2f..%2fpackage.json"],
    "/site/fr/search?search=a",
  ]) {
    const answer = await shop.api.get(path);
    expect([200, 301, 302, 307, 308, 400, 401, 404], path).toContain(answer.status);
    expect(answer.text, path).not.toMatch(/"email"|"dependencies"|\[core\]|DATABASE_URL/);
  }
  expect(changed(before, await digests(shop.database))).toEqual([]);
  expect(shop.log()).not.toMatch(/unhandled|ERR_/i);
});

/** Is it a problem document, without internal details? */
function isProblem({ status, text, headers }: Omit<ApiAnswer<unknown>, "json">): boolean {
  if (!String(headers["content-type"]).startsWith("application/problem+json")) return false;
  const body = JSON.parse(text) as { status?: unknown; detail?: unknown };
  return body.status === status && typeof body.detail === "string" && !/\bat .+:\d+/.test(text);
}
