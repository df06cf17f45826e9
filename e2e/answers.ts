import { once } from "node:events";
import http from "node:http";
import { gunzipSync } from "node:zlib";
import { demoAdmin, demoCustomer } from "@/db/seed/people";
import { CHECKOUT_COOKIE } from "@/lib/guards";
import { CLOSED_POLICY } from "@/lib/http/security-headers";

// The table of requests that every way of running the demonstration shop answers alike: server.mjs, `next start`, and
// Next.js's standalone server. It needs nothing but HTTP, so scripts may use it, too.

interface Question {
  status: number;
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Comes from the cache at the third request. */
  isStored?: boolean;
}

export interface Answer {
  status: number;
  headers: http.IncomingHttpHeaders;
  body: Buffer;
}

/** `fetch` would change the path, accept gzip and hide it. */
export async function ask(
  baseURL: string,
  { path, method = "GET", headers, body }: Omit<Question, "status">,
): Promise<Answer> {
  const { hostname, port } = new URL(baseURL);
  const request = http.request({ hostname, port, path, method, headers });
  request.end(body);
  const [response] = (await once(request, "response")) as [http.IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    body: Buffer.concat(chunks),
  };
}

const JSON_BODY = { "Content-Type": "application/json" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };

const cookiesOf = ({ headers }: Answer) =>
  (headers["set-cookie"] ?? []).map((cookie) => cookie.split(";", 1)[0]).join("; ");

async function logIn(baseURL: string, { email, password }: { email: string; password: string }) {
  const body = JSON.stringify({ username: email, password });
  const path = "/api/login_check";
  const login = await ask(baseURL, { path, method: "POST", headers: JSON_BODY, body });
  const { token } = JSON.parse(String(login.body)) as { token: string };
  const csrf = await ask(baseURL, { path: "/api/auth/csrf" });
  const { csrfToken } = JSON.parse(String(csrf.body)) as { csrfToken: string };
  const session = await ask(baseURL, {
    path: "/api/auth/callback/token",
    method: "POST",
    headers: { ...FORM, Cookie: cookiesOf(csrf) },
    body: new URLSearchParams({ token, csrfToken }).toString(),
  });
  return { bearer: { Authorization: `Bearer ${token}` }, cookie: { Cookie: cookiesOf(session) } };
}

/** The requests, asked by visitors, a customer and an administrator of the demonstration shop that runs there. */
export async function questions(baseURL: string): Promise<Question[]> {
  const customer = await logIn(baseURL, demoCustomer);
  const admin = await logIn(baseURL, demoAdmin);
  const { Cookie } = customer.cookie;
  const fromCart = { Cookie: `${Cookie}; ${CHECKOUT_COOKIE}=1` };
  const list = await ask(baseURL, { path: "/api/admin/invoices", headers: admin.bearer });
  const [invoice] = JSON.parse(String(list.body)) as { id: number }[];
  const home = String((await ask(baseURL, { path: "/" })).body);
  const chunk = /\/_next\/static\/chunks\/[^"]+\.js/.exec(home)?.[0] ?? "";
  const post = (path: string, status: number, body: string, headers = JSON_BODY): Question => ({
    status,
    path,
    method: "POST",
    headers,
    body,
  });
  const stored = (path: string): Question => ({ status: 200, path, isStored: true });
  return [
    // Pages
    ...["/", "/contact", "/login", "/product/34", "/products", "/products?page=2"].map(stored),
    ...["/products?type=digital&page=2", "/products?page=2&type=digital"].map(stored),
    ...["/products?utm_source=a&max_price=30", "/contact?utm_source=a", "/product/34?a=b"].map(
      stored,
    ),
    { status: 200, path: "/", method: "HEAD", isStored: true },
    { status: 200, path: "/products?search=tasse" },
    { status: 200, path: "/products?search=TASSE&type=physical" },
    { status: 200, path: "/reset-password/abc" },
    { status: 200, path: "/account", headers: customer.cookie },
    { status: 200, path: "/order/1/confirmation", headers: customer.cookie },
    { status: 200, path: "/checkout", headers: fromCart },
    { status: 200, path: "/backoffice", headers: admin.cookie },
    { status: 307, path: "/backoffice", headers: customer.cookie },
    { status: 307, path: "/backoffice/orders?page=2" },
    { status: 307, path: "/checkout", headers: customer.cookie },
    { status: 307, path: "/login", headers: customer.cookie },
    { status: 404, path: "/product/999999" },
    { status: 404, path: "/products?page=99999" },
    { status: 404, path: "/rien/du/tout" },
    // Spellings
    { status: 308, path: "/site/fr" },
    { status: 308, path: "/site/fr/products?page=2" },
    { status: 308, path: "/contact/" },
    { status: 404, path: "/PRODUCTS" },
    { status: 404, path: "/Product/34" },
    { status: 404, path: "/%E0%A4%A" },
    { status: 400, path: "/api/%ff" },
    { status: 308, path: "//api" },
    // The API
    { status: 200, path: "/api" },
    { status: 200, path: "/api/products?itemsPerPage=3&page=2&type=physical" },
    { status: 200, path: "/api/products?search=tasse" },
    { status: 200, path: "/api/products/34", headers: { Accept: "application/json" } },
    { status: 200, path: "/api/home", method: "HEAD" },
    { status: 200, path: "/api/health" },
    { status: 200, path: "/api/docs" },
    { status: 200, path: "/api/docs.json" },
    { status: 200, path: "/api/account", headers: customer.bearer },
    { status: 200, path: "/api/users", headers: admin.bearer },
    { status: 200, path: "/api/admin_orders", headers: { ...admin.bearer, Accept: "text/csv" } },
    { status: 200, path: `/api/invoices/${invoice?.id}/download`, headers: admin.bearer },
    {
      ...post("/api/account", 200, JSON.stringify({ firstName: demoCustomer.firstName })),
      method: "PUT",
      headers: { ...customer.bearer, ...JSON_BODY },
    },
    { status: 204, path: "/api/cart/add", method: "OPTIONS" },
    { status: 400, path: "/api/reviews?page=-1" },
    post("/api/login_check", 400, "{"),
    post("/api/stripe/webhook", 400, "{}"),
    { status: 401, path: "/api/cart" },
    post("/api/login_check", 401, JSON.stringify({ username: "a@b.fr", password: "x" })),
    { status: 403, path: "/api/users", headers: customer.bearer },
    { status: 403, path: "/api/products", headers: { Origin: "https://pirate.exemple" } },
    { status: 404, path: "/api/nothing" },
    { status: 404, path: "/api/tags/999999" },
    { status: 404, path: "/api/orders/quatre%20cents", headers: admin.bearer },
    { status: 404, path: "/api/auth/nothing" },
    { status: 405, path: "/api/categories/1", method: "PATCH" },
    { status: 406, path: "/api/tags", headers: { Accept: "text/plain" } },
    post("/api/contact", 413, JSON.stringify({ text: "a".repeat(70_000) })),
    post("/api/register", 415, "a", { "Content-Type": "text/plain" }),
    post("/api/reset-password", 422, "{}"),
    // Files
    { status: 200, path: chunk },
    { status: 404, path: "/_next/static/nothing.js" },
    { status: 200, path: "/images/placeholder.webp" },
    { status: 404, path: "/images/nothing.webp" },
    { status: 200, path: "/_next/image?url=%2Fimages%2Fplaceholder.webp&w=96&q=75" },
    { status: 400, path: "/_next/image?url=%2Fimages%2F.%2Fplaceholder.webp&w=96&q=75" },
    { status: 404, path: "/_next/image?url=%2Fimages%2Fnothing.webp&w=96&q=75" },
    { status: 200, path: "/icons/icon.svg" },
    { status: 200, path: "/favicon.ico" },
    { status: 404, path: "/downloads/1/nothing.pdf" },
    { status: 200, path: "/robots.txt" },
    { status: 200, path: "/sitemap.xml" },
    { status: 404, path: "/sitemap.xml?part=x" },
    { status: 200, path: "/feed.xml" },
    { status: 200, path: "/manifest.webmanifest" },
    { status: 200, path: "/og/site" },
    { status: 200, path: "/og/product/34" },
    { status: 404, path: "/og/product/999999" },
  ];
}

const COMMON = {
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
  "referrer-policy": "strict-origin-when-cross-origin",
  "cross-origin-opener-policy": "same-origin",
};

/** What is wrong with an answer by itself: its status, its security headers. */
function faultsOf({ status, isStored }: Question, answer: Answer): string[] {
  const { headers } = answer;
  const faults: string[] = [];
  if (answer.status !== status) faults.push(`status ${answer.status} instead of ${status}`);
  if (isStored && headers["x-nextjs-cache"] !== "HIT")
    faults.push(`${headers["x-nextjs-cache"]} instead of HIT`);
  // Redirects have no document, and Next.js sends its own before it looks at next.config.ts's headers.
  if (answer.status >= 300 && answer.status < 400) return faults;
  for (const [name, value] of Object.entries(COMMON))
    if (headers[name] !== value) faults.push(`${name}: ${headers[name]}`);
  if (!headers["permissions-policy"]?.includes("camera=()")) faults.push("permissions-policy");
  for (const name of ["x-powered-by", "strict-transport-security"])
    if (name in headers) faults.push(name);
  const policy = String(headers["content-security-policy"]);
  const isDocument = headers["content-type"]?.startsWith("text/html");
  if (isDocument ? !/default-src 'none'.*frame-ancestors 'none'/.test(policy) : !isClosed(policy))
    faults.push(`content-security-policy: ${policy}`);
  return faults;
}

/** Next.js has a policy of its own for resized pictures. */
const isClosed = (policy: string) =>
  policy === CLOSED_POLICY || /^(?:default|script)-src 'none'/.test(policy);

/** Headers of the transfer, which may differ; server.mjs compresses stored pages and names the length of files. */
const OF_TRANSFER = [
  ...["connection", "date", "keep-alive", "transfer-encoding", "content-length"],
  ...["content-encoding", "x-body-length", "x-request-id"],
];

/** An answer as text to compare, without nonces. */
function comparable({ status, headers, body }: Answer): Record<string, unknown> {
  const isPacked = headers["content-encoding"] === "gzip" && body.length > 0;
  const withoutNonce = (text: string) =>
    text.replace(/nonce(-|=\\?"|\\?":\\?")[\w+/=]{24}/g, "nonce$1");
  const text = withoutNonce((isPacked ? gunzipSync(body) : body).toString("latin1"));
  const names = Object.keys(headers).filter((name) => !OF_TRANSFER.includes(name));
  const values = names.map((name) => [name, withoutNonce(String(headers[name]))]);
  const { vary, ...others } = Object.fromEntries(values);
  return { status, ...others, vary: vary?.replace(/, Accept-Encoding$/, ""), text };
}

/** How two answers differ, one line for each header or the body. */
function differences(one: Answer, other: Answer): string[] {
  const [a, b] = [comparable(one), comparable(other)];
  const shown = (value: unknown) => String(value).slice(0, 200);
  return Object.keys({ ...a, ...b })
    .filter((name) => a[name] !== b[name])
    .map((name) => {
      const [x, y] = [String(a[name]), String(b[name])];
      const at = name === "text" ? [...x].findIndex((char, index) => char !== y[index]) : 0;
      return `${name}: ${shown(x.slice(at))} | ${shown(y.slice(at))}`;
    });
}

/**
 * Asks all servers of one shop everything, and tells what is wrong with their answers and how they differ from the first
 * one's. All are asked for the shop's own host, as by a proxy.
 */
export async function compareServers(
  servers: Record<string, string>,
  siteUrl: string,
): Promise<string[]> {
  const [first = ""] = Object.values(servers);
  const found: string[] = [];
  for (const question of await questions(first)) {
    const about = `${question.method ?? "GET"} ${question.path} ${Object.keys(question.headers ?? {})}`;
    let expected: Answer | undefined;
    for (const [name, baseURL] of Object.entries(servers)) {
      const headers = { Host: new URL(siteUrl).host, ...question.headers };
      // The first renders what is stored, the second gets it from the cache.
      for (let turn = 0; turn < 2; turn++) await ask(baseURL, { ...question, headers });
      for (const encoding of [{}, { "Accept-Encoding": "gzip" }] as Record<string, string>[]) {
        const answer = await ask(baseURL, { ...question, headers: { ...headers, ...encoding } });
        expected ??= answer;
        for (const text of [...faultsOf(question, answer), ...differences(expected, answer)])
          found.push(`${name}, ${about}: ${text}`);
      }
    }
  }
  return [...new Set(found)];
}
