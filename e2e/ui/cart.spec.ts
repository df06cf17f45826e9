import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { cartItems } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { issueToken } from "@/lib/auth/token";
import { expectAccessible } from "../axe";
import {
  CART_AFTER_LOGOUT,
  expectAccessibleStopped,
  openSession,
  stopClock,
} from "../browser-session";
import { expectText, summary } from "../checkout-page";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import {
  expectFocusKept,
  expectNoSidewaysScroll,
  settled,
  trackedBy,
  WIDTHS,
  watchRequests,
} from "../storefront";

/** A logged-in customer with these products (name, price in cents, pieces) in the cart. */
async function customerWith({
  page,
  db,
  lines,
}: {
  page: Page;
  db: Database;
  lines: readonly { name: string; priceCents: number; quantity?: number }[];
}) {
  const user = await createUser({ db });
  const items = [];
  for (const { name, priceCents, quantity = 1 } of lines) {
    const { id } = await createProduct({ db, name, priceCents });
    items.push({ productId: id, quantity });
  }
  if (items.length > 0) await createCart({ db, userId: user.id, items });
  await openSession(page, user);
  const token = await issueToken({ user, type: "access" });
  return { user, token, productIds: items.map(({ productId }) => productId) };
}

const NARROW_AND_WIDE = [WIDTHS.phone, WIDTHS.desktop];

const LAMP = { name: "Lampe Aube", priceCents: 4290 };
const CHAIR = { name: "Chaise Brume", priceCents: 1150 };

const cartLink = (page: Page) =>
  page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first();
const miniCart = (page: Page) => page.getByRole("region", { name: "Panier" });
const row = (page: Page, name: string) =>
  page.getByRole("main").getByRole("listitem").filter({ hasText: name });
const quantityOf = (area: Page | Locator, name: string) => area.getByLabel(`Quantité de ${name}`);

/** Moves the pointer where nothing is hovered. */
const pointAway = (page: Page) => page.mouse.move(700, 850);

test.describe("adding to the cart", () => {
  test("asks a logged-out visitor to log in, and sends no request", async ({
    page,
    database: db,
  }) => {
    const { id } = await createProduct({ db, ...LAMP });
    let requests = 0;
    await page.route("**/api/cart**", (route) => {
      requests++;
      return route.abort();
    });
    await page.goto(`/product/${id}`);
    await cartLink(page).hover();
    await expect(miniCart(page).getByRole("link", { name: "Se connecter" })).toHaveAttribute(
      "href",
      `/login?retour=/product/${id}`,
    );
    await pointAway(page);
    await expect(miniCart(page)).toHaveCount(0);
    await expect(page.getByLabel("Quantité")).toHaveValue("1");
    // The message is in sight of a visitor who presses a button at the bottom of the screen.
    await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
    const button = page.getByRole("button", { name: "Ajouter au panier" });
    await button.evaluate((element) => element.scrollIntoView({ block: "end" }));
    await button.click();
    await expect(
      page.getByText("Veuillez vous connecter pour ajouter des produits au panier", {
        exact: true,
      }),
    ).toBeInViewport({ ratio: 1 });
    const main = page.getByRole("main");
    const create = main.getByRole("link", { name: "Créer un compte" });
    await expect(create).toBeFocused();
    await expect(create).toHaveAttribute("href", `/register?retour=/product/${id}`);
    await expect(main.getByRole("link", { name: "Se connecter" })).toHaveAttribute(
      "href",
      `/login?retour=/product/${id}`,
    );
    await expectFits(page);
    expect(requests).toBe(0);
  });

  test("shows a success message and the new count, and redirects to the cart after 3 seconds", async ({
    page,
    clock,
    database: db,
  }) => {
    await customerWith({ page, db, lines: [] });
    const { id } = await createProduct({ db, ...LAMP });
    await clock.install();
    // Wait until the badge is loaded: with a paused clock, React would show it late.
    const counted = page.waitForResponse("**/api/cart");
    await page.goto(`/product/${id}`);
    await counted;
    await stopClock(page);
    const less = page.getByRole("button", { name: "Un de moins" });
    await page.getByRole("button", { name: "Un de plus" }).click();
    await less.press("Enter");
    await expect(less).toBeDisabled();
    await expect(less).toBeFocused();
    await page.getByRole("button", { name: "Un de plus" }).click();
    await page.getByRole("button", { name: "Un de plus" }).click();
    await page.getByRole("button", { name: "Ajouter au panier" }).click();
    await expect(
      page.getByText("Produit ajouté au panier avec succès, Redirection ....", { exact: true }),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: "Ajouter au panier" })).toBeDisabled();
    await expectFocusKept(page);
    await expect(cartLink(page)).toContainText("3 articles");
    const events = await trackedBy(page);
    expect(events).toContainEqual(["trackEvent", "Panier", "Ajout au panier", "Lampe Aube", 3]);

    await clock.runFor(2900);
    await expect(page).toHaveURL(`/product/${id}`);
    await clock.runFor(200);
    await expect(page).toHaveURL("/cart");
    await expect(quantityOf(page.getByRole("main"), "Lampe Aube")).toHaveValue("3");
    await expect(page).toHaveTitle("Panier - Mini Ecommerce");
  });

  test("a visitor goes to the cart at once, or stays and adds more", async ({
    page,
    clock,
    database: db,
  }) => {
    await customerWith({ page, db, lines: [] });
    const { id } = await createProduct({ db, ...LAMP });
    await clock.install();
    await page.goto(`/product/${id}`);
    await stopClock(page);
    const main = page.getByRole("main");
    const add = main.getByRole("button", { name: "Ajouter au panier" });
    const goToCart = main.getByRole("link", { name: "Aller au panier" });
    const { width } = (await add.boundingBox()) ?? {};
    const release = await holdRequests(page, "**/api/cart/add");
    await add.click();
    await expect(add).toHaveAttribute("aria-busy", "true");
    expect((await add.boundingBox())?.width).toBe(width);
    release();
    await expect(goToCart).toBeFocused();
    await main.getByRole("button", { name: "Rester sur cette page" }).click();
    await expect(
      main.getByText("Produit ajouté au panier avec succès", { exact: true }),
    ).toBeVisible();
    await expect(add).toBeFocused();
    await clock.runFor(10_000);
    await expect(page).toHaveURL(`/product/${id}`);

    await add.click();
    await expect(main.getByText(/Redirection/)).toBeVisible();
    for (const width of NARROW_AND_WIDE) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessibleStopped(page);
      await expectNoSidewaysScroll(page);
    }
    await goToCart.click();
    await expect(page).toHaveURL("/cart");
    await expect(quantityOf(main, "Lampe Aube")).toHaveValue("2");
  });

  test("does not redirect a visitor who has gone on meanwhile", async ({
    page,
    clock,
    database: db,
  }) => {
    await customerWith({ page, db, lines: [] });
    const { id } = await createProduct({ db, ...LAMP });
    await clock.install();
    await page.goto(`/product/${id}`);
    await stopClock(page);
    const add = page.getByRole("button", { name: "Ajouter au panier" });
    const goOn = async () => {
      await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
      await expect(page).toHaveURL("/contact");
    };
    const carts = watchRequests(page, "/cart");
    const expectToStay = async () => {
      await clock.runFor(5000);
      // The cart's page would be loaded before this one.
      await page.getByRole("banner").getByRole("link", { name: "Accueil" }).click();
      await expect(page).toHaveURL("/");
      expect(carts).toEqual([]);
    };
    await add.click();
    await expect(page.getByText("Redirection ....")).toBeVisible();
    await goOn();
    await expectToStay();

    // Before the shop has answered.
    await page.goBack();
    await page.goBack();
    const url = "**/api/cart/add";
    const release = await holdRequests(page, url);
    await add.click();
    await goOn();
    await releaseAndSettle({ page, url, release });
    await expectToStay();
  });

  test("shows the shop's reason when it fails, and can be repeated", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(500, 422);
    const { productIds } = await customerWith({ page, db, lines: [{ ...LAMP, quantity: 99 }] });
    await page.goto(`/product/${productIds[0]}`);
    const button = page.getByRole("button", { name: "Ajouter au panier" });
    const alert = page.getByRole("main").getByRole("alert");
    await page.route("**/api/cart/add", (route) => route.fulfill({ status: 500, body: "oops" }));
    await button.click();
    await expect(alert).toHaveText("Erreur lors de l'ajout au panier");
    const additions = (await trackedBy(page)).filter(([, category]) => category === "Panier");
    expect(additions).toEqual([]);
    await page.unroute("**/api/cart/add");
    await button.click();
    await expect(alert).toContainText(
      "La quantité ne peut pas dépasser 99 par produit, et votre panier en contient déjà 99.",
    );
    await expect(button).toBeEnabled();
  });
});

test.describe("the cart's page", () => {
  test("changes quantities, removes products, and empties the cart", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWith({ page, db, lines: [{ ...LAMP, quantity: 2 }, CHAIR] });
    await page.goto("/cart");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Panier");
    await expectText(summary(page), "97,30 €");
    await expectText(row(page, "Lampe Aube"), "85,80 €");

    const lamp = quantityOf(page.getByRole("main"), "Lampe Aube");
    await row(page, "Lampe Aube").getByRole("button", { name: "Un de plus" }).click();
    await expect(page.getByText("Quantité mise à jour avec succès")).toBeVisible();
    await expectText(summary(page), "140,20 €");
    await lamp.fill("0");
    await expect(lamp).toHaveValue("1");
    await expectText(summary(page), "54,40 €");
    await expect(cartLink(page)).toContainText("2 articles");
    // The page updates optimistically.
    await expect.poll(() => quantityInDatabase({ db, userId: user.id })).toBe(1);
    await page.reload();
    await expect(lamp).toHaveValue("1");
    // A number in another notation is shown in the usual one.
    await lamp.fill("1e1");
    await lamp.blur();
    await expect(lamp).toHaveValue("10");
    await lamp.fill("1");

    const remove = row(page, "Lampe Aube").getByRole("button", { name: "Supprimer", exact: true });
    await expect(remove).toHaveAccessibleDescription("Lampe Aube");
    await remove.click();
    await expect(page.getByText("Produit retiré du panier avec succès")).toBeVisible();
    await expect(row(page, "Lampe Aube")).toHaveCount(0);
    await expectText(summary(page), "11,50 €");

    await page.getByRole("button", { name: "Vider le panier" }).click();
    await expect(page.getByText("Panier vidé avec succès")).toBeVisible();
    await expect(page.getByText("Votre panier est vide.")).toBeVisible();
    await expect(cartLink(page)).not.toContainText("article");
    await page.reload();
    await expect(page.getByText("Votre panier est vide.")).toBeVisible();
    await expectAccessible(page);
  });

  test("a removed product can be taken back for six seconds", async ({
    page,
    clock,
    database: db,
  }) => {
    const { user } = await customerWith({ page, db, lines: [{ ...LAMP, quantity: 2 }, CHAIR] });
    await clock.install();
    await page.goto("/cart");
    await expect(row(page, "Chaise Brume")).toBeVisible();
    await stopClock(page);
    const remove = row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" });
    const undo = page.getByRole("button", { name: "Annuler le retrait de Lampe Aube" });
    await remove.click();
    await expect(undo).toBeFocused();
    await expect(page.getByText("Produit retiré du panier avec succès")).toBeVisible();
    await expectText(summary(page), "11,50 €");
    for (const width of NARROW_AND_WIDE) {
      await page.setViewportSize({ width, height: 900 });
      await expectAccessibleStopped(page);
      await expectNoSidewaysScroll(page);
    }
    await undo.click();
    await expect(quantityOf(page.getByRole("main"), "Lampe Aube")).toHaveValue("2");
    await expect(undo).toHaveCount(0);
    await expectFocusKept(page);
    await expectText(summary(page), "97,30 €");

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
    await expect(quantityOf(page.getByRole("main"), "Chaise Brume")).toHaveValue("1");
    await expect.poll(() => quantityInDatabase({ db, userId: user.id })).toBe(1);
  });

  test("a quantity and an undone removal that the stock does not allow say why", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(422);
    const { productIds } = await customerWith({
      page,
      db,
      lines: [{ ...LAMP, quantity: 2 }, CHAIR],
    });
    const leave = (stock: number) =>
      db
        .update(products)
        .set({ stock })
        .where(eq(products.id, productIds[0] ?? 0));
    await leave(2);
    await page.goto("/cart");
    const alert = page.getByRole("main").getByRole("alert");
    await row(page, "Lampe Aube").getByRole("button", { name: "Un de plus" }).click();
    await expect(alert).toHaveText(
      /^Erreur lors de la mise à jour de la quantité\s+Il ne reste que 2 exemplaire\(s\) de ce produit\.$/,
    );
    await expect(quantityOf(page.getByRole("main"), "Lampe Aube")).toHaveValue("2");
    await row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" }).click();
    const undo = page.getByRole("button", { name: "Annuler le retrait de Lampe Aube" });
    await expect(undo).toBeVisible();
    await leave(1);
    await undo.click();
    await expect(alert).toHaveText(
      /^Erreur lors de l'ajout au panier\s+Il ne reste que 1 exemplaire/,
    );
    await expect(page).toHaveURL("/cart");
  });

  test("stores a quantity of a visitor who closes the tab in the same moment", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWith({ page, db, lines: [CHAIR] });
    await page.goto("/cart");
    const field = quantityOf(page.getByRole("main"), "Chaise Brume");
    await expect(field).toHaveValue("1");
    // The cart is being fetched, and the change waits behind it.
    await page.evaluate(() => {
      const { fetch } = window;
      window.fetch = (...request) =>
        request[1]?.method === "PUT" ? fetch(...request) : new Promise(() => undefined);
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
    });
    await field.fill("8");
    await page.close();
    await expect.poll(() => quantityInDatabase({ db, userId: user.id })).toBe(8);
  });

  test("shows an error for a failed change, and the quantity that is stored", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(500);
    await customerWith({ page, db, lines: [LAMP] });
    await page.goto("/cart");
    const lamp = quantityOf(page.getByRole("main"), "Lampe Aube");
    await expect(lamp).toHaveValue("1");
    await page.route("**/api/cart{,/**}", (route) =>
      route.request().method() === "GET"
        ? route.continue()
        : route.fulfill({ status: 500, body: "" }),
    );
    const alert = page.getByRole("main").getByRole("alert");
    await row(page, "Lampe Aube").getByRole("button", { name: "Un de plus" }).click();
    await expect(alert).toHaveText("Erreur lors de la mise à jour de la quantité");
    await expect(lamp).toHaveValue("1");
    await row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" }).click();
    await expect(alert).toHaveText("Erreur lors de la suppression du produit");
    await page.getByRole("button", { name: "Vider le panier" }).click();
    await expect(alert).toHaveText("Erreur lors du vidage du panier");
    await expect(row(page, "Lampe Aube")).toBeVisible();
  });

  test("shows an error when it cannot be loaded or refreshed, and then leads to no checkout", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(503);
    await customerWith({ page, db, lines: [LAMP] });
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
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toContainText(sentence);
    await expect(row(page, "Lampe Aube")).toBeVisible();
    await expectAccessible(page);
    const order = page.getByRole("button", { name: "Passer la commande" });
    const answered = page.waitForResponse("**/api/cart");
    await order.click();
    await answered;
    await expect(order).toBeEnabled();
    await expect(alert).toContainText(sentence);
    await expect(page).toHaveURL("/cart");
    isDown = false;
    await alert.getByRole("button", { name: "Réessayer" }).click();
    await expect(alert).toHaveCount(0);
    await order.click();
    await expect(page).toHaveURL("/checkout");
  });

  test("shows products that left the shop and changed prices; the former stop the checkout", async ({
    page,
    database: db,
  }) => {
    const { productIds } = await customerWith({ page, db, lines: [LAMP, CHAIR] });
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
    const order = page.getByRole("button", { name: "Passer la commande" });
    await expect(order).toBeDisabled();
    await expect(order).toHaveAccessibleDescription(
      "Retirez les produits qui ne sont plus disponibles pour passer la commande.",
    );
    await expectAccessible(page);

    await row(page, "Lampe Aube").getByRole("button", { name: "Supprimer" }).click();
    await expect(order).toBeEnabled();
    const cookies: (string | undefined)[] = [];
    await page.route("**/checkout**", async (route) => {
      cookies.push((await route.request().allHeaders()).cookie);
      await route.fulfill({ contentType: "text/html", body: "<h1>Commande</h1>" });
    });
    await order.click();
    await expect(page).toHaveURL("/checkout");
    expect(cookies[0]).toContain("checkout=1");
  });
});

async function quantityInDatabase({ db, userId }: { db: Database; userId: number }) {
  const rows = await db.execute<{ quantity: number }>(
    `select quantity from cart_items i join carts c on c.id = i.cart_id where c.user_id = ${userId} order by i.id`,
  );
  return rows[0]?.quantity;
}

test.describe("the mini-cart", () => {
  test("opens on hover with all products, reloads the cart, and removes a product", async ({
    page,
    database: db,
  }) => {
    const { user } = await customerWith({ page, db, lines: [{ ...LAMP, quantity: 2 }, CHAIR] });
    await page.goto("/contact");
    await expect(cartLink(page)).toContainText("3 articles");
    await cartLink(page).hover();
    const panel = miniCart(page);
    await expect(panel.getByRole("link", { name: "Lampe Aube" })).toBeVisible();
    await expect(panel.getByRole("listitem")).toHaveCount(2);
    await expect(panel.locator("img")).toHaveCount(2);
    const lampItem = panel.getByRole("listitem").filter({ hasText: "Lampe Aube" });
    const chairItem = panel.getByRole("listitem").filter({ hasText: "Chaise Brume" });
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
    await expect.poll(() => quantityInDatabase({ db, userId: user.id })).toBe(4);
    // Wait for the fetch that follows the change, which is not the one of the next opening.
    await expect.poll(() => answered.join(" ")).toMatch(/PUT GET$/);
    await page.keyboard.press("Escape");
    await expect(panel).toHaveCount(0);

    await db.update(cartItems).set({ quantity: 9 }).where(eq(cartItems.addedName, LAMP.name));
    await pointAway(page);
    await cartLink(page).hover();
    await expect(lamp).toHaveValue("9");
    await pointAway(page);
    await expect(panel).toHaveCount(0);

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

  test("has a badge that hides neither the bag nor its neighbours, whatever its number", async ({
    page,
    database: db,
  }) => {
    await customerWith({ page, db, lines: [{ ...LAMP, quantity: 99 }, CHAIR] });
    await page.goto("/contact");
    const banner = page.getByRole("banner");
    for (const { width, neighbour } of [
      {
        width: WIDTHS.desktop,
        neighbour: cartLink(page).getByText("Voir le panier", { exact: true }),
      },
      {
        width: WIDTHS.phone,
        neighbour: banner.getByRole("button", { name: "Menu" }).locator("svg").first(),
      },
    ]) {
      await page.setViewportSize({ width, height: 900 });
      await expect(cartLink(page)).toContainText("100 articles");
      await settled(page);
      const bag = await cartLink(page).locator("svg").boundingBox();
      const badge = await cartLink(page).getByText("99+").locator("..").boundingBox();
      const next = await neighbour.boundingBox();
      if (!bag || !badge || !next) throw new Error("Something of the header is not shown.");
      expect(badge.x).toBeGreaterThanOrEqual(bag.x + bag.width / 2);
      expect(badge.x + badge.width).toBeLessThan(next.x);
    }
  });

  test("opens on keyboard focus", async ({ page, database: db }) => {
    await customerWith({ page, db, lines: [LAMP] });
    await page.goto("/contact");
    await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).focus();
    await page.keyboard.press("Tab");
    await expect(cartLink(page)).toBeFocused();
    await expect(miniCart(page).getByText("Lampe Aube")).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(miniCart(page).getByRole("link", { name: "Lampe Aube" })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(miniCart(page)).toHaveCount(0);
    await expect(cartLink(page)).toBeFocused();
  });

  test("is empty, without an error, when the cart cannot be loaded", async ({
    page,
    problems,
    database: db,
  }) => {
    problems.allow(500);
    await customerWith({ page, db, lines: [LAMP] });
    await page.route("**/api/cart", (route) => route.fulfill({ status: 500, body: "" }));
    await page.goto("/contact");
    await cartLink(page).hover();
    await expect(miniCart(page).getByText("Votre panier est vide.")).toBeVisible();
    await expect(page.getByRole("alert").filter({ hasText: /./ })).toHaveCount(0);
  });

  test.describe("on a phone", () => {
    test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });

    test("opens at the first tap, and leads to the cart by its button", async ({
      page,
      database: db,
    }) => {
      await customerWith({ page, db, lines: [LAMP, CHAIR] });
      await page.goto("/contact");
      await cartLink(page).tap();
      await expect(miniCart(page).getByText("Lampe Aube")).toBeVisible();
      await expect(page).toHaveURL("/contact");
      await expectAccessible(page);
      const box = await miniCart(page).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(360);
      await page.touchscreen.tap(180, 730);
      await expect(miniCart(page)).toHaveCount(0);
      await cartLink(page).tap();
      await miniCart(page).getByRole("link", { name: "Aller au panier" }).tap();
      await expect(page).toHaveURL("/cart");
      await expect(miniCart(page)).toHaveCount(0);
    });
  });
});

test("tabs show the same cart, and a logout in one empties the others", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(CART_AFTER_LOGOUT);
  await customerWith({ page, db, lines: [LAMP] });
  await page.goto("/contact");
  const cart = await page.context().newPage();
  await cart.goto("/cart");
  await expect(row(cart, "Lampe Aube")).toBeVisible();
  const contact = await page.context().newPage();
  await contact.goto("/contact");
  await expect(cartLink(contact)).toContainText("1 article");
  await row(cart, "Lampe Aube").getByRole("button", { name: "Un de plus" }).click();
  for (const tab of [page, contact]) await expect(cartLink(tab)).toContainText("2 articles");
  await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
  await expect(page).toHaveURL("/login");
  await expect(cartLink(contact)).not.toContainText("article");
  await expect(cart).toHaveURL(/\/login/);
});
