import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { newEmail, tokenInMail } from "../accounts";
import { stopClock, submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";
import { hydrated } from "../hydration";
import { storeOnce } from "../storefront";

// What a logged-out visitor wants to add to the cart is remembered until the login, and the page is returned to.
// buying-journeys.spec.ts walks the whole way; lib/cart/pending-add.test.ts has the rules.

const LAMP = { name: "Lampe Aube", priceCents: 4290 };
const HOURS = 3600 * 1000;

const main = (page: Page) => page.getByRole("main");

/** Presses 'Ajouter au panier' as a logged-out visitor. */
async function wantProduct(page: Page, path: string, pieces = 1): Promise<void> {
  await page.goto(path);
  await main(page).getByLabel("Quantité").fill(String(pieces));
  await main(page).getByRole("button", { name: "Ajouter au panier" }).click();
  await expect(main(page).getByRole("link", { name: "Créer un compte" })).toBeFocused();
}

async function followTo(page: Page, name: string, url: string): Promise<void> {
  await main(page).getByRole("link", { name }).click();
  await expect(page).toHaveURL(url);
  await hydrated(page);
}

test("registration, password reset and mail lead back to the product", async ({
  page,
  mailbox,
  browser,
  shop,
  database: db,
}) => {
  const { id } = await createProduct({ db, ...LAMP });
  const back = `retour=/product/${id}%3Fcategory%3D3`;
  await wantProduct(page, `/product/${id}?category=3`);
  await followTo(page, "Se connecter", "/login");
  await followTo(page, "Mot de passe oublié", "/forget-password");
  await followTo(page, "Inscrivez-vous", "/register");
  // The page that is wanted survives a reload.
  await page.reload();
  for (const [name, path] of [
    ["Connectez-vous", "/login"],
    ["Mot de passe oublié", "/forget-password"],
  ] as const)
    await expect(main(page).getByRole("link", { name })).toHaveAttribute("href", `${path}?${back}`);
  const email = newEmail("retour");
  await page.getByLabel("Nom", { exact: true }).fill("Dupré");
  await page.getByLabel("Prénom").fill("Camille");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Mot de passe", { exact: true }).fill("Motdepasse-2026!");
  await page.getByLabel("Confirmer le mot de passe").fill("Motdepasse-2026!");
  await page.getByRole("button", { name: "S'inscrire" }).click();
  await page.getByRole("button", { name: "Continuer" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByLabel("Email")).toHaveValue(email);

  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "account-verification" });
  const link = `/account-verification/${token}?${back}`;
  expect(mail.text).toContain(link);
  // On another device nothing is remembered: the login returns to the product.
  const elsewhere = await browser.newContext({ baseURL: shop.baseURL });
  const phone = await elsewhere.newPage();
  await phone.goto(link);
  await main(phone).getByRole("link", { name: "Continuer" }).click();
  await expect(phone).toHaveURL("/login");
  await hydrated(phone);
  await expect(phone.getByLabel("Email")).toHaveValue("");
  await submitLogin({ page: phone, email });
  await expect(phone).toHaveURL(`/product/${id}?category=3`);
  await elsewhere.close();
});

test("a product that cannot be added any more leads to its page or to the cart, which says why", async ({
  page,
  problems,
  database: db,
}) => {
  problems.allow(404, 422);
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  const path = `/product/${id}?category=3`;
  const isProduct = eq(products.id, id);
  const comeBack = async () => {
    await followTo(page, "Se connecter", "/login");
    await submitLogin({ page, email: user.email });
  };

  await test.step("sold out meanwhile", async () => {
    await wantProduct(page, path, 3);
    await db.update(products).set({ stock: 2 }).where(isProduct);
    await comeBack();
    await expect(page).toHaveURL(path);
    await expect(main(page).getByRole("alert")).toHaveText(
      /^Erreur lors de l'ajout au panier\s+quantity: Il ne reste que 2 exemplaire/,
    );
    await expect(main(page).getByLabel("Quantité")).toHaveValue("3");
    await page.reload();
    await expect(main(page).getByRole("alert")).toHaveCount(0);
  });

  await test.step("gone meanwhile", async () => {
    await page.evaluate(() => localStorage.clear());
    await page.context().clearCookies();
    await wantProduct(page, path);
    await db.delete(products).where(isProduct);
    await comeBack();
    await expect(page).toHaveURL("/cart");
    await expect(main(page).getByRole("alert")).toHaveText(
      /^Erreur lors de l'ajout au panier\s+404 – Ce produit n'existe pas ou n'est plus en vente\.$/,
    );
  });
});

test("a visitor who asks for a page of theirs gets it, and finds the product in the cart", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  const pendingAdd = JSON.stringify({ productId: id, quantity: 1, at: Date.now() - 23 * HOURS });
  await storeOnce(page, { pendingAdd });
  await page.goto("/addresses");
  await expect(page).toHaveURL("/login");
  await hydrated(page);
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/addresses");
  const cart = page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first();
  await expect(cart).toContainText("1 article");
});

test("a session that has ended keeps the product, too", async ({
  page,
  problems,
  database: db,
}) => {
  problems.allow(401);
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await page.goto(`/login?retour=/product/${id}`);
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL(`/product/${id}`);
  await hydrated(page);
  await page.evaluate(() => localStorage.setItem("token", "perime"));
  await main(page).getByRole("button", { name: "Ajouter au panier" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByText("Votre session a expiré. Veuillez vous reconnecter.")).toBeVisible();
  await hydrated(page);
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/cart");
  await expect(main(page).getByLabel("Quantité de Lampe Aube")).toHaveValue("1");
});

test("every announced redirect can be skipped, by keyboard, too", async ({
  page,
  mailbox,
  database: db,
}) => {
  const user = await createUser({ db });
  await page.clock.install();
  await page.goto("/login");
  await stopClock(page);
  await submitLogin({ page, email: user.email });
  const skip = page.getByRole("button", { name: "Continuer" });
  await expect(skip).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/");
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();

  await page.goto("/forget-password");
  await page.getByLabel("Email").fill(user.email);
  await page.getByRole("button", { name: "Envoyer" }).click();
  const mail = await mailbox.waitForMail({ to: user.email });
  await page.goto(`/reset-password/${tokenInMail({ mail, page: "reset-password" })}`);
  await page.getByLabel("Mot de passe", { exact: true }).fill("Nouveau-2026!");
  await page.getByLabel("Confirmer le mot de passe").fill("Nouveau-2026!");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await expect(skip).toBeFocused();
  await skip.click();
  await expect(page).toHaveURL("/login");
});
