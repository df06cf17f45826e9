import type { Page } from "@playwright/test";
import { createUser } from "@/db/factories/people";
import { CART_AFTER_LOGOUT, openSession } from "../browser-session";
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

test("every page, also of a list, is tracked as a view, each with its scroll depth", async ({
  page,
}) => {
  await page.goto("/contact");
  const views = ["/contact"];
  await expect.poll(() => viewsOf(page)).toEqual(views);
  const expectView = async (path: string) => {
    views.push(path);
    await expect.poll(() => viewsOf(page)).toEqual(views);
  };
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
  const { origin } = new URL(page.url());
  expect(await trackedBy(page)).toContainEqual(["setReferrerUrl", `${origin}/contact`]);
  await read();
  await page.getByRole("link", { name: "Page suivante" }).click();
  await expectView("/products?page=2");
  await read();
  await page.goBack();
  await expectView("/products");
  await page.getByRole("button", { name: "Cuisine et thé", exact: true }).click();
  await expectView("/products?category=5");
  await expect(page).toHaveTitle("Nos produits - Cuisine et thé - Mini Ecommerce");
  expect(await trackedBy(page)).toContainEqual([
    "setDocumentTitle",
    "Nos produits - Cuisine et thé - Mini Ecommerce",
  ]);
});

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

test("the scroll depth is tracked at 25, 50, 75 and 100 percent, once each", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 400 });
  await page.goto("/");
  // The tracker has started.
  await expect.poll(() => viewsOf(page)).toEqual(["/"]);
  const depths = () => depthsOf(page);
  expect(await depths()).toEqual([]);
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
    await expect.poll(depths).toEqual(tracked);
  }
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

/** Category, action, name, value of the events among some commands, without the scroll depth. */
const eventsIn = (commands: readonly unknown[][]) =>
  commands
    .filter(([command, category]) => command === "trackEvent" && category !== "Page")
    .map(([, ...event]) => event);

const eventsOf = async (page: Page) => eventsIn(await trackedBy(page));

test("a filter that is chosen before the search is answered tracks no second search", async ({
  page,
}) => {
  await page.goto("/products");
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

test("a search by the header's form is tracked once, and not again by a reload", async ({
  page,
}) => {
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
});

test("a deleted account is tracked", async ({ page, database: db, problems }) => {
  problems.allow(CART_AFTER_LOGOUT);
  await openSession(page, await createUser({ db }));
  await page.goto("/profile");
  // The next page has a queue of its own, so the commands are recorded outside of the page.
  const tracked: unknown[][] = [];
  await page.exposeFunction("noteEvent", (event: unknown[]) => tracked.push(event));
  await page.evaluate(() => {
    const { _paq, noteEvent } = window as unknown as {
      _paq: { push: (command: unknown[]) => number };
      noteEvent: (event: unknown[]) => void;
    };
    const push = _paq.push.bind(_paq);
    _paq.push = (command) => {
      noteEvent([...command]);
      return push(command);
    };
  });
  await page.getByRole("button", { name: "Désactiver mon compte" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Tapez SUPPRIMER pour confirmer").fill("SUPPRIMER");
  await dialog.getByRole("button", { name: "Désactiver", exact: true }).click();
  await expect(page).toHaveURL("/");
  await expect
    .poll(() => eventsIn(tracked).map((event) => event.slice(0, 3)))
    .toEqual([["Compte", "Suppression", "compte"]]);
});
