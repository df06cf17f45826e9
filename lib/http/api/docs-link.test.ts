import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { docsLink } from "@/lib/http/api/docs-link";

const environment = { ...process.env };

test.afterEach(() => {
  process.env = environment;
  forgetEnv();
});

test("the link to the documentation has the shop's origin as the client, or a trusted proxy, called it", () => {
  const headers = { host: "boutique.exemple:8080", "x-forwarded-proto": "https" };
  for (const [variables, origin] of [
    [{ TRUST_PROXY: "0" }, "http://boutique.exemple:8080"],
    [{ TRUST_PROXY: "1" }, "https://boutique.exemple:8080"],
    [{ SITE_URL: "https://la.boutique.exemple" }, "https://la.boutique.exemple"],
  ] as const) {
    process.env = { ...environment, SITE_URL: "", ...variables };
    forgetEnv();
    const link = docsLink(new Request("http://localhost/api", { headers }));
    expect(link).toContain(`<${origin}/api/docs.jsonld>`);
  }
});
