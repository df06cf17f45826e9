import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { newEmail, tokenInMail } from "../accounts";
import { stopClock, submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";
import { hydrated } from "../hydration";
import { trackedBy, watchRequests } from "../storefront";

// What a logged-out visitor wants to add to the cart is remembered until the login, and the page is returned to.
// e2e/ui/buying-journeys.spec.ts walks the whole way.

const LAMP = { name: "Lampe Aube", priceCents: 4290 };
const HOURS = 3600 * 1000;

const main = (page: Page) => page.getByRole("main");
const pendingIn = (page: Page) => page.evaluate(() => localStorage.getItem("pendingAdd"));

/** Presses 'Ajouter au panier' as a logged-out visitor. */
async function wantProduct({
  page,
  path,
  pieces = 1,
}: {
  page: Page;
  path: string;
  pieces?: number;
}) {
  await page.goto(path);
  if (pieces > 1) await main(page).getByLabel("Quantité").fill(String(pieces));
  await main(page).getByRole("button", { name: "Ajouter au panier" }).click();
  await expect(main(page).getByRole("link", { name: "Créer un compte" })).toBeFocused();
}

async function followTo(page: Page, name: string, url: string): Promise<void> {
  await main(page).getByRole("link", { name }).click();
  await expect(page).toHaveURL(url);
  await hydrated(page);
}

/** Stores a remembered product as if it came from this browser. */
const storePending = (page: Page, item: unknown) =>
  page.addInitScript((text) => {
    if (sessionStorage.getItem("stored-pending")) return;
    sessionStorage.setItem("stored-pending", "yes");
    localStorage.setItem("pendingAdd", text);
  }, JSON.stringify(item));

test("the login adds the product, and leads to the cart, which says so", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await wantProduct({ page, path: `/product/${id}?category=3`, pieces: 2 });
  expect(JSON.parse((await pendingIn(page)) ?? "")).toEqual({
    productId: id,
    quantity: 2,
    at: expect.any(Number),
  });
  await followTo(page, "Se connecter", "/login");
  await submitLogin({ page, email: user.email });
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await expect(
    page.getByText("Produit ajouté au panier avec succès, Redirection ....", { exact: true }),
  ).toBeVisible();
  await expect(page).toHaveURL("/cart");
  await hydrated(page);
  await expect(
    page.getByText("Produit ajouté au panier avec succès", { exact: true }),
  ).toBeVisible();
  await expect(main(page).getByLabel("Quantité de Lampe Aube")).toHaveValue("2");
  expect(await pendingIn(page)).toBeNull();
  expect(await trackedBy(page)).toContainEqual([
    "trackEvent",
    "Panier",
    "Ajout au panier",
    "Lampe Aube",
    2,
  ]);
  // A reload adds nothing, and does not say so again.
  await page.reload();
  await expect(main(page).getByLabel("Quantité de Lampe Aube")).toHaveValue("2");
  await expect(page.getByText(/^Produit ajouté/)).toHaveCount(0);
});

test("registration, password reset and mail lead back to the product", async ({
  page,
  mailbox,
  browser,
  shop,
  database: db,
}) => {
  const { id } = await createProduct({ db, ...LAMP });
  const back = `retour=/product/${id}%3Fcategory%3D3`;
  await wantProduct({ page, path: `/product/${id}?category=3` });
  await followTo(page, "Se connecter", "/login");
  await followTo(page, "Mot de passe oublié", "/forget-password");
  await followTo(page, "Inscrivez-vous", "/register");
  await followTo(page, "Connectez-vous", "/login");
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

  // In this browser the product is added.
  await submitLogin({ page, email });
  await expect(page).toHaveURL("/cart");
  await expect(main(page).getByLabel("Quantité de Lampe Aube")).toHaveValue("1");
  expect(await page.evaluate(() => localStorage.getItem("lastEmail"))).toBeNull();
});

test("a product that is sold out meanwhile leads back to its page, which says so", async ({
  page,
  problems,
  database: db,
}) => {
  problems.allow(422);
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await wantProduct({ page, path: `/product/${id}?category=3`, pieces: 3 });
  await db.update(products).set({ stock: 2 }).where(eq(products.id, id));
  await followTo(page, "Se connecter", "/login");
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL(`/product/${id}?category=3`);
  await expect(main(page).getByRole("alert")).toHaveText(
    /^Erreur lors de l'ajout au panier\s+quantity: Il ne reste que 2 exemplaire/,
  );
  await expect(main(page).getByLabel("Quantité")).toHaveValue("3");
  expect(await pendingIn(page)).toBeNull();
  await page.reload();
  await expect(main(page).getByRole("alert")).toHaveCount(0);
});

test("a product that left the shop meanwhile leads to the cart, which says so", async ({
  page,
  problems,
  database: db,
}) => {
  problems.allow(404);
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await wantProduct({ page, path: `/product/${id}` });
  await db.delete(products).where(eq(products.id, id));
  await followTo(page, "Se connecter", "/login");
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/cart");
  await expect(main(page).getByRole("alert")).toHaveText(
    /^Erreur lors de l'ajout au panier\s+404 – Ce produit n'existe pas ou n'est plus en vente\.$/,
  );
  await expect(page.getByText("Votre panier est vide.")).toBeVisible();
});

test("a memory of the day before is ignored, and forgotten at the login", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  const added = watchRequests(page, "/api/cart/add");
  await storePending(page, { productId: id, quantity: 1, at: Date.now() - 25 * HOURS });
  await page.goto("/login");
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/");
  expect(await pendingIn(page)).toBeNull();
  expect(added).toEqual([]);
});

test("a visitor who asks for a page of theirs gets it, and finds the product in the cart", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await storePending(page, { productId: id, quantity: 1, at: Date.now() - 23 * HOURS });
  await page.goto("/addresses");
  await expect(page).toHaveURL("/login");
  await hydrated(page);
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/addresses");
  await expect(
    page.getByRole("banner").getByRole("link", { name: "Voir le panier" }).first(),
  ).toContainText("1 article");
});

test("with two tabs at the login, the product is added once", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const { id } = await createProduct({ db, ...LAMP });
  await wantProduct({ page, path: `/product/${id}` });
  await followTo(page, "Se connecter", "/login");
  const other = await page.context().newPage();
  await other.clock.install();
  await other.goto(`/login?retour=/product/${id}`);
  await stopClock(other);
  await submitLogin({ page: other, email: user.email });
  await expect(other.getByText(/^Produit ajouté/)).toBeVisible();
  await expect(page).toHaveURL(`/product/${id}`);
  // Another entry in the storage does not redirect the other tab.
  await page.evaluate(() => localStorage.setItem("essai", "1"));
  await expect.poll(() => other.evaluate(() => localStorage.getItem("essai"))).toBe("1");
  await other.clock.runFor(2000);
  await expect(other).toHaveURL("/cart");
  await expect(main(other).getByLabel("Quantité de Lampe Aube")).toHaveValue("1");
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
