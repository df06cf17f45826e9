import type { Page } from "@playwright/test";
import sharp from "sharp";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { hydrated } from "../hydration";
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

async function openWithPausedClock(page: Page, path = "/products"): Promise<void> {
  await page.clock.install();
  await page.goto(path);
  await page.clock.pauseAt(Date.now() + 60_000);
  await mark(page);
}

test("without filters it shows the first 24 products and every category", async ({
  page,
  api,
  shop,
}) => {
  // Rows of other tests must not appear in the page and the API at different times.
  await shop.forgetCaches();
  type Product = { id: number; name: string; price: number; categoryId: number };
  const { json: products } = await api.get<Product[]>("/api/products?itemsPerPage=24", {
    accept: "application/json",
  });
  const categories = await readWhole<{ name: string }>({ api, path: "/api/categories" });
  await page.goto("/products");
  await expect(page).toHaveTitle("Nos produits - Mini Ecommerce");
  await expect(heading(page)).toHaveText("Nos produits");
  expect(await namesOf(page)).toEqual(products.map(({ name }) => plainSpaces(name)));
  expect(await pricesOf(page)).toEqual(products.map(({ price }) => Math.round(price * 100)));
  const hrefs = await page
    .locator("main article a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
  expect(hrefs).toEqual(
    products.map(({ id, categoryId }) => `/product/${id}?category=${categoryId}`),
  );
  expect(await numbersOf(page)).toEqual(products.map((_, index) => index + 1));
  const group = page.getByRole("group", { name: "Catégories" });
  expect(await group.getByRole("button").allTextContents()).toEqual([
    "Tous les produits",
    ...categories.map(({ name }) => name),
  ]);
  await expect(filters(page).category("Tous les produits")).toHaveAttribute("aria-pressed", "true");
  // The catalogue has one search box: its own.
  const boxes = page.getByRole("combobox", { name: /Rechercher|Trouver un produit/ });
  await expect(boxes.filter({ visible: true })).toHaveCount(1);
  await expect(filters(page).search).toBeVisible();
});

test("a category is chosen without a reload; back and forward follow", async ({ page }) => {
  const all = filters(page).category("Tous les produits");
  const kitchen = filters(page).category("Cuisine et thé");
  await page.goto("/products");
  const everything = await namesOf(page);
  await mark(page);

  await kitchen.click();
  await expect(heading(page)).toHaveText("Nos produits - Cuisine et thé");
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect(page).toHaveTitle("Nos produits - Cuisine et thé - Mini Ecommerce");
  await expect(page.locator('meta[name="description"]')).toHaveAttribute(
    "content",
    /Cuisine et thé/,
  );
  await expect(page.locator('meta[name="keywords"]')).toHaveAttribute(
    "content",
    /^Cuisine et thé,/,
  );
  await expect(kitchen).toHaveAttribute("aria-pressed", "true");
  await expect(all).toHaveAttribute("aria-pressed", "false");
  await expect(status(page)).toHaveText("8 produits");
  const inKitchen = await namesOf(page);
  expect(inKitchen).toContain("Théière en fonte émaillée");
  expect(inKitchen).toHaveLength(8);

  expect(await filters(page).type.locator("option").allTextContents()).toEqual([
    "Tous",
    "Digital",
    "Physique",
  ]);
  await filters(page).type.selectOption("Digital");
  await expect(page).toHaveURL(/\/products\?category=\d+&type=digital$/);
  await expect(status(page)).toHaveText("4 produits");

  await page.goBack();
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect.poll(() => namesOf(page)).toEqual(inKitchen);
  await expect(filters(page).type).toHaveValue("");
  await page.goBack();
  await expect(page).toHaveURL("/products");
  await expect.poll(() => namesOf(page)).toEqual(everything);
  await expect(heading(page)).toHaveText("Nos produits");
  await page.goForward();
  await expect(heading(page)).toHaveText("Nos produits - Cuisine et thé");
  await expect.poll(() => namesOf(page)).toEqual(inKitchen);

  await all.click();
  await expect(page).toHaveURL("/products");
  await expect.poll(() => namesOf(page)).toEqual(everything);
  expect(await isSameDocument(page)).toBe(true);
});

test("a URL with filters shows them selected, after a reload, too", async ({ page, api }) => {
  const path = "/products?category=8&type=digital&min_price=8&max_price=45&price_sort=desc";
  const { json: products } = await api.get<{ name: string }[]>(`/api${path}&itemsPerPage=24`, {
    accept: "application/json",
  });
  expect(products.length).toBeGreaterThan(3);
  await page.goto(path);
  for (const _ of ["first", "reloaded"]) {
    expect(await namesOf(page)).toEqual(products.map(({ name }) => plainSpaces(name)));
    await expect(heading(page)).toHaveText("Nos produits - Livres et cours");
    await expect(filters(page).category("Livres et cours")).toHaveAttribute("aria-pressed", "true");
    await expect(filters(page).type).toHaveValue("digital");
    await expect(filters(page).min).toHaveValue("8");
    await expect(filters(page).max).toHaveValue("45");
    await expect(filters(page).priceSort).toHaveValue("desc");
    await page.reload();
  }
});

test.describe("a response", () => {
  /** Mocks the response to all requests for products. */
  const answer = (page: Page, products: readonly object[]) =>
    page.route("**/api/products?*", (route) =>
      route.fulfill({
        contentType: "application/ld+json",
        json: { "hydra:totalItems": products.length, "hydra:member": products },
      }),
    );

  test("that is neither filtered nor sorted is filtered and sorted in the browser", async ({
    page,
  }) => {
    await page.goto("/products");
    const rows = [
      ["Lampe", "physical", 5, 20, "2026-02-01T00:00:00+00:00"],
      ["Bol", "digital", 7, 10, null],
      ["Tasse", "physical", 7, 30, "2026-01-01T00:00:00+00:00"],
    ] as const;
    await answer(
      page,
      rows.map(([name, productType, categoryId, price, createdAt], index) => ({
        id: index + 1,
        name,
        description: "Un texte.",
        productType,
        categoryId,
        price,
        createdAt,
        image: null,
        avgRating: null,
        reviewsCount: 0,
      })),
    );
    const { type, min, max, priceSort, dateSort, category } = filters(page);
    const expectNames = async (query: string, ...names: string[]) => {
      await expect(page).toHaveURL(`/products${query}`);
      await expect(status(page)).toHaveText(
        names.length === 1 ? "1 produit" : `${names.length} produits`,
      );
      await expect.poll(() => namesOf(page)).toEqual(names);
    };
    await type.selectOption("Physique");
    await expectNames("?type=physical", "Lampe", "Tasse");
    await type.selectOption("Tous");
    await expectNames("", "Lampe", "Bol", "Tasse");
    await dateSort.selectOption("Plus anciens");
    await expectNames("?date_sort=oldest", "Tasse", "Lampe", "Bol");
    await dateSort.selectOption("Plus récents");
    await priceSort.selectOption("Décroissant");
    await expectNames("?price_sort=desc&date_sort=newest", "Tasse", "Lampe", "Bol");
    await category("Musique et son").click();
    await expectNames("?category=7&price_sort=desc&date_sort=newest", "Tasse", "Bol");
    await category("Tous les produits").click();
    await min.fill("15");
    await max.fill("25");
    await max.press("Enter");
    await expectNames("?min_price=15&max_price=25&price_sort=desc&date_sort=newest", "Lampe");
  });
});

test.describe("searching", () => {
  test("filters the loaded products at once, and asks the shop three seconds after the last key", async ({
    page,
  }) => {
    await openWithPausedClock(page);
    const requests = watchRequests(page, "/api/products");
    const { search } = filters(page);
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
    expect(await isSameDocument(page)).toBe(true);
    const events = (await trackedBy(page)).filter(([command]) => command === "trackEvent");
    expect(events.map((event) => event[3])).toEqual(["laine"]);
  });

  test("by Enter, and for a cleared text, is sent at once, but not what was cleared before", async ({
    page,
  }) => {
    await openWithPausedClock(page);
    await searchFor(page, "violon");
    await expect(page).toHaveURL("/products?search=violon");
    await expect.poll(() => namesOf(page)).toEqual(["Violon d’étude quatre-quarts"]);
    expect(await isSameDocument(page)).toBe(true);
    const requests = watchRequests(page, "/api/products");
    await filters(page).search.fill("");
    await expect.poll(() => requests.length).toBe(1);
    await expect(page).toHaveURL("/products");
    await expect.poll(async () => (await namesOf(page)).length).toBe(24);

    await filters(page).search.fill("guitare");
    await filters(page).search.fill("");
    await expect.poll(() => requests.length).toBe(2);
    await page.clock.runFor(10_000);
    expect(requests.filter((url) => url.includes("search"))).toEqual([]);
    await expect(page).toHaveURL("/products");
    // Emptying the field is not a search.
    const searches = (await trackedBy(page)).filter(([, category]) => category === "Catalogue");
    expect(searches.map((event) => event[3])).toEqual(["violon"]);
  });

  test("is sent with a category that is selected meanwhile", async ({ page }) => {
    await openWithPausedClock(page);
    const requests = watchRequests(page, "/api/products");
    await filters(page).search.fill("guitare");
    await filters(page).category("Musique et son").click();
    await expect(page).toHaveURL("/products?search=guitare&category=7");
    await expect.poll(() => namesOf(page)).toEqual(["Cours vidéo : la guitare pas à pas"]);
    await expect(status(page)).toHaveText("1 produit");
    await page.clock.runFor(10_000);
    expect(requests).toHaveLength(1);
  });

  test("does not begin once a link is followed, however long its page takes", async ({ page }) => {
    await openWithPausedClock(page);
    await filters(page).search.fill("laine");
    await expect.poll(() => namesOf(page)).toEqual(["Pelotes de laine mérinos"]);
    const release = await holdRequests(page, /\/product\/\d+\?/);
    await page.locator("main article a").first().click();
    await page.clock.runFor(10_000);
    release();
    await expect(heading(page)).toHaveText("Pelotes de laine mérinos");
  });

  test("a typing error shows similar products, marked as such", async ({ page }) => {
    await page.goto("/products");
    await searchFor(page, "voilon");
    await expect(page.getByRole("heading", { name: "Résultats approchants" })).toBeVisible();
    await expect.poll(() => namesOf(page)).toEqual(["Violon d’étude quatre-quarts"]);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Résultats approchants" })).toBeVisible();
    await searchFor(page, "violon");
    await expect(page).toHaveURL("/products?search=violon");
    await expect(page.getByRole("heading", { name: "Résultats approchants" })).toBeHidden();
  });

  test("shows a message when nothing is found, and keeps the focus after the link to all", async ({
    page,
  }) => {
    const showAll = async () => {
      await expect(page.getByText(EMPTY)).toBeVisible();
      await page.getByRole("link", { name: "Voir tout le catalogue" }).press("Enter");
      await expect(page).toHaveURL("/products");
      await expect.poll(async () => (await namesOf(page)).length).toBe(24);
      await expect(filters(page).search).toHaveValue("");
    };
    await page.goto("/products");
    await searchFor(page, "xqzwvkjhg");
    await expect(page.getByText(EMPTY)).toBeVisible();
    // Only those that sell best, below the sentence.
    await expect(page.locator("main ul[aria-busy]")).toHaveCount(0);
    await showAll();
    await expect(heading(page)).toBeFocused();
    // Here the search is a page of its own, so the focused element disappears.
    await page.goto("/products?search=xqzwvkjhg");
    await showAll();
    await expect(page.getByRole("main")).toBeFocused();
  });

  test("any text stays in the search box as it was typed", async ({ page }) => {
    const text = `  xqz "' % _ \\ & # + ? <zqx> 🦊 `;
    await page.goto("/products");
    await filters(page).search.fill(text);
    await page.locator("main form").evaluate((form: HTMLFormElement) => form.requestSubmit());
    await expect(page.getByText(EMPTY)).toBeVisible();
    expect(new URL(page.url()).searchParams.get("search")).toBe(text.trim());
    await page.reload();
    await expect(filters(page).search).toHaveValue(text.trim());
    await expect(page.getByText(EMPTY)).toBeVisible();
  });
});

test.describe("price bounds", () => {
  test("filter at once and ask the shop after half a second, on Enter or on leaving", async ({
    page,
  }) => {
    await openWithPausedClock(page);
    const requests = watchRequests(page, "/api/products");
    await filters(page).min.fill("50");
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

    await filters(page).min.fill("10");
    await filters(page).min.press("Enter");
    await expect(page).toHaveURL("/products?min_price=10");
    await filters(page).max.fill("15.50");
    await filters(page).max.blur();
    await expect(page).toHaveURL("/products?min_price=10&max_price=15.5");
    await expect(status(page)).toHaveText(/^\d+ produits$/);
    const outside = async () =>
      (await pricesOf(page)).filter((cents) => cents < 1000 || cents > 1550);
    await expect.poll(outside).toEqual([]);
    expect((await pricesOf(page)).length).toBeGreaterThan(0);
    expect(await isSameDocument(page)).toBe(true);
  });

  test("that cannot be read are marked, and filter nothing", async ({ page }) => {
    await page.goto("/products");
    const { min, max, type } = filters(page);
    for (const text of ["-5", "1e2"]) {
      await min.fill(text);
      await min.press("Enter");
      await expect(min).toHaveAttribute("aria-invalid", "true");
      await expect(min).toHaveAccessibleDescription("Prix non valable.");
      await expect(min).toHaveValue(text);
    }
    await expect(page).toHaveURL("/products");
    await min.fill("");
    await expect(min).not.toHaveAttribute("aria-invalid");
    await type.selectOption("Physique");
    await expect(page).toHaveURL("/products?type=physical");
    await expect(max).not.toHaveAttribute("aria-invalid");
  });
});

test.describe("pages", () => {
  test("number the products on from 25 on the second page, in place and on a reload", async ({
    page,
  }) => {
    await page.goto("/products");
    const first = await namesOf(page);
    await mark(page);
    await page.getByRole("link", { name: "Page 2", exact: true }).click();
    await expect(page).toHaveURL("/products?page=2");
    await expect.poll(async () => (await numbersOf(page))[0]).toBe(25);
    expect(await isSameDocument(page)).toBe(true);
    const second = await namesOf(page);
    expect(second.filter((name) => first.includes(name))).toEqual([]);
    await expect(page.getByRole("link", { name: "Page 2", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await page.reload();
    expect(await namesOf(page)).toEqual(second);
    expect((await numbersOf(page))[0]).toBe(25);
    await page.getByRole("link", { name: "Page précédente" }).click();
    await expect(page).toHaveURL("/products");
    await expect.poll(() => namesOf(page)).toEqual(first);
  });

  test("with leading zeros are the same pages, and a new filter begins with the first", async ({
    page,
  }) => {
    const requests = watchRequests(page, "/api/products");
    await page.goto("/products?page=02");
    expect((await numbersOf(page))[0]).toBe(25);
    await filters(page).type.selectOption("Digital");
    await expect(page).toHaveURL("/products?type=digital");
    await expect.poll(async () => (await numbersOf(page))[0]).toBe(1);
    await expect.poll(() => requests.length).toBeGreaterThan(0);
    expect(requests.filter((url) => !url.includes("type=digital"))).toEqual([]);
    await page.goBack();
    await expect(page).toHaveURL("/products?page=02");
    await expect.poll(async () => (await numbersOf(page))[0]).toBe(25);
  });

  test("that cannot be loaded show an error, and can be retried from the current page", async ({
    page,
    problems,
  }) => {
    problems.allow(/ERR_FAILED/);
    await page.goto("/products");
    const first = await namesOf(page);
    await page.route("**/api/products?*", (route) => route.abort());
    await page.getByRole("link", { name: "Page suivante" }).click();
    await expect(page).toHaveURL("/products?page=2");
    const alert = page.getByRole("main").getByRole("alert").filter({ hasText: /\S/ });
    await expect(alert).toHaveText("Erreur lors du chargement des produits.");
    expect(await namesOf(page)).toEqual(first);
    await expect(page.getByRole("link", { name: "Page 1", exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await page.unroute("**/api/products?*");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect.poll(async () => (await numbersOf(page))[0]).toBe(25);
    await expect(alert).toHaveCount(0);
    await page.getByRole("link", { name: "Page précédente" }).click();
    await expect.poll(() => namesOf(page)).toEqual(first);
  });
});

test("Back leads from a product to the filtered list, each page with one title", async ({
  page,
}) => {
  await page.goto("/products");
  await mark(page);
  await filters(page).category("Jardin et balcon").click();
  await filters(page).priceSort.selectOption("Croissant");
  await expect(page).toHaveURL("/products?category=6&price_sort=asc");
  await expect(status(page)).toHaveText(/^\d+ produits$/);
  const names = await namesOf(page);
  const titles = page.locator("head title");
  await page.getByRole("link", { name: names[1] ?? "" }).click();
  await expect(heading(page)).toHaveText(names[1] ?? "");
  await expect(titles).toHaveCount(1);
  await page.goBack();
  await expect(heading(page)).toHaveText("Nos produits - Jardin et balcon");
  await expect(page).toHaveTitle("Nos produits - Jardin et balcon - Mini Ecommerce");
  await expect(titles).toHaveCount(1);
  await expect.poll(() => namesOf(page)).toEqual(names);
  await expect(filters(page).priceSort).toHaveValue("asc");
  expect(await isSameDocument(page)).toBe(true);
});

for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
  test(`Back restores the position in the list, without layout shifts, at ${width} px`, async ({
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
  });

  test(`the server's response replaces cards without moving any at ${width} px`, async ({
    page,
  }) => {
    // In another order than the products already shown.
    await page.route("**/api/products?*", async (route) => {
      const response = await route.fetch();
      const json = await response.json();
      json["hydra:member"].reverse();
      await route.fulfill({ response, json });
    });
    const shifts = await watchLayoutShifts(page);
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/products");
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
}

test("a tag filters the list until it is removed", async ({ page }) => {
  await page.goto("/product/34");
  await page.getByRole("main").getByRole("link", { name: "Coup de cœur" }).click();
  await expect(page).toHaveURL(/\/products\?tags\.id=\d+$/);
  await hydrated(page);
  await expect(page.getByRole("link", { name: "Théière en fonte émaillée" })).toBeVisible();
  const count = async () => Number.parseInt((await status(page).textContent()) ?? "", 10);
  const tagged = await count();
  expect(tagged).toBeLessThan(30);
  await page.getByRole("button", { name: "Retirer le filtre Coup de cœur" }).press("Enter");
  await expect(page).toHaveURL("/products");
  // The button has disappeared.
  await expect(heading(page)).toBeFocused();
  await expect.poll(count).toBeGreaterThan(tagged);
});

test.describe("failures", () => {
  test("of filtering and loading are shown until the next success", async ({ page, problems }) => {
    problems.allow(500);
    const alert = page.getByRole("main").getByRole("alert").filter({ hasText: /\S/ });
    await page.goto("/products");
    let isBroken = true;
    await page.route("**/api/products?*", (route) =>
      isBroken ? route.fulfill({ status: 500 }) : route.continue(),
    );
    await filters(page).category("Cuisine et thé").click();
    await expect(alert).toHaveText("Erreur lors du filtrage des produits.");
    // The loaded products that match stay visible, but pale; their number is not the number of all.
    expect((await namesOf(page)).length).toBeGreaterThan(0);
    await expect(page.locator("main ul:has(> li > article)")).toHaveCSS("opacity", "0.4");
    await expect(status(page)).toHaveCount(0);
    await filters(page).category("Tous les produits").click();
    await expect(alert).toHaveText("Erreur lors du chargement des produits.");
    isBroken = false;
    await filters(page).category("Musique et son").click();
    await expect(alert).toHaveCount(0);
    await expect(status(page)).toHaveText(/^\d+ produits$/);
  });

  test("of loading the categories are shown above the products", async ({
    page,
    problems,
    shopWith,
  }) => {
    problems.allow({ status: 503, path: "/api/categories" });
    // The counts beside the filters, which the page goes without.
    problems.allow({ status: 503, path: "/api/product_facets" });
    const {
      baseURL,
      database: db,
      forgetCaches,
    } = await shopWith({ env: { DATABASE_TIMEOUT: "1" } });
    await forgetCaches();
    const alert = page.getByRole("main").getByRole("alert").filter({ hasText: /\S/ });
    const retry = page.getByRole("button", { name: "Réessayer" });
    await withTableLock(db, "categories", async () => {
      const response = await page.goto(`${baseURL}/products`);
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
      .poll(async () => (await page.request.get(`${baseURL}/products`)).text())
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
});

test("while nothing loaded matches, skeletons hold the place, also if the connection is lost", async ({
  page,
  problems,
}) => {
  problems.allow(/ERR_FAILED|ERR_INTERNET_DISCONNECTED/);
  await page.goto("/products?category=5");
  const { promise: held, resolve: fail } = deferred();
  await page.route("**/api/products?*", async (route) => {
    await held;
    await route.abort();
  });
  await filters(page).category("Musique et son").click();
  await expect(page.locator("main article")).toHaveCount(0);
  await expect(page.getByText(EMPTY)).toBeHidden();
  await expect(status(page)).toHaveText("Recherche en cours…");
  fail();
  // The shop may have products that the page has not loaded.
  await expect(page.getByText("Erreur lors du filtrage des produits.")).toBeVisible();
  await expect(page.getByText("Aucun produit")).toHaveCount(0);
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

  const submit = (page: Page) =>
    page.getByRole("main").getByRole("button", { name: "Filtrer", exact: true });
  /** A click only waits until the next document starts to arrive. */
  const arrived = (page: Page) => page.waitForLoadState("domcontentloaded");

  test("products, prices, links and paging are there", async ({ page }) => {
    await page.goto("/products");
    const first = await namesOf(page);
    expect(first).toHaveLength(24);
    expect((await pricesOf(page)).every((cents) => cents > 0)).toBe(true);
    expect(await numbersOf(page)).toEqual(first.map((_, index) => index + 1));
    await page.getByRole("link", { name: "Page suivante" }).click();
    await expect(page).toHaveURL("/products?page=2");
    await arrived(page);
    expect((await numbersOf(page))[0]).toBe(25);
    expect((await namesOf(page)).filter((name) => first.includes(name))).toEqual([]);
    await page.locator("main article a").first().click();
    await expect(page).toHaveURL(/\/product\/\d+\?category=\d+$/);
    await expect(heading(page)).toHaveText(/\S/);
  });

  test("the filters are a plain form that keeps what was chosen", async ({ page }) => {
    await page.goto("/products");
    await filters(page).type.selectOption("Digital");
    await filters(page).min.fill("10");
    await filters(page).priceSort.selectOption("Croissant");
    await submit(page).click();
    const chosen = () => Object.fromEntries(new URL(page.url()).searchParams);
    await expect
      .poll(chosen)
      .toMatchObject({ type: "digital", min_price: "10", price_sort: "asc" });
    await arrived(page);
    const prices = await pricesOf(page);
    expect(prices.length).toBeGreaterThan(5);
    expect(prices).toEqual(prices.toSorted((a, b) => a - b));
    expect(prices[0]).toBeGreaterThanOrEqual(1000);

    await filters(page).category("Musique et son").click();
    await expect(heading(page)).toHaveText("Nos produits - Musique et son");
    await searchFor(page, "guitare");
    await expect.poll(chosen).toMatchObject({ category: "7", type: "digital", search: "guitare" });
    await expect.poll(() => namesOf(page)).toEqual(["Cours vidéo : la guitare pas à pas"]);
    await filters(page).category("Tous les produits").click();
    await expect(heading(page)).toHaveText("Nos produits");
    expect(new URL(page.url()).searchParams.get("category") || null).toBeNull();
  });
});
