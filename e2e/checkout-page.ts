import { expect, type Locator, type Page } from "@playwright/test";
import { hydrated } from "./hydration";
import { plainSpaces } from "./storefront";

// Shared by the browser tests of cart and checkout.

export const expectText = (locator: Locator, text: string) =>
  expect.poll(async () => plainSpaces((await locator.textContent()) ?? "")).toContain(text);

export const summary = (page: Page) => page.getByRole("region", { name: "Récapitulatif" });
export const methods = (page: Page) => page.getByRole("group", { name: "Mode de livraison" });
export const continueButton = (page: Page) => page.getByRole("button", { name: "Continuer" });
export const payButton = (page: Page) =>
  page.getByRole("button", { name: /^Payer .* – commande avec obligation de paiement$/ });
/** The page's error message; the router has an alert of its own. */
export const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

/** Opens the checkout from the cart, as customers do. */
export async function openCheckout(page: Page, { origin = "" } = {}): Promise<void> {
  await page.goto(`${origin}/cart`);
  await page.getByRole("button", { name: "Passer la commande" }).click();
  await expect(page).toHaveURL(`${origin}/checkout`);
  await hydrated(page);
}

export async function fillCard(page: Page, number = "4242424242424242"): Promise<void> {
  await page.getByLabel("Numéro de carte").fill(number);
  await page.getByLabel("Date d'expiration").fill("12/34");
  await page.getByLabel("CVC").fill("123");
}
