import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
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

const PAGES = [
  { name: "home", path: "/" },
  { name: "catalogue", path: "/products" },
  { name: "a category", path: "/products?category=5" },
  { name: "a search", path: "/products?search=voilon" },
  { name: "an empty search", path: "/products?search=xqzwvkjhg" },
  { name: "a physical product", path: "/product/34" },
  { name: "a digital product", path: "/product/37" },
  { name: "a stock alert without its token", path: "/stock-alert" },
  { name: "contact", path: "/contact" },
  { name: "the legal notice", path: "/mentions-legales" },
  { name: "the general terms", path: "/conditions-generales-de-vente" },
  { name: "delivery and returns", path: "/livraison-et-retours" },
  { name: "the login", path: "/login" },
  { name: "the registration", path: "/register" },
  { name: "a forgotten password", path: "/forget-password" },
  { name: "an unknown product", path: "/product/999999", status: 404 },
  { name: "an unknown path", path: "/rien/du/tout", status: 404 },
] as const;

for (const { name, path, ...rest } of PAGES)
  test.describe(name, () => {
    const status = "status" in rest ? rest.status : 200;

    test("is accessible, does not shift, and does not scroll sideways", async ({
      page,
      problems,
    }) => {
      if (status === 404) problems.allow(404);
      const shifts = await watchLayoutShifts(page);
      const issues = await watchIssues(page);
      await onEachDevice(page, async () => {
        const response = await page.goto(path);
        expect(response?.status()).toBe(status);
        await settled(page);
        await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
        await settled(page);
        await expectNoSidewaysScroll(page);
        expect(await shifts.list(), "layout shifts").toEqual([]);
        expect(await issues.list(), "issues").toEqual([]);
        // At the top the sticky header covers nothing. axe would report a covered target as too small.
        await page.evaluate(() => window.scrollTo({ top: 0, behavior: "instant" }));
        await expectAccessible(page);
      });
      await expect(page).toHaveTitle(/\S - Mini Ecommerce$/);
      await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
      await expect(page.locator("html")).toHaveAttribute("lang", "fr");
      await expect(page.getByRole("banner")).toHaveCount(1);
      await expect(page.getByRole("main")).toHaveCount(1);
      await expect(page.getByRole("contentinfo")).toHaveCount(1);
      await test.step("in 320 px, to which zooming in narrows a larger window", async () => {
        await page.setViewportSize({ width: 320, height: 640 });
        await page.goto(path);
        await expectNoSidewaysScroll(page);
      });
      for (const width of [WIDTHS.phone, 1280])
        await test.step(`with a text of twice the size in ${width} px`, async () => {
          await page.setViewportSize({ width, height: 900 });
          await page.goto(path);
          await doubleText(page);
          await expectNoSidewaysScroll(page);
        });
    });
  });

test("home with a user's name and viewed products does not shift", async ({
  page,
  database: db,
}) => {
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

test("the pages of invalid links in mails are accessible, and do not scroll sideways", async ({
  page,
}) => {
  const issues = await watchIssues(page);
  await onEachDevice(page, async () => {
    for (const path of ["/reset-password/unknown", "/account-verification/unknown"]) {
      await page.goto(path);
      await settled(page);
      await expect(
        page
          .getByRole("main")
          .getByText(/invalide/)
          .first(),
      ).toBeVisible();
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      expect(await issues.list(), path).toEqual([]);
    }
  });
});

test("the browser reports no issues on a customer's pages", async ({ page, database: db }) => {
  await openSession(page, await createUser({ db }));
  const issues = await watchIssues(page);
  for (const path of ["/account", "/profile", "/addresses", "/orders", "/cart", "/product/34"]) {
    await page.goto(path);
    await settled(page);
    await expect(page).toHaveURL(path);
    expect(await issues.list(), path).toEqual([]);
  }
});

test("the pages of an account fit with a text of twice the size", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const items = [{ product: await createProduct({ db, name: "Lampe Aube" }) }];
  await createOrder({ db, user, items });
  await openSession(page, user);
  for (const path of ["/account", "/profile", "/addresses", "/orders", "/cart"]) {
    await page.goto(path);
    await settled(page);
    await expect(page).toHaveURL(path);
    await doubleText(page);
    for (const width of [1280, WIDTHS.tablet, WIDTHS.phone]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
    }
  }
});

/** A proxy that stops sending the shop's HTML at this text until it is released. */
async function startPausingProxy({
  baseURL,
  path,
  at,
}: {
  baseURL: string;
  path: string;
  at: string;
}) {
  const { promise: released, resolve: release } = deferred();
  const server = createServer(async ({ url = "/", headers }, response) => {
    const answer = await fetch(new URL(url, baseURL), {
      headers: { accept: headers.accept ?? "*/*" },
    });
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
  return {
    release,
    url: `http://127.0.0.1:${port}${path}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

// Places where a page would shift if the part before this text were shown without the rest.
const PAUSES = [
  { name: "the header", path: "/contact", at: "</search>", seen: "#site-header input" },
  { name: "the banner", path: "/", at: "Une petite boutique", seen: "main h1" },
  { name: "a button", path: "/product/34", at: "Ajouter au panier", seen: "main button" },
  {
    name: "the footer",
    path: "/product/999999",
    at: "Moyens de paiement",
    seen: "footer li",
    status: 404,
  },
] as const;

for (const { name, path, at, seen, ...rest } of PAUSES)
  test(`HTML of ${name} that arrives in parts is painted once, and does not shift`, async ({
    page,
    shop: { baseURL },
    problems,
  }) => {
    if ("status" in rest) problems.allow(rest.status);
    const shifts = await watchLayoutShifts(page);
    const proxies: Awaited<ReturnType<typeof startPausingProxy>>[] = [];
    await onEachDevice(page, async () => {
      const proxy = await startPausingProxy({ baseURL, path, at });
      proxies.push(proxy);
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
    });
    // The proxies close only at the end: a page that gets wider may request larger pictures.
    for (const proxy of proxies) proxy.close();
  });

test("a name of one endless word does not widen any page", async ({ page, arrange }) => {
  const name = "Anticonstitutionnellement".repeat(6);
  const product = await arrange((db) =>
    createProduct({
      db,
      name,
      description: name,
      characteristics: [{ name, value: name }],
    }),
  );
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  for (const path of [
    `/product/${product.id}`,
    `/products?category=${product.defaultCategoryId}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(name).filter({ visible: true }).first()).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});

test("a category or tag of one endless word does not widen any page", async ({ page, arrange }) => {
  const name = "Anticonstitutionnellementhexakosioihexek";
  const product = await arrange(async (db) => {
    const category = await createCategory({ db, name: `${name}s` });
    const tag = await createTag({ db, name });
    return createProduct({ db, defaultCategoryId: category.id, tagIds: [tag.id] });
  });
  for (const width of Object.values(WIDTHS)) {
    await page.setViewportSize({ width, height: 740 });
    for (const path of ["/", "/products", `/product/${product.id}`]) {
      await page.goto(path);
      await expect(page.getByText(name).filter({ visible: true }).first()).toBeVisible();
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
