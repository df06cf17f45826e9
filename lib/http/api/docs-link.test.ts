import { expect, test } from "@playwright/test";
import { forgetEnv } from "@/lib/env";
import { docsLink } from "@/lib/http/api/docs-link";

const environment = { ...process.env };

test.afterEach(() => {
  process.env = { ...environment };
  forgetEnv();
});

/** The address of the documentation in the entry point's link, for a shop that is set up so. */
function linkFor(variables: Record<string, string>, headers: Record<string, string>) {
  process.env = { ...environment, SITE_URL: "", ...variables };
  forgetEnv();
  const link = docsLink(new Request("http://localhost/api", { headers }));
  return /^<(.+?)>/.exec(link)?.[1];
}

test("the link to the documentation has the shop's origin as the client called it", () => {
  const headers = { host: "boutique.exemple:8080" };
  expect(linkFor({}, headers)).toBe("http://boutique.exemple:8080/api/docs.jsonld");
  const secure = { ...headers, "x-forwarded-proto": "https" };
  expect(linkFor({ TRUST_PROXY: "1" }, secure)).toBe(
    "https://boutique.exemple:8080/api/docs.jsonld",
  );
  expect(linkFor({ SITE_URL: "https://la.boutique.exemple" }, headers)).toBe(
    "https://la.boutique.exemple/api/docs.jsonld",
  );
});

test("a protocol that no trusted proxy has sent is ignored", () => {
  const headers = { host: "boutique.exemple", "x-forwarded-proto": "https" };
  expect(linkFor({ TRUST_PROXY: "0" }, headers)).toBe("http://boutique.exemple/api/docs.jsonld");
});
