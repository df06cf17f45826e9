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

test("a visitor without viewed products sees the best rated, and is invited to open an account", async ({
  page,
}) => {
  await page.goto("/");
  await expect(page).toHaveTitle("Accueil - Mini Ecommerce");
  const invitation = page.getByRole("link", { name: "Créer un compte et rejoignez-nous !" });
  await expect(invitation).toBeVisible();
  await expect(invitation).toHaveAttribute("href", "/register");
  await expect(page.getByText(/Bonjour/)).toHaveCount(0);
  await expect(page.getByRole("tab")).toHaveText([...TABS]);
  for (const tab of TABS) await expect(page.getByText(tab)).toHaveCount(1);
  await expect(openTab(page)).toHaveText("Les Mieux Notés");
  await expect(panel(page)).toHaveCount(1);
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

test("each tab shows its ten products, and the one of the history leads on while it is empty", async ({
  page,
  api,
  shop,
}) => {
  // Rows of other tests must not appear in the page and the API at different times.
  await shop.forgetCaches();
  const { json: home } = await api.get<Home>("/api/home");
  await page.goto("/");
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

test("arrow keys, Home and End move between the tabs", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("tab", { name: "Les Mieux Notés" }).focus();
  const moves = [
    ["ArrowRight", "Les Moins Chers"],
    ["ArrowLeft", "Les Mieux Notés"],
    ["End", "Les Derniers Ajouts"],
    ["ArrowRight", "Récemment Consultés"],
    ["ArrowLeft", "Les Derniers Ajouts"],
    ["Home", "Récemment Consultés"],
  ] as const;
  for (const [key, tab] of moves) {
    await page.keyboard.press(key);
    await expect(openTab(page)).toHaveText(tab);
    await expect(page.getByRole("tab", { name: tab })).toBeFocused();
  }
});

test.describe("the history", () => {
  const recentlyViewed = (page: Page) =>
    page.evaluate(() => JSON.parse(localStorage.getItem("recentlyViewedProducts") ?? "null"));

  test("keeps the last ten products, most recent first, once each", async ({ page }) => {
    await storeOnce(page, { recentlyViewedProducts: "[1,2,3,4,5,6,7,8,9,10]" });
    for (const [id, ids] of [
      [20, [20, 1, 2, 3, 4, 5, 6, 7, 8, 9]],
      [3, [3, 20, 1, 2, 4, 5, 6, 7, 8, 9]],
    ] as const) {
      await page.goto(`/product/${id}`);
      await expect.poll(() => recentlyViewed(page)).toEqual(ids);
    }
  });

  test("leaves out deleted products, and survives invalid storage", async ({ page, api }) => {
    const { json } = await api.get<ProductJson>("/api/products/5");
    await storeOnce(page, { recentlyViewedProducts: '[2000000000,5,"x",null,-1]' });
    await page.goto("/");
    await expect.poll(() => namesOf(panel(page))).toEqual([plainSpaces(json.name)]);
    for (const nonsense of ["{", '"[1]"']) {
      await page.evaluate((text) => localStorage.setItem("recentlyViewedProducts", text), nonsense);
      await page.reload();
      await expect(openTab(page)).toHaveText("Les Mieux Notés");
    }
  });

  test("is the first open tab, and adds products that are viewed in another tab of the browser", async ({
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
    await expect.poll(() => recentlyViewed(page)).toEqual([12, 7, 3]);
    await page.getByRole("tab", { name: "Récemment Consultés" }).click();
    await expectProducts(12, 7, 3);
  });

  test("is read from a Hydra response, too", async ({ page }) => {
    await page.route("**/api/home?*", (route) =>
      route.fulfill({
        json: {
          recentlyViewedProducts: {
            "hydra:member": [{ id: 5, name: "Lampe", price: 20, "@type": "PhysicalProduct" }],
          },
        },
      }),
    );
    await storeOnce(page, { recentlyViewedProducts: "[5]" });
    await page.goto("/");
    await expect.poll(() => namesOf(panel(page))).toEqual(["Lampe"]);
    await expect(panel(page)).not.toContainText(/NaN|undefined/);
  });

  test("and tags that cannot be loaded are empty lists, without an error", async ({
    page,
    problems,
  }) => {
    problems.allow(500, 503);
    await page.route("**/api/home?*", (route) => route.fulfill({ status: 503 }));
    await storeOnce(page, { recentlyViewedProducts: "[5]" });
    await page.goto("/");
    await expect(openTab(page)).toHaveText("Récemment Consultés");
    await expect(panel(page).locator("[aria-busy=true]")).toHaveCount(0);
    await expect(panel(page).locator("article")).toHaveCount(0);
    await page.route("**/api/products?*", (route) => route.fulfill({ status: 500 }));
    const section = page.getByRole("region", { name: "Par thème" });
    await section.getByRole("button").first().click();
    await expect(section.locator("[aria-busy=true]")).toHaveCount(0);
    await expect(section.locator("article")).toHaveCount(0);
    await expect(page.getByRole("alert").filter({ hasText: /\S/ })).toHaveCount(0);
    await page.getByRole("tab", { name: "Les Moins Chers" }).click();
    await expect(panel(page).locator("article")).toHaveCount(10);
  });
});

test("the largest categories have tiles with a picture and the number of their products", async ({
  page,
}) => {
  await page.goto("/");
  const tiles = page.getByRole("navigation", { name: "Rayons en images" }).getByRole("link");
  await expect(tiles).toHaveCount(4);
  const [, name, count] =
    /^(.+?)\s*(\d+ produits)$/.exec((await tiles.first().textContent()) ?? "") ?? [];
  await expect(tiles.first().locator("img")).toHaveAttribute("src", /_next\/image/);
  await tiles.first().click();
  await expect(page).toHaveURL(/\/products\?category=\d+$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`Nos produits - ${name}`);
  await expect(page.getByRole("main")).toContainText(String(count));
});

test("the latest good reviews lead to their products, and bad ones are not among them", async ({
  page,
  shop,
}) => {
  await shop.forgetCaches();
  await page.goto("/");
  const reviews = page.getByRole("region", { name: "Ils s’en servent" }).getByRole("listitem");
  await expect(reviews).toHaveCount(3);
  for (const rating of await reviews.getByText(/ \/ 5$/).allTextContents())
    expect(Number.parseInt(rating, 10)).toBeGreaterThanOrEqual(4);
  const link = reviews.first().getByRole("link");
  const name = (await link.textContent()) ?? "";
  await link.click();
  await expect(page).toHaveURL(/\/product\/\d+\?category=\d+#avis$/);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(name);
});

test.describe("the tags", () => {
  test("are all there, by name, and load their products", async ({ page, arrange }) => {
    const { tag, products, empty } = await arrange(async (db) => {
      const tag = await createTag({ db, name: "Zinc" });
      const empty = await createTag({ db, name: "Zéro" });
      const products = [
        await createProduct({ db, name: "Arrosoir en zinc", tagIds: [tag.id] }),
        await createProduct({ db, name: "Seau en zinc", tagIds: [tag.id] }),
      ];
      return { tag, products, empty };
    });
    await page.goto("/");
    const section = page.getByRole("region", { name: "Par thème" });
    await section.getByRole("button", { name: tag.name }).click();
    await expect(section.getByRole("heading", { name: tag.name, exact: true })).toBeVisible();
    await expect.poll(() => namesOf(section)).toEqual(products.map(({ name }) => name));
    await expect(section.getByRole("status")).toHaveText(`${products.length} produits`);
    await expect(section.getByRole("button", { name: tag.name })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    await section.getByRole("button", { name: empty.name }).click();
    await expect(section.getByRole("heading", { name: empty.name })).toBeVisible();
    await expect(section.getByText("Aucun produit pour le moment.")).toBeVisible();
    expect(await namesOf(section)).toEqual([]);
    await expect(page).toHaveURL("/");
  });

  test("chosen one after the other show the last one, whichever answer comes last", async ({
    page,
    arrange,
  }) => {
    const { first, second } = await arrange(async (db) => {
      const first = await createTag({ db, name: "Étain" });
      const second = await createTag({ db, name: "Étoupe" });
      for (const { id } of [first, second]) await createProduct({ db, tagIds: [id] });
      return { first, second };
    });
    const release = await holdRequests(page, `**/api/products?tags.id=${first.id}`);
    await page.goto("/");
    const section = page.getByRole("region", { name: "Par thème" });
    await section.getByRole("button", { name: first.name }).click();
    const slow = page.waitForResponse(`**/api/products?tags.id=${first.id}`);
    await section.getByRole("button", { name: second.name }).click();
    await expect(section.locator("article").first()).toBeVisible();
    const names = await namesOf(section);
    release();
    await (await slow).finished();
    await expect(section.getByRole("heading", { name: second.name })).toBeVisible();
    expect(await namesOf(section)).toEqual(names);
  });
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
