import type { Page } from "@playwright/test";
import { createProduct, createTag } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import type { ProductJson } from "../representation";
import { namesOf, plainSpaces, storeOnce, storeSession, trackedBy } from "../storefront";

const TABS = [
  "Récemment Consultés",
  "Les Mieux Notés",
  "Les Moins Chers",
  "Les Plus Vendus",
  "Les Derniers Ajouts",
] as const;

const LISTS = {
  "Les Mieux Notés": "bestRatedProducts",
  "Les Moins Chers": "cheapestProduct",
  "Les Plus Vendus": "mostSoldProducts",
  "Les Derniers Ajouts": "latestProducts",
} as const;

type Home = Record<(typeof LISTS)[keyof typeof LISTS], ProductJson[]>;

const openTab = (page: Page) => page.getByRole("tab", { selected: true });
const panel = (page: Page) => page.getByRole("tabpanel").filter({ visible: true });
const namesIn = (products: ProductJson[]) => products.map(({ name }) => plainSpaces(name));

test("a visitor is invited to open an account, and sees the products of each tab", async ({
  page,
  api,
  shop,
}) => {
  // Rows of other tests must not appear in the page and the API at different times.
  await shop.forgetCaches();
  const { json: home } = await api.get<Home>("/api/home");
  await page.goto("/");
  await expect(page).toHaveTitle("Accueil - Mini Ecommerce");
  const invitation = page.getByRole("link", { name: "Créer un compte et rejoignez-nous !" });
  await expect(invitation).toHaveAttribute("href", "/register");
  await expect(page.getByRole("tab")).toHaveText([...TABS]);
  for (const tab of TABS) await expect(page.getByText(tab)).toHaveCount(1);
  await expect(openTab(page)).toHaveText("Les Mieux Notés");
  await expect(panel(page)).toHaveCount(1);
  for (const [tab, list] of Object.entries(LISTS)) {
    await page.getByRole("tab", { name: tab }).click();
    await expect(openTab(page)).toHaveText(tab);
    expect(await namesOf(panel(page))).toEqual(namesIn(home[list]));
    const hrefs = await panel(page)
      .locator("article a")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")));
    expect(hrefs).toEqual(
      home[list].map(({ id, categoryId }) => `/product/${id}?category=${categoryId}`),
    );
  }
  await test.step("the empty history leads to another tab", async () => {
    await page.getByRole("tab", { name: "Récemment Consultés" }).click();
    await expect(panel(page).locator("article")).toHaveCount(0);
    await expect(panel(page)).toContainText("Les produits que vous regardez se retrouvent ici.");
    await panel(page).getByRole("button").click();
    await expect(openTab(page)).toHaveText("Les Plus Vendus");
    await expect(panel(page).locator("article")).toHaveCount(10);
    await expect
      .poll(() => trackedBy(page))
      .toContainEqual(["trackEvent", "Accueil", "Onglet consulté", "Les Plus Vendus", undefined]);
  });
  await test.step("arrow keys, Home and End move between the tabs", async () => {
    await openTab(page).focus();
    for (const [key, tab] of [
      ["ArrowLeft", "Les Moins Chers"],
      ["ArrowRight", "Les Plus Vendus"],
      ["End", "Les Derniers Ajouts"],
      ["ArrowRight", "Récemment Consultés"],
      ["ArrowLeft", "Les Derniers Ajouts"],
      ["Home", "Récemment Consultés"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(openTab(page)).toHaveText(tab);
      await expect(page.getByRole("tab", { name: tab })).toBeFocused();
    }
  });
  // With only one name a user is not greeted.
  await page.evaluate(() => localStorage.setItem("userName", "Martin"));
  await page.reload();
  await expect(invitation).toBeVisible();
  await expect(page.getByText(/Bonjour/)).toHaveCount(0);
});

test("a logged-in user is greeted by first and last name, from the first paint on", async ({
  page,
  database: db,
}) => {
  await storeSession(page, await createUser({ db, firstName: "Élodie", lastName: "N'Guyen" }));
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Bonjour Élodie N'Guyen !", {
    useInnerText: true,
  });
  await expect(page.getByText("Créer un compte et rejoignez-nous !")).toHaveCount(0);
});

test("the history is the first open tab, and adds products viewed in another tab of the browser", async ({
  page,
  context,
  api,
}) => {
  const names = new Map<number, string>();
  for (const id of [3, 7, 12])
    names.set(id, plainSpaces((await api.get<ProductJson>(`/api/products/${id}`)).json.name));
  const expectProducts = (...ids: number[]) =>
    expect.poll(() => namesOf(panel(page))).toEqual(ids.map((id) => names.get(id)));
  await storeOnce(page, { recentlyViewedProducts: "[3]" });
  await page.goto("/");
  await expect(openTab(page)).toHaveText("Récemment Consultés");
  await expectProducts(3);
  const other = await context.newPage();
  await other.goto("/product/7");
  await expectProducts(7, 3);
  await page.getByRole("tab", { name: "Les Moins Chers" }).click();
  await other.goto("/product/12");
  await expect
    .poll(() => page.evaluate(() => localStorage.getItem("recentlyViewedProducts")))
    .toBe("[12,7,3]");
  await page.getByRole("tab", { name: "Récemment Consultés" }).click();
  await expectProducts(12, 7, 3);
});

test("a history and tags that cannot be loaded are empty lists, without an error", async ({
  page,
  problems,
}) => {
  problems.allow(500, 503);
  await page.route("**/api/home?*", (route) => route.fulfill({ status: 503 }));
  await page.route("**/api/products?*", (route) => route.fulfill({ status: 500 }));
  await storeOnce(page, { recentlyViewedProducts: "[5]" });
  await page.goto("/");
  await expect(openTab(page)).toHaveText("Récemment Consultés");
  const themes = page.getByRole("region", { name: "Par thème" });
  await themes.getByRole("button").first().click();
  for (const list of [panel(page), themes]) {
    await expect(list.locator("[aria-busy=true]")).toHaveCount(0);
    await expect(list.locator("article")).toHaveCount(0);
  }
  await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
  await page.getByRole("tab", { name: "Les Moins Chers" }).click();
  await expect(panel(page).locator("article")).toHaveCount(10);
});

test("tiles lead to the largest categories, and the latest good reviews to their products", async ({
  page,
  shop,
}) => {
  await shop.forgetCaches();
  await page.goto("/");
  const title = page.getByRole("heading", { level: 1 });
  const reviews = page.getByRole("region", { name: "Ils s’en servent" }).getByRole("listitem");
  await expect(reviews).toHaveCount(3);
  for (const rating of await reviews.getByText(/ \/ 5$/).allTextContents())
    expect(Number.parseInt(rating, 10)).toBeGreaterThanOrEqual(4);
  const link = reviews.first().getByRole("link");
  const reviewed = (await link.textContent()) ?? "";
  await link.click();
  await expect(page).toHaveURL(/\/product\/\d+\?category=\d+#avis$/);
  await expect(title).toHaveText(reviewed);

  await page.goBack();
  const tiles = page.getByRole("navigation", { name: "Rayons en images" }).getByRole("link");
  await expect(tiles).toHaveCount(4);
  await expect(tiles.first().locator("img")).toHaveAttribute("src", /_next\/image/);
  const [, name, count] =
    /^(.+?)\s*(\d+ produits)$/.exec((await tiles.first().textContent()) ?? "") ?? [];
  await tiles.first().click();
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect(title).toHaveText(`Nos produits - ${name}`);
  await expect(page.getByRole("main")).toContainText(String(count));
});

test("a tag loads its products, and the last one that was chosen is shown", async ({
  page,
  arrange,
}) => {
  const { tag, slow, empty } = await arrange(async (db) => {
    const tag = await createTag({ db, name: "Zinc" });
    const slow = await createTag({ db, name: "Étain" });
    for (const name of ["Arrosoir en zinc", "Seau en zinc"])
      await createProduct({ db, name, tagIds: [tag.id] });
    await createProduct({ db, tagIds: [slow.id] });
    return { tag, slow, empty: await createTag({ db, name: "Zéro" }) };
  });
  await page.goto("/");
  const themes = page.getByRole("region", { name: "Par thème" });
  const choose = (name: string) => themes.getByRole("button", { name, exact: true }).click();
  const title = (name: string) => themes.getByRole("heading", { name, exact: true });
  const slowPath = `**/api/products?tags.id=${slow.id}`;
  const release = await holdRequests(page, slowPath);
  await choose(slow.name);
  const late = page.waitForResponse(slowPath);
  await choose(tag.name);
  await expect(title(tag.name)).toBeVisible();
  const names = ["Arrosoir en zinc", "Seau en zinc"];
  await expect.poll(() => namesOf(themes)).toEqual(names);
  await expect(themes.getByRole("status")).toHaveText("2 produits");
  await expect(themes.getByRole("button", { name: tag.name })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  release();
  await (await late).finished();
  await expect(title(tag.name)).toBeVisible();
  expect(await namesOf(themes)).toEqual(names);

  await choose(empty.name);
  await expect(title(empty.name)).toBeVisible();
  await expect(themes.getByText("Aucun produit pour le moment.")).toBeVisible();
  expect(await namesOf(themes)).toEqual([]);
  await expect(page).toHaveURL("/");
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the four lists have headings, and the tags link to the catalogue", async ({
    page,
    api,
    shop,
  }) => {
    await shop.forgetCaches();
    const { json: home } = await api.get<Home>("/api/home");
    await page.goto("/");
    for (const [tab, list] of Object.entries(LISTS)) {
      const area = page.getByRole("tabpanel").filter({ has: page.getByText(tab, { exact: true }) });
      await expect(area.getByText(tab, { exact: true })).toBeVisible();
      expect(await namesOf(area)).toEqual(namesIn(home[list]));
    }
    await expect(
      page.getByRole("link", { name: "Créer un compte et rejoignez-nous !" }),
    ).toBeVisible();
    await page.getByRole("button", { name: "Fait main", exact: true }).click();
    await expect(page).toHaveURL(/\/products\?tags\.id=\d+$/);
    await expect(page.getByRole("link", { name: "Ciseaux de couturière" })).toBeVisible();
  });
});
