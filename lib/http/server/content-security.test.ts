import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { documentPolicy, isKnownScript, noncePolicy } from "@/lib/http/server/content-security";
import { AUTH_SCRIPT, EARLY_TAPS_SCRIPT, GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const directivesOf = (policy: string): Record<string, string[]> =>
  Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );

/** The policy of a document in a shop with these variables. */
function policyWith(variables: Record<string, string>, { html = "", path = "/" } = {}) {
  const before = { ...process.env };
  Object.assign(process.env, { AUTH_SECRET: "a-secret-of-the-unit-tests", ...variables });
  forgetEnv();
  try {
    return directivesOf(documentPolicy({ html, path }));
  } finally {
    process.env = before;
    forgetEnv();
  }
}

const nonced = (path: string) => directivesOf(noncePolicy({ nonce: "bm9uY2U=", path }));

test("a document may run only the shop's scripts and Next.js's calls that pass on data", () => {
  const known = [
    ...[AUTH_SCRIPT, EARLY_TAPS_SCRIPT, GREETING_SCRIPT],
    "(self.__next_f=self.__next_f||[]).push([0])",
    'self.__next_f.push([1,"a\\u003c/script>\\n"])',
    '(globalThis["TURBOPACK"] || (globalThis["TURBOPACK"] = [])).push({"otherChunks":["a.js"]});',
  ];
  const unknown = [
    "alert(1)",
    'self.__next_f.push([1,"a"]);alert(1)',
    'self.__next_f.push([1,"a"+alert(1)])',
    "self.__next_f.push([1,alert`1`])",
    'alert(1);self.__next_f.push([1,"a"])',
    `${AUTH_SCRIPT};alert(1)`,
    'self.__next_f.push([1,"a"])\n//',
  ];
  for (const text of known) expect(isKnownScript(text), text).toBe(true);
  for (const text of unknown) expect(isKnownScript(text), text).toBe(false);
  const inline = [...known, ...unknown].map((text) => `<script id="a">${text}</script>`).join("");
  // Structured data and scripts with src need no hash.
  const others = `<script type="application/ld+json">{"a":1}</script><script src="/_next/a.js" async=""></script>`;
  const { "script-src": sources } = policyWith({}, { html: inline + others });
  expect(sources).toEqual(["'self'", ...known.map(hash)]);
});

test("nothing allows inline scripts, evaluation, plugins, frames, other bases or form targets", () => {
  for (const policy of [policyWith({}), nonced("/backoffice")]) {
    expect(policy).toMatchObject({
      "default-src": ["'none'"],
      "base-uri": ["'none'"],
      "frame-ancestors": ["'none'"],
      "form-action": ["'self'"],
    });
    expect(policy).not.toHaveProperty("frame-src");
    expect(policy).not.toHaveProperty("object-src");
    expect(policy["script-src"]?.join(" ")).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    expect(policy["style-src"]?.join(" ")).not.toMatch(/unsafe/);
  }
});

test("other origins are reached by the back office, which saves its PDFs, and by a configured Matomo", () => {
  expect(nonced("/backoffice/orders")["connect-src"]).toEqual(["'self'", "https:", "http:"]);
  for (const policy of [policyWith({}), nonced("/products?search=a")])
    expect(policy["connect-src"]).toEqual(["'self'"]);
  expect(policyWith({ MATOMO_URL: "https://stats.exemple.fr/matomo" })).toMatchObject({
    "script-src": ["'self'", "https://stats.exemple.fr"],
    "connect-src": ["'self'", "https://stats.exemple.fr"],
  });
});

test("the payment provider is allowed if it is configured, and only in the checkout", () => {
  const stripe = {
    STRIPE_SECRET_KEY: "sk_test_1",
    STRIPE_PUBLISHABLE_KEY: "pk_test_1",
    STRIPE_WEBHOOK_SECRET: "whsec_1",
  };
  const checkout = { path: "/checkout" };
  expect(policyWith(stripe, checkout)).toMatchObject({
    "script-src": expect.arrayContaining(["https://js.stripe.com"]),
    "frame-src": expect.arrayContaining(["https://hooks.stripe.com"]),
    "connect-src": ["'self'", "https://api.stripe.com"],
  });
  const sandbox = policyWith({ STRIPE_API_BASE: "http://127.0.0.1:12345" }, checkout);
  expect(sandbox["connect-src"]).toEqual(["'self'", "http://127.0.0.1:12345"]);
  expect(sandbox["script-src"]).toEqual(["'self'"]);
  expect(sandbox).not.toHaveProperty("frame-src");
  for (const path of ["/cart", "/product/checkout", "/checkout/x"])
    expect(JSON.stringify(policyWith(stripe, { path })), path).not.toContain("stripe");
});
