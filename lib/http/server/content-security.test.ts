import { createHash } from "node:crypto";
import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { documentPolicy, isKnownScript, noncePolicy } from "@/lib/http/server/content-security";
import { AUTH_SCRIPT, EARLY_TAPS_SCRIPT, GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function directivesOf(policy: string): Record<string, string[]> {
  return Object.fromEntries(
    policy.split("; ").map((directive) => {
      const [name = "", ...sources] = directive.split(" ");
      return [name, sources];
    }),
  );
}

/** The policy of a document in a shop with these variables. */
function policyWith(
  variables: Record<string, string>,
  page: { html?: string; path?: string } = {},
) {
  const before = { ...process.env };
  Object.assign(process.env, { AUTH_SECRET: "a-secret-of-the-unit-tests", ...variables });
  forgetEnv();
  try {
    return directivesOf(documentPolicy({ html: "", path: "/", ...page }));
  } finally {
    process.env = before;
    forgetEnv();
  }
}

const stripe = {
  STRIPE_SECRET_KEY: "sk_test_1",
  STRIPE_PUBLISHABLE_KEY: "pk_test_1",
  STRIPE_WEBHOOK_SECRET: "whsec_1",
};

test("a document may run only the shop's scripts and Next.js's calls that pass on data", () => {
  const known = [
    AUTH_SCRIPT,
    EARLY_TAPS_SCRIPT,
    GREETING_SCRIPT,
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

  const html = [...known, ...unknown].map((text) => `<script id="a">${text}</script>`).join("");
  expect(policyWith({}, { html })["script-src"]).toEqual(["'self'", ...known.map(hash)]);
});

test("structured data and scripts with src need no hash", () => {
  const html = `<script type="application/ld+json">{"a":1}</script><script src="/_next/a.js" async=""></script>`;
  expect(policyWith({}, { html })["script-src"]).toEqual(["'self'"]);
});

test("nothing allows inline scripts, evaluation, plugins, frames, other bases or form targets", () => {
  for (const policy of [
    policyWith({}),
    directivesOf(noncePolicy({ nonce: "bm9uY2U=", path: "/backoffice" })),
  ]) {
    expect(policy["default-src"]).toEqual(["'none'"]);
    expect(policy["script-src"]?.join(" ")).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
    expect(policy["style-src"]?.join(" ")).not.toMatch(/unsafe/);
    expect(policy["frame-src"]).toBeUndefined();
    expect(policy["object-src"]).toBeUndefined();
    expect(policy["base-uri"]).toEqual(["'none'"]);
    expect(policy["frame-ancestors"]).toEqual(["'none'"]);
    expect(policy["form-action"]).toEqual(["'self'"]);
  }
});

test("only the back office may load files of other origins, to save their PDFs", () => {
  const backOffice = directivesOf(noncePolicy({ nonce: "bm9uY2U=", path: "/backoffice/orders" }));
  expect(backOffice["connect-src"]).toEqual(["'self'", "https:", "http:"]);
  const search = directivesOf(noncePolicy({ nonce: "bm9uY2U=", path: "/products?search=a" }));
  for (const policy of [policyWith({}), search]) expect(policy["connect-src"]).toEqual(["'self'"]);
});

test("Matomo is allowed if it is configured", () => {
  const policy = policyWith({ MATOMO_URL: "https://stats.exemple.fr/matomo" });
  expect(policy["script-src"]).toEqual(["'self'", "https://stats.exemple.fr"]);
  expect(policy["connect-src"]).toEqual(["'self'", "https://stats.exemple.fr"]);
});

test("the payment provider is allowed if it is configured, and only in the checkout", () => {
  for (const path of ["/checkout", "/route-cache/APP_PAGE/bed8/$/site/fr/checkout"]) {
    const policy = policyWith(stripe, { path });
    expect(policy["script-src"]).toContain("https://js.stripe.com");
    expect(policy["frame-src"]).toContain("https://hooks.stripe.com");
    expect(policy["connect-src"]).toEqual(["'self'", "https://api.stripe.com"]);

    const sandbox = policyWith({ STRIPE_API_BASE: "http://127.0.0.1:12345" }, { path });
    expect(sandbox["connect-src"]).toEqual(["'self'", "http://127.0.0.1:12345"]);
    expect(sandbox["script-src"]).toEqual(["'self'"]);
    expect(sandbox["frame-src"]).toBeUndefined();
  }
  for (const path of ["/cart", "/site/fr/product/checkout", "/checkout/x"]) {
    expect(JSON.stringify(policyWith(stripe, { path })), path).not.toContain("stripe");
  }
});
