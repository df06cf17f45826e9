import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { expectAccessible } from "../axe";
import { expectAccessibleStopped, openSession, stopClock } from "../browser-session";
import { expectText, summary } from "../checkout-page";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import {
  expectFocusKept,
  expectNoSidewaysScroll,
  plainSpaces,
  settled,
  trackedBy,
  WIDTHS,
  watchRequests,
} from "../storefront";

interface Line {
  name: string;
  priceCents: number;
  quantity?: number;
}

/** A logged-in customer with these products (price in cents, pieces) in the cart. */
async function customerWith(page: Page, db: Database, ...lines: readonly Line[]) {
  const user = await createUser({ db });
  const items = [];
  for (const { quantity = 1, ...product } of lines) {
    const { id: productId } = await createProduct({ db, ...product });
    items.push({ productId, quantity });
  }
  if (items.length > 0) await createCart({ db, userId: user.id, items });
  await openSession(page, user);
  return { user, productIds: items.map(({ productId }) => productId) };
}

const LAMP = { name: "Lampe Aube", priceCents: 4290 };
const CHAIR = { name: "Chaise Brume", priceCents: 1150 };

const main = (page: Page) => page.getByRole("main");
const alertOf = (page: Page) => main(page).getByRole("alert");
const addButton = (page: Page) => main(page).getByRole("button", { name: "Ajouter au panier" });
const orderButton = (page: Page) => page.getByRole("button", { name: "Passer la commande" });
const cartLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first();
const miniCart = (page: Page) => page.getByRole("region", { name: "Panier" });
const row = (page: Page, name: string) =>
  main(page).getByRole("listitem").filter({ hasText: name });
const quantityOf = (area: Locator, name: string) => area.getByLabel(`Quantité de ${name}`);

/** Moves the pointer where nothing is hovered. */
const pointAway = (page: Page) => page.mouse.move(700, 850);

async function expectStored(db: Database, userId: number, quantity: number): Promise<void> {
  const read = async () => {
    const rows = await db
      .select({ quantity: cartItems.quantity })
      .from(cartItems)
      .innerJoin(carts, eq(carts.id, cartItems.cartId))
      .where(eq(carts.userId, userId))
      .orderBy(cartItems.id);
    return rows[0]?.quantity;
  };
  await expect.poll(read).toBe(quantity);
}

/** Checks a page whose clock is stopped in a narrow and in a wide window. */
async function expectFitsStopped(page: Page): Promise<void> {
  for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
    await page.setViewportSize({ width, height: 900 });
    await expectAccessibleStopped(page);
    await expectNoSidewaysScroll(page);
  }
}

test.describe("adding to the cart", () => {
  test("asks a logged-out visitor to log in, and sends no request", async ({
    page,
    database: db,
  }) => {
    const { id } = await createProduct({ db, ...LAMP });
    const calls: string[] = [];
    await page.route("**/api/cart**", (route) => {
      calls.push(route.request().url());
      return route.abort();
    });
    await page.goto(`/product/${id}`);
    const login = ["href", `/login?retour=/product/${id}`] as const;
    await cartLink(page).hover();
    const link = miniCart(page).getByRole("link", { name: "Se connecter" });
    await expect(link).toHaveAttribute(...login);
    await pointAway(page);
    await expect(miniCart(page)).toHaveCount(0);
    await expect(page.getByLabel("Quantité")).toHaveValue("1");
    // The message is in sight of a visitor who presses a button at the bottom of the screen.
    await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
    await addButton(page).evaluate((element) => element.scrollIntoView({ block: "end" }));
    await addButton(page).click();
    const sentence = "Veuillez vous connecter pour ajouter des produits au panier";
    await expect(page.getByText(sentence, { exact: true })).toBeInViewport({ ratio: 1 });
    const create = main(page).getByRole("link", { name: "Créer un compte" });
    await expect(create).toBeFocused();
    await expect(create).toHaveAttribute("href", `/register?retour=/product/${id}`);
    await expect(main(page).getByRole("link", { name: "Se connecter" })).toHaveAttribute(...login);
    await expectFits(page);
    expect(calls).toEqual([]);
  });

  test("says so, and leads to the cart after 3 seconds, unless the visitor stays", async ({
    page,
    clock,
    database: db,
    problems,
  }) => {
    problems.allow(500);
    await customerWith(page, db);
    const { id } = await createProduct({ db, ...LAMP });
    await clock.install();
    // Wait until the badge is loaded: with a paused clock, React would show it late.
    const counted = page.waitForResponse("**/api/cart");
    await page.goto(`/product/${id}`);
    await counted;
    await stopClock(page);
    const additions = async () =>
      (await trackedBy(page)).filter(([, category]) => category === "Panier");

    await test.step("a failure is shown, and the addition can be repeated", async () => {
      await page.route("**/api/cart/add", (route) => route.fulfill({ status: 500, body: "oops" }));
      await addButton(page).click();
      await expect(alertOf(page)).toHaveText("Erreur lors de l'ajout au panier");
      expect(await additions()).toEqual([]);
      await page.unroute("**/api/cart/add");
    });

    await test.step("staying ends the wait", async () => {
      const less = page.getByRole("button", { name: "Un de moins" });
      const more = page.getByRole("button", { name: "Un de plus" });
      await more.click();
      await less.press("Enter");
      await expect(less).toBeDisabled();
      await expect(less).toBeFocused();
      await more.click();
      await more.click();
      const { width } = (await addButton(page).boundingBox()) ?? {};
      const release = await holdRequests(page, "**/api/cart/add");
      await addButton(page).click();
      await expect(addButton(page)).toHaveAttribute("aria-busy", "true");
      expect((await addButton(page).boundingBox())?.width).toBe(width);
      release();
      await expect(main(page).getByRole("link", { name: "Aller au panier" })).toBeFocused();
      await expect(cartLink(page)).toContainText("3 articles");
      expect(await additions()).toEqual([
        ["trackEvent", "Panier", "Ajout au panier", "Lampe Aube", 3],
      ]);
      await main(page).getByRole("button", { name: "Rester sur cette page" }).click();
      const added = "Produit ajouté au panier avec succès";
      await expect(main(page).getByText(added, { exact: true })).toBeVisible();
      await expect(addButton(page)).toBeFocused();
      await clock.runFor(10_000);
      await expect(page).toHaveURL(`/product/${id}`);
    });

    await addButton(page).click();
    const leaving = "Produit ajouté au panier avec succès, Redirection ....";
    await expect(page.getByText(leaving, { exact: true })).toBeVisible();
    await expect(addButton(page)).toBeDisabled();
    await expect(main(page).getByRole("link", { name: "Aller au panier" })).toHaveAttribute(
      "href",
      "/cart",
    );
    await clock.runFor(2900);
    await expect(page).toHaveURL(`/product/${id}`);
    await clock.runFor(200);
    await expect(page).toHaveURL("/cart");
    await expect(quantityOf(main(page), "Lampe Aube")).toHaveValue("6");
    await expect(page).toHaveTitle("Panier - Mini Ecommerce");
  });

  test("does not redirect a visitor who has gone on meanwhile", async ({
    page,
    clock,
    database: db,
  }) => {
    await customerWith(page, db);
    const { id } = await createProduct({ db, ...LAMP });
    await clock.install();
    await page.goto(`/product/${id}`);
    await stopClock(page);
    const goOn = async () => {
      await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
      await expect(page).toHaveURL("/contact");
    };
    const loads = watchRequests(page, "/cart");
    const expectToStay = async () => {
      await clock.runFor(5000);
      // The cart's page would be loaded before this one.
      await page.getByRole("banner").getByRole("link", { name: "Accueil" }).click();
      await expect(page).toHaveURL("/");
      expect(loads).toEqual([]);
    };
    await addButton(page).click();
    await expect(page.getByText("Redirection ....")).toBeVisible();
    await expectFitsStopped(page);
    await goOn();
    await expectToStay();

    // Before the shop has answered.
    await page.goBack();
    await page.goBack();
    const url = "**/api/cart/add";
    const release = await holdRequests(page, url);
    await addButton(page).click();
    await goOn();
    await releaseAndSettle({ page, url, release });
    await expectToStay();
  });
});

test.describe("the cart's page", () => {
  test("changes quantities, removes products, takes them back for six seconds, and empties the cart", async ({
    page,
    clock,
    database: db,
  }) => {
    const { user } = await customerWith(page, db, { ...LAMP, quantity: 2 }, CHAIR);
    await clock.install();
    await page.goto("/cart");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Panier");
    await expectText(summary(page), "97,30 €");
    await expectText(row(page, "Lampe Aube"), "85,80 €");
    const lamp = quantityOf(main(page), "Lampe Aube");

    await test.step("quantities", async () => {
      await row(page, "Lampe Aube").getByRole("button", { name: "Un de plus" }).click();
      await expect(page.getByText("Quantité mise à jour avec succès")).toBeVisible();
      await expectText(summary(page), "140,20 €");
      await lamp.fill("0");
      await expect(lamp).toHaveValue("1");
      await expectText(summary(page), "54,40 €");
      await expect(row(page, "Lampe Aube")).not.toContainText("l’unité");
      await expect(cartLink(page)).toContainText("2 articles");
      // The page updates optimistically.
      await expectStored(db, user.id, 1);
      await page.reload();
      await expect(lamp).toHaveValue("1");
      // A number in another notation is shown in the usual one.
      await lamp.fill("1e1");
      await lamp.blur();
      await expect(lamp).toHaveValue("10");
      await expectText(row(page, "Lampe Aube"), "42,90 € l’unité");
      await expectStored(db, user.id, 10);
    });

    await test.step("removals, which can be undone", async () => {
      await stopClock(page);
      const remove = row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" });
      const undo = page.getByRole("button", { name: "Annuler le retrait de Lampe Aube" });
      await expect(remove).toHaveAccessibleDescription("Lampe Aube");
      await remove.click();
      await expect(undo).toBeFocused();
      await expect(page.getByText("Produit retiré du panier avec succès")).toBeVisible();
      await expectText(summary(page), "11,50 €");
      await expectFitsStopped(page);
      await undo.click();
      await expect(lamp).toHaveValue("10");
      await expect(undo).toHaveCount(0);
      await expectFocusKept(page);
      await expectText(summary(page), "440,50 €");

      await remove.click();
      await expect(undo).toBeVisible();
      await clock.runFor(5900);
      await expect(undo).toBeVisible();
      await clock.runFor(200);
      await expect(undo).toHaveCount(0);
      await expect(page.getByRole("heading", { level: 1 })).toBeFocused();

      // The last product leaves an empty cart, and can be taken back, too.
      await row(page, "Chaise Brume").getByRole("button", { name: "Supprimer" }).click();
      await expect(page.getByText("Votre panier est vide.")).toBeVisible();
      await page.getByRole("button", { name: "Annuler le retrait de Chaise Brume" }).press("Enter");
      await expect(quantityOf(main(page), "Chaise Brume")).toHaveValue("1");
      await expectStored(db, user.id, 1);
    });

    await page.getByRole("button", { name: "Vider le panier" }).click();
    await expect(page.getByText("Panier vidé avec succès")).toBeVisible();
    await expect(cartLink(page)).not.toContainText("article");
    await page.reload();
    await expect(page.getByText("Votre panier est vide.")).toBeVisible();
    await expectAccessibleStopped(page);
  });

  test("says why a change failed, and shows the quantity that is stored", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(422, 500);
    const { productIds } = await customerWith(page, db, { ...LAMP, quantity: 2 }, CHAIR);
    const [lampId = 0] = productIds;
    const leave = (stock: number) =>
      db.update(products).set({ stock }).where(eq(products.id, lampId));
    const lamp = quantityOf(main(page), "Lampe Aube");
    const more = row(page, "Lampe Aube").getByRole("button", { name: "Un de plus" });
    const remove = row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" });
    await leave(2);
    await page.goto("/cart");
    await more.click();
    await expect(alertOf(page)).toHaveText(
      /^Erreur lors de la mise à jour de la quantité\s+Il ne reste que 2 exemplaire\(s\) de ce produit\.$/,
    );
    await expect(lamp).toHaveValue("2");

    const url = "**/api/cart{,/**}";
    await page.route(url, (route) =>
      route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({ status: 500, body: "" }),
    );
    await more.click();
    await expect(alertOf(page)).toHaveText("Erreur lors de la mise à jour de la quantité");
    await expect(lamp).toHaveValue("2");
    await remove.click();
    await expect(alertOf(page)).toHaveText("Erreur lors de la suppression du produit");
    await page.getByRole("button", { name: "Vider le panier" }).click();
    await expect(alertOf(page)).toHaveText("Erreur lors du vidage du panier");
    await expect(lamp).toHaveValue("2");
    await page.unroute(url);

    await remove.click();
    const undo = page.getByRole("button", { name: "Annuler le retrait de Lampe Aube" });
    await expect(undo).toBeVisible();
    await leave(1);
    await undo.click();
    await expect(alertOf(page)).toHaveText(
      /^Erreur lors de l'ajout au panier\s+Il ne reste que 1 exemplaire/,
    );
    await expect(page).toHaveURL("/cart");
  });

  test("says that it cannot be loaded, and then leads to no checkout; the mini-cart is empty", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(503);
    await customerWith(page, db, LAMP);
    const sentence = "Impossible de charger le panier. Veuillez réessayer plus tard.";
    // The page loads the cart, and so does the header, whenever its script arrives. Neither may get a
    // response that would show the cart before the button is pressed.
    let isDown = true;
    const { promise: held, resolve: release } = deferred();
    await page.route("**/api/cart", async (route) => {
      if (isDown) return route.fulfill({ status: 503, body: "" });
      await held;
      await route.continue();
    });
    await page.goto("/contact");
    await cartLink(page).hover();
    await expect(miniCart(page).getByText("Votre panier est vide.")).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);

    await page.goto("/cart");
    await expect(page.getByText(sentence)).toBeVisible();
    isDown = false;
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(page.getByText(sentence)).toBeHidden();
    const loading = page.getByRole("status").filter({ hasText: "Chargement du panier" });
    await expect(loading).toHaveCount(1);
    release();
    await expect(row(page, "Lampe Aube")).toBeVisible();

    await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
    await expect(page).toHaveURL("/contact");
    isDown = true;
    await cartLink(page).click();
    await expect(alertOf(page)).toContainText(sentence);
    await expect(row(page, "Lampe Aube")).toBeVisible();
    await expectAccessible(page);
    const answered = page.waitForResponse("**/api/cart");
    await orderButton(page).click();
    await answered;
    await expect(orderButton(page)).toBeEnabled();
    await expect(alertOf(page)).toContainText(sentence);
    await expect(page).toHaveURL("/cart");
    isDown = false;
    await alertOf(page).getByRole("button", { name: "Réessayer" }).click();
    await expect(alertOf(page)).toHaveCount(0);
    await orderButton(page).click();
    await expect(page).toHaveURL("/checkout");
  });

  test("shows changed prices, products that left the shop, and why it cannot be ordered", async ({
    page,
    database: db,
  }) => {
    const { productIds } = await customerWith(page, db, LAMP, CHAIR);
    const [lamp = 0, chair = 0] = productIds;
    await db.delete(products).where(eq(products.id, lamp));
    await db.update(products).set({ priceCents: 1500 }).where(eq(products.id, chair));
    await page.goto("/cart");
    await expect(row(page, "Lampe Aube")).toContainText("Ce produit n'est plus disponible");
    await expectText(
      row(page, "Chaise Brume"),
      "Le prix a changé depuis votre ajout : il était de 11,50 €.",
    );
    await expectText(summary(page), "15,00 €");
    await expect(orderButton(page)).toBeDisabled();
    await expect(orderButton(page)).toHaveAccessibleDescription(
      "Retirez les produits qui ne sont plus disponibles pour passer la commande.",
    );
    await expectAccessible(page);
    await row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" }).click();
    await expect(orderButton(page)).toBeEnabled();

    await test.step("a cart below the minimum of a card payment says how much is missing", async () => {
      await db.update(products).set({ priceCents: 30 }).where(eq(products.id, chair));
      await page.reload();
      await expect(orderButton(page)).toBeDisabled();
      const sentence =
        "Le total d'un paiement par carte doit être d'au moins 0,50\u00a0€\u00a0: il manque 0,20\u00a0€. Ajoutez un autre produit.";
      await expect(orderButton(page)).toHaveAccessibleDescription(plainSpaces(sentence));
      await expect(page.getByText(sentence)).toBeVisible();
      await page.getByRole("button", { name: "Un de plus" }).first().click();
      await expect(orderButton(page)).toBeEnabled();
    });
  });
});

test.describe("the mini-cart", () => {
  test("opens on hover and on keyboard focus, reloads the cart, and changes it", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWith(page, db, { ...LAMP, quantity: 2 }, CHAIR);
    await page.goto("/contact");
    await expect(cartLink(page)).toContainText("3 articles");
    await cartLink(page).hover();
    const panel = miniCart(page);
    const lampItem = panel.getByRole("listitem").filter({ hasText: "Lampe Aube" });
    const chairItem = panel.getByRole("listitem").filter({ hasText: "Chaise Brume" });
    await expect(panel.getByRole("link", { name: "Lampe Aube" })).toBeVisible();
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await expect(panel.locator("img")).toHaveCount(2);
    await expectText(lampItem, "42,90 € × 2");
    await expectText(lampItem, "85,80 €");
    await expectText(chairItem, "11,50 €");
    await expect(chairItem).not.toContainText("×");
    await expectText(panel, "3 articles");
    await expectText(panel, "97,30 €");
    await expectAccessible(page);

    const answered: string[] = [];
    page.on("requestfinished", (request) => {
      if (request.url().includes("/api/cart")) answered.push(request.method());
    });
    const lamp = quantityOf(panel, "Lampe Aube");
    await lamp.fill("0");
    await expect(lamp).toHaveValue("2");
    await lamp.fill("4");
    await expectText(panel, "183,10 €");
    await expectStored(db, user.id, 4);
    // Wait for the fetch that follows the change, which is not the one of the next opening.
    await expect.poll(() => answered.join(" ")).toMatch(/PUT GET$/);
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await pointAway(page);

    await db.update(cartItems).set({ quantity: 9 }).where(eq(cartItems.addedName, LAMP.name));
    await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).focus();
    await page.keyboard.press("Tab");
    await expect(cartLink(page)).toBeFocused();
    await expect(lamp).toHaveValue("9");
    await page.keyboard.press("Tab");
    await expect(panel.getByRole("link", { name: "Lampe Aube" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);
    await expect(cartLink(page)).toBeFocused();

    await cartLink(page).hover();
    await lampItem.getByRole("button", { name: "Supprimer" }).press("Enter");
    await expect(lampItem).toHaveCount(0);
    await expectText(panel, "1 article");
    // The panel stays open, with the focus in it.
    await expect(panel.locator(":focus")).toHaveCount(1);
    await chairItem.getByRole("button", { name: "Supprimer" }).click();
    await expect(panel.getByText("Votre panier est vide.")).toBeVisible();
    await expect(panel.locator(":focus")).toHaveCount(1);
  });

  test.describe("on a phone", () => {
    test.use({ hasTouch: true, viewport: { width: WIDTHS.phone, height: 740 } });

    test("opens at the first tap, leads to the cart, and has a badge that hides nothing", async ({
      page,
      database: db,
    }) => {
      await customerWith(page, db, { ...LAMP, quantity: 99 }, CHAIR);
      await page.goto("/contact");
      const expectBadgeBefore = async (neighbour: Locator) => {
        await expect(cartLink(page)).toContainText("100 articles");
        await settled(page);
        const bag = await cartLink(page).locator("svg").boundingBox();
        const badge = await cartLink(page).getByText("99+").locator("..").boundingBox();
        const next = await neighbour.boundingBox();
        if (!bag || !badge || !next) throw new Error("Something of the header is not shown.");
        expect(badge.x).toBeGreaterThanOrEqual(bag.x + bag.width / 2);
        expect(badge.x + badge.width).toBeLessThan(next.x);
      };
      const menu = page.getByRole("banner").getByRole("button", { name: "Menu" });
      await expectBadgeBefore(menu.locator("svg").first());
      await cartLink(page).tap();
      await expect(miniCart(page).getByText("Lampe Aube")).toBeVisible();
      await expect(page).toHaveURL("/contact");
      await expectAccessible(page);
      const { x = -1, width = 999 } = (await miniCart(page).boundingBox()) ?? {};
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(WIDTHS.phone);
      await page.touchscreen.tap(180, 730);
      await expect(miniCart(page)).toHaveCount(0);
      await cartLink(page).tap();
      await miniCart(page).getByRole("link", { name: "Aller au panier" }).tap();
      await expect(page).toHaveURL("/cart");
      await expect(miniCart(page)).toHaveCount(0);
      await page.setViewportSize({ width: WIDTHS.desktop, height: 900 });
      await expectBadgeBefore(cartLink(page).getByText("Voir le panier", { exact: true }));
    });
  });
});
