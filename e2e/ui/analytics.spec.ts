import type { Page } from "@playwright/test";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { CART_AFTER_LOGOUT, openSession, stopClock } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { trackedBy, watchRequests } from "../storefront";

test("each page that is opened is a view, with its title and URL", async ({ page }) => {
  await page.goto("/");
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("trackPageView");
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveTitle("Contact - Mini Ecommerce");
  const views = async () =>
    (await trackedBy(page)).filter(([command]) => command === "trackPageView").length;
  await expect.poll(views).toBe(2);
  const commands = await trackedBy(page);
  const { origin } = new URL(page.url());
  expect(commands[0]).toEqual(["setSiteId", "1"]);
  expect(commands).toContainEqual(["setCustomUrl", `${origin}/`]);
  expect(commands).toContainEqual(["setDocumentTitle", "Accueil - Mini Ecommerce"]);
  expect(commands).toContainEqual(["setCustomUrl", `${origin}/contact`]);
  expect(commands).toContainEqual(["setDocumentTitle", "Contact - Mini Ecommerce"]);
  expect(commands).toContainEqual(["setReferrerUrl", `${origin}/`]);
});

/** Paths and queries of the views that were recorded. */
const viewsOf = async (page: Page) =>
  (await trackedBy(page)).flatMap(([command, value], index, all) =>
    command === "setCustomUrl" && all[index + 2]?.[0] === "trackPageView"
      ? [String(value).slice(new URL(page.url()).origin.length)]
      : [],
  );

test("a link to another view of the catalogue, and the back button, are views", async ({
  page,
}) => {
  await page.goto("/products");
  const views = () => viewsOf(page);
  await expect.poll(views).toEqual(["/products"]);
  await page.getByRole("contentinfo").getByRole("link", { name: "Objets" }).click();
  await expect.poll(views).toEqual(["/products", "/products?type=physical"]);
  await page.goBack();
  await expect.poll(views).toEqual(["/products", "/products?type=physical", "/products"]);
});

test("pages and categories of a list are tracked as views, each with its scroll depth", async ({
  page,
}) => {
  await page.goto("/products");
  const views = ["/products"];
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

test("without a Matomo URL no script is loaded", async ({ page }) => {
  const seen: string[] = [];
  page.on("request", (request) => seen.push(request.url()));
  await page.goto("/");
  // The tracker has started, which is when it would load its script.
  await expect
    .poll(async () => (await trackedBy(page)).map(([command]) => command))
    .toContain("trackPageView");
  expect(seen.filter((url) => /matomo/i.test(url))).toEqual([]);
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

test("with a Matomo URL the script is loaded from there, and awaited for three seconds", async ({
  shopWith,
  page,
  problems,
}) => {
  problems.allow(/stats\.exemple\.test|ERR_FAILED/);
  const { baseURL } = await shopWith({
    env: { MATOMO_URL: "https://stats.exemple.test" },
    database: "shared",
  });
  const asked = watchRequests(page, "/matomo.js");
  await page.route("https://stats.exemple.test/**", (route) => route.abort());
  await page.clock.install();
  await stopClock(page);
  await page.goto(`${baseURL}/contact`, { waitUntil: "commit" });
  await expect.poll(() => asked.length).toBe(1);
  const commands = async () => (await trackedBy(page)).map(([command]) => command);
  // Advances the page's clock only a little, however long the start takes.
  await expect
    .poll(async () => {
      await page.clock.runFor(10);
      return commands();
    })
    .toContain("setTrackerUrl");
  await page.clock.runFor(2_900);
  expect(await commands()).not.toContain("trackPageView");
  await page.clock.runFor(200);
  await expect.poll(commands).toContain("trackPageView");
});

/** Category, action, name, value of the events among some commands, without the scroll depth. */
const eventsIn = (commands: readonly unknown[][]) =>
  commands
    .filter(([command, category]) => command === "trackEvent" && category !== "Page")
    .map(([, ...event]) => event);

const eventsOf = async (page: Page) => eventsIn(await trackedBy(page));

test("a search in the catalogue is tracked without personal data", async ({ page, clock }) => {
  await clock.install();
  await page.goto("/products");
  const search = page.getByRole("main").getByRole("combobox", { name: "Rechercher" });
  await search.fill("théière");
  await clock.runFor(3_100);
  await expect
    .poll(() => eventsOf(page))
    .toEqual([["Catalogue", "Recherche", "théière", undefined]]);
  await search.fill("marie@exemple.fr 06 12 34 56 78");
  await clock.runFor(3_100);
  await expect
    .poll(async () => (await eventsOf(page)).at(-1))
    .toEqual(["Catalogue", "Recherche", ":email :number", undefined]);
  // Emptying the field is not a search.
  await search.fill("");
  await expect(page).toHaveURL("/products");
  expect(await eventsOf(page)).toHaveLength(2);
});

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

test("a selected tab of the home page is tracked", async ({ page }) => {
  await page.goto("/");
  expect(await eventsOf(page)).toEqual([]);
  await page.getByRole("tab", { name: "Les Plus Vendus" }).click();
  await expect
    .poll(() => eventsOf(page))
    .toEqual([["Accueil", "Onglet consulté", "Les Plus Vendus", undefined]]);
});

test("a product that is added to the cart is tracked, once it is there", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(500);
  await openSession(page, await createUser({ db }));
  const product = await createProduct({ db, name: "Lampe Aube" });
  await page.goto(`/product/${product.id}`);
  await page.route("**/api/cart/add", (route) => route.fulfill({ status: 500, json: {} }));
  const add = page.getByRole("button", { name: "Ajouter au panier" });
  await add.click();
  await expect(page.getByText("Erreur lors de l'ajout au panier")).toBeVisible();
  expect(await eventsOf(page)).toEqual([]);
  await page.unroute("**/api/cart/add");
  await page.getByRole("spinbutton", { name: "Quantité" }).fill("3");
  await add.click();
  await expect.poll(() => eventsOf(page)).toEqual([["Panier", "Ajout au panier", "Lampe Aube", 3]]);
});

test("further reviews and a deleted review are tracked", async ({ page, arrange }) => {
  const { product, author } = await arrange(async (db) => {
    const product = await createProduct({ db });
    const author = await createUser({ db });
    for (let i = 0; i < 7; i++) {
      const { id: userId } = i === 0 ? author : await createUser({ db });
      await createReview({ db, productId: product.id, userId });
    }
    return { product, author };
  });
  await openSession(page, author);
  await page.goto(`/product/${product.id}`);
  const reviews = page.getByRole("region", { name: "Avis clients" });
  await expect(reviews.getByRole("article", { name: "Votre avis" })).toBeVisible();
  await reviews.getByRole("button", { name: "Voir plus (2 avis supplémentaires)" }).click();
  await reviews.getByRole("button", { name: "Voir moins" }).click();
  await expect.poll(() => eventsOf(page)).toEqual([["Avis", "Voir plus", undefined, 2]]);
  await reviews.getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Annuler" }).click();
  expect(await eventsOf(page)).toHaveLength(1);
  await reviews.getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Supprimer" }).click();
  await expect
    .poll(async () => (await eventsOf(page)).at(-1))
    .toEqual(["Compte", "Suppression", "avis", undefined]);
});

test("a deleted address is tracked", async ({ page, database: db }) => {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id });
  await openSession(page, user);
  await page.goto("/addresses");
  await page.getByRole("main").getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Supprimer" }).click();
  await expect
    .poll(() => eventsOf(page))
    .toContainEqual(["Compte", "Suppression", "adresse", undefined]);
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

test("the URL of an order's confirmation is sent without the order's number", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const { order } = await createOrder({ db, user, items: [{ product }] });
  await openSession(page, user);
  await page.addInitScript((id) => sessionStorage.setItem("lastOrderId", id), String(order.id));
  await page.goto(`/order/${order.id}/confirmation`);
  const { origin } = new URL(page.url());
  await expect
    .poll(() => trackedBy(page))
    .toContainEqual(["setCustomUrl", `${origin}/order/:id/confirmation`]);
  // The server's port may contain the same digits.
  const tracked = JSON.stringify(await trackedBy(page)).replaceAll(origin, "");
  expect(tracked).not.toContain(String(order.id));
});
