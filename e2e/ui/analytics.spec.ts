import type { Page } from "@playwright/test";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { trackedBy, watchRequests } from "../storefront";

/** Paths and queries of the views that were recorded. */
const viewsOf = async (page: Page) =>
  (await trackedBy(page)).flatMap(([command, value], index, all) =>
    command === "setCustomUrl" && all[index + 2]?.[0] === "trackPageView"
      ? [String(value).slice(new URL(page.url()).origin.length)]
      : [],
  );

/** The scroll depths that were tracked, in percent. */
const depthsOf = async (page: Page) =>
  (await trackedBy(page))
    .filter(([command, , action]) => command === "trackEvent" && /défilement/.test(String(action)))
    .map((event) => event[4]);

/** Scrolls until this share of the page, from its top, is visible, without animation. */
const scrollTo = (page: Page, part: number) =>
  page.evaluate((share) => {
    const { scrollHeight } = document.documentElement;
    window.scrollTo({ top: scrollHeight * share - window.innerHeight + 2, behavior: "instant" });
  }, part);

test("every page is tracked, with its scroll depth", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto("/");
  const views: string[] = [];
  const expectView = async (path: string) => {
    views.push(path);
    await expect.poll(() => viewsOf(page)).toEqual(views);
  };
  await expectView("/");
  expect(await depthsOf(page)).toEqual([]);
  for (const [part, tracked] of [
    [0.25, [25]],
    [0.5, [25, 50]],
    [0.3, [25, 50]],
    [0.75, [25, 50, 75]],
    [1, [25, 50, 75, 100]],
    [0.2, [25, 50, 75, 100]],
    [1, [25, 50, 75, 100]],
  ] as const) {
    await scrollTo(page, part);
    await expect.poll(() => depthsOf(page)).toEqual(tracked);
  }

  const read = async () => {
    const trackedCount = (await depthsOf(page)).length;
    // Wait until the page has noticed that a new list began at its top.
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    // Scrolls again if the page has grown meanwhile.
    const scrollToEnd = async () => {
      await scrollTo(page, 1);
      return (await depthsOf(page)).slice(trackedCount);
    };
    await expect.poll(scrollToEnd).toEqual([25, 50, 75, 100]);
  };
  await page.getByRole("banner").getByRole("link", { name: "Nos produits" }).click();
  await expectView("/products");
  await read();
  await page.getByRole("link", { name: "Page suivante" }).click();
  await expectView("/products?page=2");
  await read();
  await page.goBack();
  await expectView("/products");
  await page.getByRole("button", { name: "Cuisine et thé", exact: true }).click();
  await expectView("/products?category=5");
  const title = "Nos produits - Cuisine et thé - Mini Ecommerce";
  await expect(page).toHaveTitle(title);
  expect(await trackedBy(page)).toContainEqual(["setDocumentTitle", title]);
});

test("with a Matomo URL the script is loaded from there", async ({ shopWith, page, problems }) => {
  problems.allow(/stats\.exemple\.test|ERR_FAILED/);
  const { baseURL } = await shopWith({
    env: { MATOMO_URL: "https://stats.exemple.test" },
    database: "shared",
  });
  const asked = watchRequests(page, "/matomo.js");
  await page.route("https://stats.exemple.test/**", (route) => route.abort());
  await page.goto(`${baseURL}/contact`);
  await expect.poll(() => asked.length).toBe(1);
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("setTrackerUrl");
});

/** Category, action, name, value of the events, without the scroll depth. */
const eventsOf = async (page: Page) =>
  (await trackedBy(page))
    .filter(([command, category]) => command === "trackEvent" && category !== "Page")
    .map(([, ...event]) => event);

test("a search is tracked once, and not again by a filter or a reload", async ({ page }) => {
  await page.goto("/contact");
  const box = page.getByRole("banner").getByRole("combobox", { name: "Trouver un produit" });
  await box.fill("laine");
  await box.press("Enter");
  await expect(page).toHaveURL("/products?search=laine");
  await expect.poll(() => eventsOf(page)).toEqual([["Catalogue", "Recherche", "laine", undefined]]);
  await page.reload();
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("trackPageView");
  expect(await eventsOf(page)).toEqual([]);

  const release = await holdRequests(page, "**/api/products?search=*");
  const search = page.getByRole("main").getByRole("combobox", { name: "Rechercher" });
  await search.fill("théière");
  await search.press("Enter");
  const tracked = [["Catalogue", "Recherche", "théière", undefined]];
  await expect.poll(() => eventsOf(page)).toEqual(tracked);
  await page.getByRole("combobox", { name: "Type" }).selectOption("Physique");
  await expect(page).toHaveURL(/type=physical/);
  release();
  await expect(page.getByRole("status").first()).toHaveText(/produit/);
  expect(await eventsOf(page)).toEqual(tracked);
});
