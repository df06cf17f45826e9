import type { Page } from "@playwright/test";
import sharp from "sharp";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { readWhole } from "../representation";
import {
  namesOf,
  plainSpaces,
  pricesOf,
  settled,
  trackedBy,
  WIDTHS,
  watchLayoutShifts,
  watchRequests,
} from "../storefront";
import { withTableLock } from "../table-lock";

const EMPTY =
  "Aucun produit disponible pour le moment ou correspondant à vos critères de recherche.";

const filters = (page: Page) => ({
  category: (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }),
  search: page.getByRole("main").getByRole("combobox", { name: "Rechercher" }),
  type: page.getByRole("combobox", { name: "Type" }),
  min: page.getByLabel("Prix min"),
  max: page.getByLabel("Prix max"),
  priceSort: page.getByRole("combobox", { name: "Trier par prix" }),
  dateSort: page.getByRole("combobox", { name: "Trier par date" }),
});

const status = (page: Page) => page.getByRole("main").getByRole("status").filter({ hasText: /\S/ });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const numbersOf = async (page: Page) =>
  (await page.locator("main article:visible p > span.tabular-nums:last-child").allTextContents())
    .filter((text) => /^\d+$/.test(text))
    .map(Number);

async function searchFor(page: Page, text: string): Promise<void> {
  await filters(page).search.fill(text);
  await filters(page).search.press("Enter");
}

/** Marks the document: a reload would lose the mark. */
const mark = (page: Page) => page.evaluate(() => Object.assign(window, { isSameDocument: true }));
const isSameDocument = (page: Page) => page.evaluate(() => "isSameDocument" in window);

/** Opens the filters or sorts, which are in a sheet on a phone. */
async function openSheet(page: Page, name: "Filtres" | "Trier"): Promise<void> {
  const button = page.getByRole("button", { name: new RegExp(`^${name}`) });
  if (await button.isVisible()) await button.click();
}

async function closeSheet(page: Page): Promise<void> {
  const button = page.getByRole("dialog").getByRole("button", { name: /^Voir / });
  if (await button.isVisible()) await button.click();
}

async function openWithPausedClock(page: Page): Promise<void> {
  await page.clock.install();
  await page.goto("/products");
  await page.clock.pauseAt(Date.now() + 60_000);
  await mark(page);
}

test("a choice is made without a reload; Back leads to it also from a product", async ({
  page,
}) => {
  const { category, type } = filters(page);
  const all = category("Tous les produits");
  const kitchen = category("Cuisine et thé");
  const titles = page.locator("head title");
  await page.goto("/products");
  const everything = await namesOf(page);
  await mark(page);

  await kitchen.click();
  await expect(heading(page)).toHaveText("Nos produits - Cuisine et thé");
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect(page).toHaveTitle("Nos produits - Cuisine et thé - Mini Ecommerce");
  for (const [name, content] of [
    ["description", /Cuisine et thé/],
    ["keywords", /^Cuisine et thé,/],
  ] as const)
    await expect(page.locator(`meta[name="${name}"]`)).toHaveAttribute("content", content);
  await expect(kitchen).toHaveAttribute("aria-pressed", "true");
  await expect(all).toHaveAttribute("aria-pressed", "false");
  await expect(status(page)).toHaveText("8 produits");
  const inKitchen = await namesOf(page);
  expect(inKitchen).toContain("Théière en fonte émaillée");
  expect(inKitchen).toHaveLength(8);

  expect(await type.locator("option").allTextContents()).toEqual(["Tous", "Digital", "Physique"]);
  await type.selectOption("Digital");
  await expect(page).toHaveURL(/\/products\?category=\d+&type=digital$/);
  await expect(status(page)).toHaveText("4 produits");
  const files = await namesOf(page);
  await page.getByRole("link", { name: files[1] ?? "" }).click();
  await expect(heading(page)).toHaveText(files[1] ?? "");
  await expect(titles).toHaveCount(1);

  await page.goBack();
  await expect(heading(page)).toHaveText("Nos produits - Cuisine et thé");
  await expect(page).toHaveTitle("Nos produits - Cuisine et thé - Digital - Mini Ecommerce");
  await expect(titles).toHaveCount(1);
  await expect.poll(() => namesOf(page)).toEqual(files);
  await expect(type).toHaveValue("digital");
  await page.goBack();
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect.poll(() => namesOf(page)).toEqual(inKitchen);
  await expect(type).toHaveValue("");
  await page.goBack();
  await expect(page).toHaveURL("/products");
  await expect.poll(() => namesOf(page)).toEqual(everything);
  await page.goForward();
  await expect(heading(page)).toHaveText("Nos produits - Cuisine et thé");
  await expect.poll(() => namesOf(page)).toEqual(inKitchen);

  await all.click();
  await expect(page).toHaveURL("/products");
  await expect.poll(() => namesOf(page)).toEqual(everything);
  expect(await isSameDocument(page)).toBe(true);
});

test("a response that is neither filtered nor sorted is filtered and sorted in the browser", async ({
  page,
}) => {
  await page.goto("/products");
  const products = [
    { name: "Lampe", productType: "physical", price: 20, createdAt: "2026-02-01T00:00:00+00:00" },
    { name: "Bol", productType: "digital", price: 10, createdAt: null },
    { name: "Tasse", productType: "physical", price: 30, createdAt: "2026-01-01T00:00:00+00:00" },
  ].map((product, index) => ({ ...product, id: index + 1, categoryId: 7 }));
  await page.route("**/api/products?*", (route) =>
    route.fulfill({ json: { "hydra:totalItems": 3, "hydra:member": products } }),
  );
  const { type, priceSort, dateSort } = filters(page);
  const expectNames = async (query: string, ...names: string[]) => {
    await expect(page).toHaveURL(`/products${query}`);
    await expect(status(page)).toHaveText(`${names.length} produits`);
    await expect.poll(() => namesOf(page)).toEqual(names);
  };
  await type.selectOption("Physique");
  await expectNames("?type=physical", "Lampe", "Tasse");
  await type.selectOption("Tous");
  await dateSort.selectOption("Plus anciens");
  await expectNames("?date_sort=oldest", "Tasse", "Lampe", "Bol");
  await dateSort.selectOption("Plus récents");
  await priceSort.selectOption("Décroissant");
  await expectNames("?price_sort=desc&date_sort=newest", "Tasse", "Lampe", "Bol");
});

test("a text filters at once, and is sent after three seconds, by Enter, with a category or when cleared", async ({
  page,
}) => {
  await openWithPausedClock(page);
  const requests = watchRequests(page, "/api/products");
  const { search, category } = filters(page);
  await test.step("three seconds after the last key", async () => {
    await search.fill("lain");
    await page.clock.runFor(2000);
    await search.fill("laine");
    await expect.poll(() => namesOf(page)).toEqual(["Pelotes de laine mérinos"]);
    await expect(page).toHaveURL("/products");
    await expect(status(page)).toHaveText("Recherche en cours…");
    await page.clock.runFor(2999);
    expect(requests).toEqual([]);
    const asked = page.waitForRequest((request) => request.url().includes("/api/products?"));
    await page.clock.runFor(1);
    expect(new URL((await asked).url()).searchParams.get("search")).toBe("laine");
    await expect(page).toHaveURL("/products?search=laine");
    await expect(status(page)).toHaveText(/^\d+ produits?$/);
  });
  await test.step("a cleared text at once, but not what was cleared before", async () => {
    await search.fill("");
    await expect.poll(() => requests.length).toBe(2);
    await expect(page).toHaveURL("/products");
    await expect.poll(async () => (await namesOf(page)).length).toBe(24);
    await search.fill("guitare");
    await search.fill("");
    await expect.poll(() => requests.length).toBe(3);
    await page.clock.runFor(10_000);
    await expect(page).toHaveURL("/products");
    expect(requests.slice(1).filter((url) => url.includes("search"))).toEqual([]);
  });
  await test.step("with a category that is chosen meanwhile", async () => {
    await search.fill("guitare");
    await category("Musique et son").click();
    await expect(page).toHaveURL("/products?search=guitare&category=7");
    await expect.poll(() => namesOf(page)).toEqual(["Cours vidéo : la guitare pas à pas"]);
    await expect(status(page)).toHaveText("1 produit");
    await page.clock.runFor(10_000);
    expect(requests).toHaveLength(4);
  });
  await test.step("by Enter", async () => {
    await searchFor(page, "violon");
    await expect(page).toHaveURL("/products?search=violon&category=7");
    await expect.poll(() => namesOf(page)).toEqual(["Violon d’étude quatre-quarts"]);
    expect(requests).toHaveLength(5);
  });
  expect(await isSameDocument(page)).toBe(true);
  const events = (await trackedBy(page)).filter(([, group]) => group === "Catalogue");
  expect(events.map((event) => event[3])).toEqual(["laine", "guitare", "violon"]);
  await test.step("but not once a link is followed, however long its page takes", async () => {
    await search.fill("violo");
    const release = await holdRequests(page, /\/product\/\d+\?/);
    await page.locator("main article a").first().click();
    await page.clock.runFor(10_000);
    release();
    await expect(heading(page)).toHaveText("Violon d’étude quatre-quarts");
    expect(requests).toHaveLength(5);
  });
});

test("a search that finds nothing offers similar products, words of the shop and a link to all", async ({
  page,
}) => {
  const { search } = filters(page);
  const showAll = async () => {
    await expect(page.getByText(EMPTY)).toBeVisible();
    await page.getByRole("link", { name: "Voir tout le catalogue" }).press("Enter");
    await expect(page).toHaveURL("/products");
    await expect.poll(async () => (await namesOf(page)).length).toBe(24);
    await expect(search).toHaveValue("");
  };
  await page.goto("/products");
  await test.step("any text, which stays in the box as it was typed", async () => {
    const text = `xqz "' % _ \\ & # + ? <zqx> 🦊`;
    await searchFor(page, `  ${text} `);
    await showAll();
    await expect(heading(page)).toBeFocused();
    // Here the search is a page of its own, so the focused element disappears.
    await page.goto(`/products?search=${encodeURIComponent(text)}`);
    await expect(search).toHaveValue(text);
    await showAll();
    await expect(page.getByRole("main")).toBeFocused();
  });
  await test.step("a typing error", async () => {
    const similar = page.getByRole("heading", { name: "Résultats approchants" });
    await searchFor(page, "voilon");
    await expect(similar).toBeVisible();
    await expect.poll(() => namesOf(page)).toEqual(["Violon d’étude quatre-quarts"]);
    await page.reload();
    await expect(similar).toBeVisible();
    await searchFor(page, "violon");
    await expect(page).toHaveURL("/products?search=violon");
    await expect(similar).toBeHidden();
  });
  await test.step("an unknown word", async () => {
    await searchFor(page, "guitarissimo");
    await expect(page.getByText(EMPTY)).toBeVisible();
    const best = page.getByRole("main").getByRole("region", { name: "Les plus vendus" });
    await expect(best.getByRole("article")).toHaveCount(4);
    await expect(page.locator("main ul[aria-busy]")).toHaveCount(0);
    await page.getByRole("link", { name: "guitare", exact: true }).click();
    await expect(page).toHaveURL("/products?search=guitare");
    await expect.poll(() => namesOf(page)).toContain("Cours vidéo : la guitare pas à pas");
  });
});

test("price bounds are sent after half a second, on Enter or on leaving, if they are prices", async ({
  page,
}) => {
  await openWithPausedClock(page);
  const requests = watchRequests(page, "/api/products");
  const { min, max } = filters(page);
  await min.fill("50");
  await expect.poll(async () => Math.min(...(await pricesOf(page)))).toBeGreaterThanOrEqual(5000);
  await page.clock.runFor(499);
  expect(requests).toEqual([]);
  await page.clock.runFor(1);
  await expect(page).toHaveURL("/products?min_price=50");
  await expect(status(page)).toHaveText(/^\d+ produits$/);
  const prices = await pricesOf(page);
  expect(prices.length).toBeGreaterThan(5);
  expect(Math.min(...prices)).toBeGreaterThanOrEqual(5000);
  expect(requests).toHaveLength(1);

  await min.selectText();
  await min.pressSequentially("12,50");
  await min.press("Enter");
  await expect(page).toHaveURL("/products?min_price=12.5");
  await max.fill("15.50");
  await max.blur();
  await expect(page).toHaveURL("/products?min_price=12.5&max_price=15.5");
  await expect(status(page)).toHaveText(/^\d+ produits$/);
  const outside = async () =>
    (await pricesOf(page)).filter((cents) => cents < 1250 || cents > 1550);
  await expect.poll(outside).toEqual([]);
  expect((await pricesOf(page)).length).toBeGreaterThan(0);

  for (const text of ["-5", "1e2"]) {
    await min.fill(text);
    await min.press("Enter");
    await expect(min).toHaveAttribute("aria-invalid", "true");
    await expect(min).toHaveAccessibleDescription("Prix non valable.");
    await expect(min).toHaveValue(text);
  }
  await expect(page).toHaveURL("/products?max_price=15.5");
  await min.fill("");
  await expect(min).not.toHaveAttribute("aria-invalid");
  expect(await isSameDocument(page)).toBe(true);
});

test("pages number the products on, in place and on a reload; a new filter begins with the first", async ({
  page,
}) => {
  const second = page.getByRole("link", { name: "Page 2", exact: true });
  const firstNumber = async () => (await numbersOf(page))[0];
  await page.goto("/products");
  const first = await namesOf(page);
  await mark(page);
  await second.click();
  await expect(page).toHaveURL("/products?page=2");
  await expect.poll(firstNumber).toBe(25);
  expect(await isSameDocument(page)).toBe(true);
  const names = await namesOf(page);
  expect(names.filter((name) => first.includes(name))).toEqual([]);
  await expect(second).toHaveAttribute("aria-current", "page");
  await page.reload();
  expect(await namesOf(page)).toEqual(names);
  expect(await firstNumber()).toBe(25);
  await filters(page).type.selectOption("Digital");
  await expect(page).toHaveURL("/products?type=digital");
  await expect.poll(firstNumber).toBe(1);
  await page.goBack();
  await expect.poll(() => namesOf(page)).toEqual(names);
  await page.getByRole("link", { name: "Page précédente" }).click();
  await expect(page).toHaveURL("/products");
  await expect.poll(() => namesOf(page)).toEqual(first);
});

for (const width of [WIDTHS.phone, WIDTHS.desktop])
  test(`Back restores the position, and nothing moves, nor by a response, at ${width} px`, async ({
    page,
  }) => {
    const shifts = await watchLayoutShifts(page);
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/products");
    const link = page.locator("main article a").first();
    const name = plainSpaces((await link.textContent()) ?? "");
    // By script: layout shifts within half a second of a real click would not count.
    const open = async () => {
      await link.dispatchEvent("click");
      await expect(heading(page)).toHaveText(name);
      await settled(page);
    };
    const goBack = async () => {
      await page.evaluate(() => window.history.back());
      await expect(heading(page)).toHaveText("Nos produits");
      await settled(page);
    };
    await open();
    const { y: footer = 0 } = (await page.getByRole("contentinfo").boundingBox()) ?? {};
    await goBack();
    // At the height of the product page's footer the list has cards.
    await page.evaluate((top) => window.scrollTo(0, top), Math.round(footer));
    await settled(page);
    // A short list ends before.
    const place = await page.evaluate(() => window.scrollY);
    await open();
    await goBack();
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(place);
    expect(await shifts.list()).toEqual([]);

    // Responses in another order than that of the products already shown.
    await page.route("**/api/products?*", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json["hydra:member"].reverse();
      await route.fulfill({ response, json });
    });
    await page.evaluate(() => window.scrollTo(0, 0));
    await openSheet(page, "Trier");
    await filters(page).priceSort.selectOption("Croissant");
    await closeSheet(page);
    await expect(status(page)).toHaveText(/^\d+ produits$/);
    for (const text of ["lampe", "xqzwvkjhg"]) {
      await openSheet(page, "Filtres");
      await searchFor(page, text);
      await expect(status(page)).toHaveText(/produit/);
      await settled(page);
    }
    await expect(page.getByText(EMPTY)).toBeVisible();
    expect(await shifts.list()).toEqual([]);
  });

const alertOf = (page: Page) => page.getByRole("main").getByRole("alert").filter({ hasText: /\S/ });
const retryOf = (page: Page) => page.getByRole("button", { name: "Réessayer" });

test("a filter or page that cannot be loaded shows an error until the next success", async ({
  page,
  problems,
}) => {
  problems.allow(500);
  problems.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  const alert = alertOf(page);
  const { category } = filters(page);
  await page.goto("/products?category=5");
  await test.step("while nothing loaded matches, skeletons hold the place", async () => {
    const { promise: held, resolve: fail } = deferred();
    await page.route("**/api/products?*", async (route) => {
      await held;
      await route.abort();
    });
    await category("Musique et son").click();
    await expect(page.locator("main article")).toHaveCount(0);
    await expect(page.getByText(EMPTY)).toBeHidden();
    await expect(status(page)).toHaveText("Recherche en cours…");
    fail();
    // The shop may have products that the page has not loaded.
    await expect(alert).toHaveText("Erreur lors du filtrage des produits.");
    await expect(page.getByText("Aucun produit")).toHaveCount(0);
    await page.unroute("**/api/products?*");
    await category("Tous les produits").click();
    await expect(alert).toHaveCount(0);
    await expect(status(page)).toHaveText(/^\d+ produits$/);
  });
  const all = await namesOf(page);
  let isBroken = true;
  await page.route("**/api/products?*", (route) =>
    isBroken ? route.fulfill({ status: 500 }) : route.continue(),
  );
  await test.step("matching products stay, but pale, and are not counted", async () => {
    await category("Cuisine et thé").click();
    await expect(alert).toHaveText("Erreur lors du filtrage des produits.");
    expect((await namesOf(page)).length).toBeGreaterThan(0);
    await expect(page.locator("main ul:has(> li > article)")).toHaveCSS("opacity", "0.4");
    await expect(status(page)).toHaveCount(0);
    await category("Tous les produits").click();
    await expect(alert).toHaveText("Erreur lors du chargement des produits.");
    isBroken = false;
    await retryOf(page).click();
    await expect(alert).toHaveCount(0);
    await expect(status(page)).toHaveText(/^\d+ produits$/);
  });
  await test.step("a page can be retried from the current one", async () => {
    isBroken = true;
    await page.getByRole("link", { name: "Page suivante" }).click();
    await expect(page).toHaveURL("/products?page=2");
    await expect(alert).toHaveText("Erreur lors du chargement des produits.");
    expect(await namesOf(page)).toEqual(all);
    await expect(page.getByRole("link", { name: "Page 1", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    isBroken = false;
    await retryOf(page).click();
    await expect.poll(async () => (await numbersOf(page))[0]).toBe(25);
    await expect(alert).toHaveCount(0);
  });
});

test("categories that cannot be loaded are reported above the products", async ({
  page,
  problems,
  shopWith,
}) => {
  problems.allow({ status: 503, path: "/api/categories" });
  // The counts beside the filters, which the page goes without.
  problems.allow({ status: 503, path: "/api/product_facets" });
  const shop = await shopWith({ env: { DATABASE_TIMEOUT: "1" } });
  await shop.forgetCaches();
  const alert = alertOf(page);
  const retry = retryOf(page);
  await withTableLock(shop.database, "categories", async () => {
    const response = await page.goto(`${shop.baseURL}/products`);
    expect(response?.status()).toBe(200);
    await expect(alert).toHaveText("Erreur lors du chargement des catégories.");
    expect(await namesOf(page)).toHaveLength(24);
    const failed = page.waitForResponse((answer) => answer.url().endsWith("/api/categories"));
    await retry.click();
    expect((await failed).status()).toBe(503);
    await expect(retry).toBeEnabled();
    await expect(alert).toHaveText("Erreur lors du chargement des catégories.");
  });
  await retry.click();
  await expect(filters(page).category("Cuisine et thé")).toBeVisible();
  await expect(alert).toHaveCount(0);
  // The page without the categories is not stored.
  await expect
    .poll(async () => (await shop.api.get("/products")).text)
    .not.toContain("Erreur lors du chargement des catégories.");
});

test("a slow answer does not replace that of a later choice", async ({ page }) => {
  await page.goto("/products");
  const { promise: held, resolve: release } = deferred();
  await page.route("**/api/products?*category=5*", async (route) => {
    await held;
    // The page may have aborted the request.
    await route.continue().catch(() => undefined);
  });
  await filters(page).category("Cuisine et thé").click();
  await filters(page).category("Musique et son").click();
  await expect(status(page)).toHaveText("11 produits");
  const names = await namesOf(page);
  release();
  await page.unrouteAll({ behavior: "wait" });
  expect(await namesOf(page)).toEqual(names);
  await expect(heading(page)).toHaveText("Nos produits - Musique et son");
});

test("a picture that cannot be loaded leaves a plain area", async ({ page, problems }) => {
  problems.allow(404);
  await page.route(/\/_next\/image|\/images\//, (route) => route.fulfill({ status: 404 }));
  await page.goto("/products");
  const picture = page.locator("main article img").first();
  const isBroken = () =>
    picture.evaluate((img: HTMLImageElement) => img.complete && img.naturalWidth === 0);
  await expect.poll(isBroken).toBe(true);
  // The place where the browser would show its icon, within the round corner.
  const area = { left: 12, top: 12, width: 40, height: 40 };
  const corner = await sharp(await picture.screenshot())
    .extract(area)
    .toBuffer();
  const { channels } = await sharp(corner).stats();
  expect(channels.map(({ stdev }) => stdev)).toEqual(channels.map(() => 0));
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("24 products a page, every category and the chosen filters are there", async ({
    page,
    api,
    shop,
  }) => {
    // Rows of other tests must not appear in the page and the API at different times.
    await shop.forgetCaches();
    type Product = { id: number; name: string; price: number; categoryId: number };
    const productsOf = async (query: string) => {
      const path = `/api/products?itemsPerPage=24&${query}`;
      return (await api.get<Product[]>(path, { accept: "application/json" })).json;
    };
    const products = await productsOf("");
    const names = products.map(({ name }) => plainSpaces(name));
    await page.goto("/products");
    await expect(page).toHaveTitle("Nos produits - Mini Ecommerce");
    await expect(heading(page)).toHaveText("Nos produits");
    expect(await namesOf(page)).toEqual(names);
    expect(await pricesOf(page)).toEqual(products.map(({ price }) => Math.round(price * 100)));
    expect(await numbersOf(page)).toEqual(products.map((_, index) => index + 1));
    const hrefs = await page
      .locator("main article a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(hrefs).toEqual(
      products.map(({ id, categoryId }) => `/product/${id}?category=${categoryId}`),
    );
    const categories = await readWhole<{ name: string }>({ api, path: "/api/categories" });
    const group = page.getByRole("group", { name: "Catégories" });
    expect(await group.getByRole("button").allTextContents()).toEqual([
      "Tous les produits",
      ...categories.map(({ name }) => name),
    ]);
    const { category, ...fields } = filters(page);
    await expect(category("Tous les produits")).toHaveAttribute("aria-pressed", "true");
    // The catalogue has one search box: its own.
    const boxes = page.getByRole("combobox", { name: /Rechercher|Trouver un produit/ });
    await expect(boxes.filter({ visible: true })).toHaveCount(1);
    await expect(fields.search).toBeVisible();
    // A picture that is not square is shown whole.
    const picture = page.locator("main article img").first();
    await expect(picture).toHaveCSS("object-fit", "contain");
    const { width = 0, height = 1 } = (await picture.boundingBox()) ?? {};
    expect(Math.abs(width - height)).toBeLessThan(1);

    await page.getByRole("link", { name: "Page suivante" }).click();
    await expect(page).toHaveURL("/products?page=2");
    // A click only waits until the next document starts to arrive.
    await page.waitForLoadState("domcontentloaded");
    expect((await numbersOf(page))[0]).toBe(25);
    expect((await namesOf(page)).filter((name) => names.includes(name))).toEqual([]);

    const query = "category=8&type=digital&min_price=8&max_price=45&price_sort=desc";
    const filtered = await productsOf(query);
    expect(filtered.length).toBeGreaterThan(3);
    await page.goto(`/products?${query}`);
    expect(await namesOf(page)).toEqual(filtered.map(({ name }) => plainSpaces(name)));
    await expect(heading(page)).toHaveText("Nos produits - Livres et cours");
    await expect(category("Livres et cours")).toHaveAttribute("aria-pressed", "true");
    for (const [field, value] of [
      ["type", "digital"],
      ["min", "8"],
      ["max", "45"],
      ["priceSort", "desc"],
    ] as const)
      await expect(fields[field]).toHaveValue(value);
    await page.locator("main article a").first().click();
    await expect(heading(page)).toHaveText(plainSpaces(filtered[0]?.name ?? ""));
  });
});
