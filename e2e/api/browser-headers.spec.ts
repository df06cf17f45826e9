import { createHash } from "node:crypto";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { issueToken } from "@/lib/auth/token";
import { ask } from "../answers";
import { expect, test } from "../fixtures";

// Content security policies, HSTS, and calls from other sites: docs/decisions/030. The headers of every kind of response:
// e2e/answers.ts. Every browser test proves that the pages work under the policy: a violation is a console error.

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The inline scripts of a page that a browser would run. */
const inlineScripts = (html: string) =>
  [...html.matchAll(/<script([^>]*)>([\s\S]*?)<\/script>/g)].filter(
    ([, attributes = ""]) => !/ (?:src|type)=/.test(attributes),
  );

function directive(policy: string, name: string): string[] {
  const found = policy.split("; ").find((text) => text.startsWith(`${name} `));
  return found?.split(" ").slice(1) ?? [];
}

test("a cached page's policy allows exactly its inline scripts", async ({ shop }) => {
  for (const path of [
    ...["/", "/products?type=digital", "/product/34", "/contact", "/login"],
    ...["/product/999999", "/rien/du/tout", "/products?page=99999"],
  ]) {
    await shop.forgetCaches();
    for (const stored of ["MISS", "HIT"]) {
      const about = `${path} (${stored})`;
      const answer = await fetch(shop.baseURL + path);
      const html = await answer.text();
      expect(answer.headers.get("x-nextjs-cache"), about).toBe(stored);
      const policy = answer.headers.get("content-security-policy") ?? "";
      const scripts = inlineScripts(html);
      expect(scripts.length, about).toBeGreaterThan(2);
      expect(directive(policy, "script-src"), about).toEqual([
        "'self'",
        ...new Set(scripts.map(([, , text = ""]) => hash(text))),
      ]);
      expect(html, about).not.toMatch(/<[^>]+ on\w+="/);
      // The page has content even if its object does not exist, and also when it comes from the cache.
      expect(html, about).toContain("<h1");
    }
  }
});

test("a page rendered per request has a fresh nonce on every script", async ({ shop }) => {
  const nonces = new Set<string>();
  for (const path of ["/mailbox", "/mailbox", "/mailbox?page=2"]) {
    const answer = await fetch(shop.baseURL + path, {
      headers: { "Content-Security-Policy": "script-src 'nonce-chosen-by-the-client'" },
    });
    const html = await answer.text();
    const policy = answer.headers.get("content-security-policy") ?? "";
    const [self, nonce = "", ...ownScripts] = directive(policy, "script-src");
    expect([self, ownScripts.length]).toEqual(["'self'", 2]);
    nonces.add(nonce);
    const value = /^'nonce-(.{24})'$/.exec(nonce)?.[1];
    const foreign = inlineScripts(html).filter(
      ([, attributes = "", text = ""]) =>
        !attributes.includes(`nonce="${value}"`) && !ownScripts.includes(hash(text)),
    );
    expect(foreign).toEqual([]);
    expect(html).not.toContain("chosen-by-the-client");
  }
  expect(nonces.size).toBe(3);
  // A client cannot get a nonce into the cache.
  await shop.forgetCaches();
  const headers = { "Content-Security-Policy": "script-src 'nonce-chosen'" };
  const html = await (await fetch(`${shop.baseURL}/product/34`, { headers })).text();
  expect(html).not.toContain("chosen");
});

test("HSTS is sent for https, except by a developer's own machine", async ({ baseURL }) => {
  const secure = { "X-Forwarded-Proto": "https" };
  const paths = ["/", "/api/home", "/images/placeholder.webp", "/nothing", "/backoffice"];
  // The third answer of a page is a stored one, which must not have the headers of another visitor's scheme.
  for (const path of [...paths, ...paths, ...paths])
    for (const [sent, expected] of [
      [{}, undefined],
      [secure, "max-age=63072000; includeSubDomains"],
      [{ ...secure, Host: "boutique.exemple.fr" }, "max-age=63072000; includeSubDomains"],
      [{ ...secure, Host: "localhost:3000" }, undefined],
    ] as const) {
      const headers = { ...sent, "Accept-Encoding": "gzip" };
      const answer = await ask(String(baseURL), { path, headers });
      expect(answer.headers["strict-transport-security"], `${path} ${JSON.stringify(sent)}`).toBe(
        expected,
      );
    }
});

test.describe("pages of other sites", () => {
  const FOREIGN = "https://pirate.exemple";
  const PARTNER = "https://partenaire.exemple.fr";
  const SHOP = "https://boutique.exemple.fr";
  /** A link on another site, in a tab of its own. */
  const LINK = {
    "Sec-Fetch-Site": "cross-site",
    "Sec-Fetch-Mode": "navigate",
    "Sec-Fetch-Dest": "document",
  };

  const REFUSAL = "Les pages d'autres sites ne peuvent pas appeler la boutique.";

  test("cannot call the API, for reading or for writing", async ({ api, database: db }) => {
    const user = await createUser({ db });
    const token = await issueToken({ user, type: "access" });
    for (const headers of [
      ...[FOREIGN, "null", "https://127.0.0.1.pirate.exemple"].map((Origin) => ({ Origin })),
      { Origin: FOREIGN, "Sec-Fetch-Site": "cross-site" },
      { "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors", "Sec-Fetch-Dest": "script" },
      { "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors" },
      { ...LINK, "Sec-Fetch-Dest": "iframe" },
    ] as Record<string, string>[])
      for (const [method, path, json] of [
        ["GET", "/api/products", undefined],
        ["GET", "/api/cart", undefined],
        ["PUT", "/api/account", { firstName: "Pirate" }],
        ["POST", "/api/login_check", { email: user.email, password: "x" }],
        ["POST", "/api/auth/signout", {}],
        ["OPTIONS", "/api/products", undefined],
        ["GET", "/api/nothing", undefined],
      ] as const) {
        const about = `${method} ${path} ${JSON.stringify(headers)}`;
        const answer = await api.request<{ detail: string }>(method, path, {
          token,
          headers,
          ...(json && { json }),
        });
        expect([answer.status, answer.json.detail], about).toEqual([403, REFUSAL]);
        expect(answer.headers["access-control-allow-origin"], about).toBeUndefined();
      }
  });

  test("can link to the shop; its pages and programs call the API", async ({ api, shop }) => {
    const { host } = new URL(shop.baseURL);
    for (const headers of [
      {},
      { Origin: shop.baseURL },
      { Origin: `https://${host}` },
      { "Sec-Fetch-Site": "none" },
      // A proxy may change the host: the browser's own header decides.
      { Origin: SHOP, "Sec-Fetch-Site": "same-origin" },
      LINK,
    ] as Record<string, string>[])
      expect((await api.get("/api/docs", { headers })).status, JSON.stringify(headers)).toBe(200);
    // Anybody may link to pages and pictures.
    const cross = { Origin: FOREIGN, "Sec-Fetch-Site": "cross-site" };
    for (const path of ["/product/34", "/images/placeholder.webp"])
      expect((await api.get(path, { headers: cross })).status, path).toBe(200);
  });

  test("may call it only where their origin is configured", async ({ shopWith, database: db }) => {
    const env = { SITE_URL: SHOP, CORS_ORIGINS: `${PARTNER}/, https://app.exemple.fr` };
    const { api } = await shopWith({ database: "shared", env });
    const preflight = await api.request("OPTIONS", "/api/cart", {
      headers: {
        Origin: PARTNER,
        "Sec-Fetch-Site": "cross-site",
        "Access-Control-Request-Method": "DELETE",
        "Access-Control-Request-Headers": "authorization,content-type",
      },
    });
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        "access-control-allow-origin": PARTNER,
        "access-control-allow-methods": expect.stringContaining("DELETE"),
        "access-control-allow-headers": expect.stringMatching(/Authorization.*Idempotency-Key/),
        vary: expect.stringContaining("Origin"),
      },
    });
    expect(preflight.headers).not.toHaveProperty("access-control-allow-credentials");

    const user = await createUser({ db });
    const token = await issueToken({ user, type: "access" });
    const headers = { Origin: PARTNER };
    expect(await api.get("/api/cart", { token, headers })).toMatchObject({
      status: 200,
      headers: {
        "access-control-allow-origin": PARTNER,
        "access-control-expose-headers": expect.stringContaining("ETag"),
      },
    });
    // The partner can read a refusal too.
    expect(await api.get("/api/users", { headers })).toMatchObject({
      status: 401,
      headers: { "access-control-allow-origin": PARTNER },
    });

    const own = await api.get("/api/home", { headers: { Origin: SHOP } });
    expect(own).toMatchObject({
      status: 200,
      headers: { vary: expect.stringMatching(/Accept, Origin$/) },
    });
    expect(own.headers).not.toHaveProperty("access-control-allow-origin");
    const login = { username: user.email, password: DEFAULT_PASSWORD };
    const { headers: opened } = await api.post("/api/login_check", { json: login });
    expect(opened["set-cookie"], "the device cookie of a shop on https").toEqual([
      expect.stringMatching(/^__Secure-device=.*; Secure$/),
    ]);
    for (const Origin of [FOREIGN, `${PARTNER}.pirate.exemple`, "http://partenaire.exemple.fr"])
      expect((await api.get("/api/home", { headers: { Origin } })).status, Origin).toBe(403);
  });
});

test("security.txt says where to report a vulnerability", async ({ shop }) => {
  const answer = await fetch(`${shop.baseURL}/.well-known/security.txt`);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const text = await answer.text();
  expect(text).toMatch(/^Contact: mailto:[^\s<>]+@[^\s<>]+$/m);
  expect(text).toContain(`Canonical: ${shop.baseURL}/.well-known/security.txt`);
  const [, expires = ""] = /^Expires: (.+)$/m.exec(text) ?? [];
  expect(Date.parse(expires)).toBeGreaterThan(Date.now());
});
