import { createProduct } from "@/db/factories/catalogue";
import { createCart, createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { confirmDialogOf, dialogOf, openScreen, rowOf } from "../backoffice";
import { openSession } from "../browser-session";
import { ordersOf } from "../buying";
import { alertOf, continueButton, openCheckout } from "../checkout-page";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";

test("a free cart is confirmed without a card, once", async ({ page, database: db, problems }) => {
  problems.allow(409);
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id });
  const { id: productId } = await createProduct({ db, type: "digital", priceCents: 0 });
  await createCart({ db, userId: user.id, items: [{ productId }] });
  await openSession(page, user);
  const paymentCalls: string[] = [];
  page.on("request", (request) => {
    if (/configuration|stripe|payment_intents/.test(request.url()))
      paymentCalls.push(request.url());
  });
  const main = page.getByRole("main");
  const confirm = page.getByRole("button", {
    name: "Confirmer la commande – sans obligation de paiement",
    exact: true,
  });
  await openCheckout(page);
  await continueButton(page).click();
  await expect(confirm).toBeVisible();
  const step = main.getByRole("listitem").filter({ hasText: "Confirmation" });
  await expect(step).toHaveAttribute("aria-current", "step");
  await expect(page.getByRole("heading", { name: "Confirmation de la commande" })).toBeFocused();
  const form = page.locator("form").filter({ has: confirm });
  for (const sentence of [
    "Le total de votre commande est de 0,00 € : vous n’avez rien à payer, et aucune carte ne vous est demandée.",
    "En confirmant, vous acceptez nos conditions générales de vente.",
    "Les fichiers à télécharger sont disponibles dès la confirmation",
  ])
    await expect(form).toContainText(sentence);
  await expect(page.getByText(/Payer|Paiement par carte|Numéro de carte/)).toHaveCount(0);
  await expectFits(page);

  await test.step("a refusal says why, and leads to the cart", async () => {
    const error = "Votre panier a changé entre-temps. Vérifiez-le avant de confirmer la commande.";
    await page.route(
      "**/api/cart/confirm-order",
      (route) => route.fulfill({ status: 409, json: { error } }),
      { times: 1 },
    );
    await confirm.click();
    await expect(alertOf(page)).toHaveText(error);
    await expect(main.getByRole("link", { name: "Voir le panier" })).toBeVisible();
  });

  await openCheckout(page);
  await continueButton(page).click();
  await page.getByRole("button", { name: "Retour", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Vos adresses" })).toBeVisible();
  await continueButton(page).click();
  await confirm.dblclick();
  await expect(page).toHaveURL(/\/order\/\d+\/confirmation$/);
  await expect(page.getByRole("heading", { name: "Merci pour votre commande" })).toBeVisible();
  const [order, ...others] = await ordersOf(db, user.id);
  expect(others).toEqual([]);
  await expect(main).toContainText(`Votre commande ${order?.number} est enregistrée`);
  await expect(main).not.toContainText("Votre paiement");
  expect(paymentCalls).toEqual([]);
});

test("staff are warned of a price below the minimum, and settle the withdrawal from a free order", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, priceCents: 0 });
  const { order, lines } = await createOrder({ db, user, items: [{ product }] });
  await createWithdrawal({ db, order, lines, refundBy: null });
  await openScreen({ page, database: db, path: "/backoffice/products" });
  await page.getByRole("button", { name: "Ajouter" }).first().click();
  const price = dialogOf(page).getByLabel("Prix");
  const warning = dialogOf(page).getByRole("status");
  await price.fill("12.5");
  await expect(warning).toHaveCount(0);
  await price.fill("0.49");
  await expect(warning).toContainText("Un paiement par carte est d'au moins 0,50\u00a0€");
  await expectFits(page);

  await page.goto(`/backoffice/withdrawals?search=${order.number}`);
  const row = rowOf(page, order.number);
  await expect(row.getByRole("button", { name: "Rembourser" })).toHaveCount(0);
  await row.getByRole("button", { name: "Régler" }).click();
  const dialog = confirmDialogOf(page);
  await expect(dialog).toContainText("La commande était gratuite : il n’y a rien à rembourser.");
  await dialog.getByRole("button", { name: "Oui, réglée" }).click();
  await expect(page.getByText("Rétractation réglée.")).toBeVisible();
});
