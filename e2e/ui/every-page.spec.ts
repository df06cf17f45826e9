import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "@playwright/test";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { watchIssues } from "../issues";
import {
  doubleText,
  expectNoSidewaysScroll,
  onEachDevice,
  settled,
  storeSession,
  WIDTHS,
  watchLayoutShifts,
} from "../storefront";

// Invariants of every public page.

interface PublicPage {
  path: string;
  status?: number;
  /** The page changes once the link's token has been looked up. */
  isOfInvalidLink?: true;
}

const PAGES: Record<string, PublicPage[]> = {
  "the home page and the catalogue": [
    { path: "/" },
    { path: "/products" },
    { path: "/products?category=5" },
    { path: "/products?search=voilon" },
    { path: "/products?search=xqzwvkjhg" },
  ],
  "the pages of products": [
    { path: "/product/34" },
    { path: "/product/37" },
    { path: "/product/999999", status: 404 },
    { path: "/rien/du/tout", status: 404 },
  ],
  "the forms": [
    { path: "/contact" },
    { path: "/login" },
    { path: "/register" },
    { path: "/forget-password" },
  ],
  "the texts": [
    { path: "/mentions-legales" },
    { path: "/conditions-generales-de-vente" },
    { path: "/livraison-et-retours" },
  ],
  "the pages of invalid links in mails": [
    { path: "/stock-alert" },
    { path: "/reset-password/unknown", isOfInvalidLink: true },
    { path: "/account-verification/unknown", isOfInvalidLink: true },
  ],
};

for (const [names, pages] of Object.entries(PAGES))
  test(`${names} are accessible, do not shift, and do not scroll sideways`, async ({
    page,
    problems,
  }) => {
    test.slow();
    // The history of viewed products would be loaded only once it comes into view.
    await page.addInitScript(() => localStorage.removeItem("recentlyViewedProducts"));
    const shifts = await watchLayoutShifts(page);
    const issues = await watchIssues(page);
    for (const { path, status = 200, isOfInvalidLink } of pages)
      await test.step(path, async () => {
        if (status === 404) problems.allow({ status, path });
        await onEachDevice(page, async () => {
          const response = await page.goto(path);
          expect(response?.status()).toBe(status);
          await settled(page);
          await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
          await settled(page);
          await expectNoSidewaysScroll(page);
          const text = page.getByRole("main").getByText(/invalide/);
          if (isOfInvalidLink) await expect(text.first()).toBeVisible();
          else expect(await shifts.list(), "layout shifts").toEqual([]);
          expect(await issues.list(), "issues").toEqual([]);
          // At the top the sticky header covers nothing. axe would report a covered target as too small.
          await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
          await expectAccessible(page);
        });
        await expect(page).toHaveTitle(/\S - Mini Ecommerce$/);
        await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
        await expect(page.locator("html")).toHaveAttribute("lang", "fr");
        for (const role of ["banner", "main", "contentinfo"] as const)
          await expect(page.getByRole(role)).toHaveCount(1);
        await test.step("in 320 px, to which zooming in narrows a larger window", async () => {
          await page.setViewportSize({ width: 320, height: 640 });
          await page.goto(path);
          await expectNoSidewaysScroll(page);
        });
        await test.step("with a text of twice the size", async () => {
          await doubleText(page);
          for (const width of [WIDTHS.phone, 1280]) {
            await page.setViewportSize({ width, height: 900 });
            await expectNoSidewaysScroll(page);
          }
        });
      });
  });

test("home with a long name and a history does not shift", async ({ page, database: db }) => {
  const shifts = await watchLayoutShifts(page);
  await page.addInitScript(() => localStorage.setItem("recentlyViewedProducts", "[34,2,46]"));
  const lastName = "de Montmorency-Laval";
  await storeSession(page, await createAdmin({ db, firstName: "Marie-Antoinette", lastName }));
  await onEachDevice(page, async () => {
    await page.goto("/");
    const history = page.getByRole("tabpanel").filter({ visible: true }).locator("article");
    await expect(history).toHaveCount(3);
    await settled(page);
    await expectNoSidewaysScroll(page);
    expect(await shifts.list(), "layout shifts").toEqual([]);
    await expectAccessible(page);
  });
});

/** The words of headings and names that are broken over two lines, and so have more than one box. */
const brokenWords = (page: Page) =>
  page.evaluate(() => {
    const broken: string[] = [];
    for (const element of document.querySelectorAll("h1, main .text-heading, header a > span")) {
      const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const node = walker.currentNode;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
          const range = new Range();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (range.getClientRects().length > 1) broken.push(word);
        }
      }
    }
    return broken;
  });

test("a customer's pages fit with text of twice the size", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, name: "Lampe Aube" });
  await createOrder({ db, user, items: [{ product }] });
  await createCart({ db, userId: user.id, items: [{ productId: product.id, quantity: 1 }] });
  await openSession(page, user);
  const issues = await watchIssues(page);
  const productPath = `/product/${product.id}`;
  for (const path of ["/account", "/profile", "/addresses", "/orders", "/cart", productPath])
    await test.step(path, async () => {
      await page.goto(path);
      await settled(page);
      await expect(page).toHaveURL(path);
      if (/cart|product/.test(path))
        await expect(page.getByLabel("Quantité").first()).toBeVisible();
      expect(await issues.list()).toEqual([]);
      await doubleText(page);
      for (const width of [1280, WIDTHS.tablet, WIDTHS.phone]) {
        await page.setViewportSize({ width, height: 740 });
        await expectNoSidewaysScroll(page);
      }
      await expect(page.getByRole("button", { name: "Menu" })).toBeInViewport({ ratio: 1 });
      const name = page.getByRole("banner").getByText("Mini Ecommerce", { exact: true });
      expect(await name.evaluate((span) => span.scrollWidth - span.clientWidth)).toBeLessThan(1);
      if (["/account", "/orders"].includes(path)) expect(await brokenWords(page)).toEqual([]);
    });
});

/** A proxy in front of a page that stops sending its HTML at this text until it is released. */
async function startPausingProxy(pageURL: string, at: string) {
  const { promise: released, resolve: release } = deferred();
  const server = createServer(async ({ url = "/", headers }, response) => {
    const accept = headers.accept ?? "*/*";
    const answer = await fetch(new URL(url, pageURL), { headers: { accept } });
    const body = Buffer.from(await answer.arrayBuffer());
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "Content-Type": type });
    if (!type.startsWith("text/html")) return response.end(body);
    const split = body.indexOf(at);
    response.write(body.subarray(0, split));
    await released;
    response.end(body.subarray(split));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { release, close, url: `http://127.0.0.1:${port}${new URL(pageURL).pathname}` };
}

test("HTML that arrives in parts is painted once, and does not shift", async ({
  page,
  shop: { baseURL },
  problems,
}) => {
  problems.allow({ status: 404, path: "/product/999999" });
  const shifts = await watchLayoutShifts(page);
  // The page would shift if the part before this text were shown without the rest.
  for (const { path, at, seen } of [
    { path: "/contact", at: "</search>", seen: "#site-header input" },
    { path: "/", at: "Une petite boutique", seen: "main h1" },
    { path: "/product/34", at: "Ajouter au panier", seen: "main button" },
    { path: "/product/999999", at: "Moyens de paiement", seen: "footer li" },
  ])
    await test.step(`${path} up to « ${at} »`, async () => {
      const proxy = await startPausingProxy(baseURL + path, at);
      await page.goto(proxy.url, { waitUntil: "commit" });
      const paints = () => page.evaluate(() => performance.getEntriesByType("paint").length);
      // There are no animation frames while painting is blocked.
      await page.waitForFunction((first) => document.querySelector(first), seen, { polling: 50 });
      await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
      expect(await paints()).toBe(0);
      proxy.release();
      await page.waitForLoadState("load");
      await settled(page);
      await expect(page.getByRole("contentinfo")).toBeVisible();
      expect(await shifts.list(), "layout shifts").toEqual([]);
      expect(await paints()).toBeGreaterThan(0);
      proxy.close();
    });
});

test("an endless name or label does not widen any page", async ({ page, arrange }) => {
  const name = "Anticonstitutionnellement".repeat(6);
  const label = "Anticonstitutionnellementhexakosioihexek";
  const product = await arrange(async (db) => {
    const { id: defaultCategoryId } = await createCategory({ db, name: `${label}s` });
    const tag = await createTag({ db, name: label });
    const characteristics = [{ name, value: name }];
    const values = { name, description: name, characteristics, tagIds: [tag.id] };
    return createProduct({ db, defaultCategoryId, ...values });
  });
  const ofCategory = `/products?category=${product.defaultCategoryId}`;
  for (const width of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height: 740 });
    for (const [path, texts] of [
      ["/", [label]],
      ["/products", [label]],
      [ofCategory, [label, name]],
      [`/product/${product.id}`, [label, name]],
    ] as const) {
      await page.goto(path);
      for (const text of texts)
        await expect(page.getByText(text).filter({ visible: true }).first()).toBeVisible();
      await expectNoSidewaysScroll(page);
    }
  }
});

test("with reduced motion nothing is animated", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto("/products");
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll("main *")]
      .filter((element) => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
        const isLong = (text: string) =>
          text.split(",").some((part) => Number.parseFloat(part) > 0.01);
        return (
          isLong(transitionDuration) || (animationName !== "none" && isLong(animationDuration))
        );
      })
      .map((element) => element.className),
  );
  expect(moving).toEqual([]);
});
