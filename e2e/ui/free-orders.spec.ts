import type { Page } from "@playwright/test";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { cartItems } from "@/db/schema/cart";
import type { ProductType } from "@/lib/shop/product-type";
import { confirmDialogOf, dialogOf, openScreen, rowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { ordersOf } from "../buying";
import { continueButton, openCheckout } from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { plainSpaces } from "../storefront";

/** A logged-in customer with addresses and a product of this price in the cart. */
async function customerWithCart({
  page,
  db,
  priceCents,
  type = "physical",
}: {
  page: Page;
  db: Database;
  priceCents: number;
  type?: ProductType;
}) {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id, isDefault: true });
  await createAddress({ db, userId: user.id, type: "billing", isDefaultBilling: true });
  const product = await createProduct({ db, name: "Échantillon de thé", type, priceCents });
  const { cart } = await createCart({ db, userId: user.id, items: [{ productId: product.id }] });
  await openSession(page, user);
  return { user, cart };
}

const orderButton = (page: Page) => page.getByRole("button", { name: "Passer la commande" });
const confirmButton = (page: Page) =>
  page.getByRole("button", {
    name: "Confirmer la commande – sans obligation de paiement",
    exact: true,
  });

/** Goes from the cart to the checkout's second step. */
async function openLastStep(page: Page): Promise<void> {
  await openCheckout(page);
  await continueButton(page).click();
  await expect(confirmButton(page)).toBeVisible();
}

test("a free cart is confirmed without a card, once", async ({ page, database: db }) => {
  const { user } = await customerWithCart({ page, db, priceCents: 0, type: "digital" });
  const paymentCalls: string[] = [];
  page.on("request", (request) => {
    if (/configuration|stripe|payment_intents/.test(request.url()))
      paymentCalls.push(request.url());
  });
  await openLastStep(page);
  const main = page.getByRole("main");
  await expect(main.getByRole("listitem").filter({ hasText: "Confirmation" })).toHaveAttribute(
    "aria-current",
    "step",
  );
  await expect(page.getByRole("heading", { name: "Confirmation de la commande" })).toBeFocused();
  const form = page.locator("form").filter({ has: confirmButton(page) });
  for (const sentence of [
    "Le total de votre commande est de 0,00 € : vous n’avez rien à payer, et aucune carte ne vous est demandée.",
    "En confirmant, vous acceptez nos conditions générales de vente.",
    "Les fichiers à télécharger sont disponibles dès la confirmation",
  ])
    await expect(form).toContainText(sentence);
  await expect(page.getByText(/Payer|Paiement par carte|Numéro de carte/)).toHaveCount(0);
  await expectFits(page);

  await page.getByRole("button", { name: "Retour" }).click();
  await expect(page.getByRole("heading", { name: "Vos adresses" })).toBeVisible();
  await page.getByRole("button", { name: "Continuer" }).click();
  await confirmButton(page).dblclick();
  await expect(page).toHaveURL(/\/order\/\d+\/confirmation$/);
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  const [order, ...others] = await ordersOf(db, user.id);
  expect(others).toEqual([]);
  await expect(main).toContainText(`Votre commande ${order?.number} est enregistrée`);
  await expect(main).not.toContainText("Votre paiement");
  expect(paymentCalls).toEqual([]);
});

test("a cart that has changed in another tab is not confirmed", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(409);
  const { user, cart } = await customerWithCart({ page, db, priceCents: 0 });
  await openLastStep(page);
  const lamp = await createProduct({ db, priceCents: 4290 });
  await db.insert(cartItems).values({
    cartId: cart.id,
    productId: lamp.id,
    quantity: 1,
    addedName: lamp.name,
    addedPriceCents: 4290,
  });
  const other = await page.context().newPage();
  await openCheckout(other);
  await continueButton(other).click();
  await expect(other.getByLabel("Numéro de carte")).toBeVisible();

  await confirmButton(page).click();
  const main = page.getByRole("main");
  await expect(main.getByRole("alert")).toHaveText(
    "Votre panier a changé entre-temps. Vérifiez-le avant de confirmer la commande.",
  );
  await expect(main.getByRole("link", { name: "Voir le panier" })).toBeVisible();
  expect(await ordersOf(db, user.id)).toEqual([]);
});

test("a cart below the minimum of a card payment says how much is missing", async ({
  page,
  database: db,
}) => {
  await customerWithCart({ page, db, priceCents: 30 });
  await page.goto("/cart");
  await expect(orderButton(page)).toBeDisabled();
  const sentence =
    "Le total d'un paiement par carte doit être d'au moins 0,50\u00a0€\u00a0: il manque 0,20\u00a0€. Ajoutez un autre produit.";
  await expect(orderButton(page)).toHaveAccessibleDescription(plainSpaces(sentence));
  await expect(page.getByText(sentence)).toBeVisible();
  await expectFits(page);
  await page.getByRole("button", { name: "Un de plus" }).first().click();
  await expect(orderButton(page)).toBeEnabled();
});

test("staff are warned of a price below the minimum of a card payment", async ({
  page,
  database: db,
}) => {
  await openScreen({ page, database: db, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Ajouter" }).first().click();
  const form = dialogOf(page);
  const price = form.getByLabel("Prix");
  const warning = form.getByRole("status");
  await price.fill("12.5");
  await expect(warning).toHaveCount(0);
  await price.fill("0.49");
  await expect(warning).toContainText("Un paiement par carte est d'au moins 0,50\u00a0€");
  await expectFits(page);
});

test("the withdrawal from a free order is settled without a refund", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, priceCents: 0 });
  const { order, lines } = await createOrder({ db, user, items: [{ product }] });
  await createWithdrawal({ db, order, lines, refundBy: null });
  const path = `/backoffice/withdrawals?search=${order.number}`;
  await openScreen({ page, database: db, path });
  const row = rowOf(page, order.number);
  await expect(row.getByRole("button", { name: "Rembourser" })).toHaveCount(0);
  await row.getByRole("button", { name: "Régler" }).click();
  const dialog = confirmDialogOf(page);
  await expect(dialog).toContainText("La commande était gratuite : il n’y a rien à rembourser.");
  await dialog.getByRole("button", { name: "Oui, réglée" }).click();
  await expect(page.getByText("Rétractation réglée.")).toBeVisible();
});
