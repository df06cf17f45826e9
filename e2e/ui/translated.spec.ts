import type { Locator, Page } from "@playwright/test";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createOrder, createShippingMethod } from "@/db/factories/orders";
import { createAddress, createAdmin, createUser } from "@/db/factories/people";
import {
  choose,
  confirmDialogOf,
  dialogOf,
  openScreen,
  rowOf,
  SCREENS,
  search,
  unique,
} from "../backoffice";
import { openSession, submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { hydrated } from "../hydration";
import { buy } from "../refunding";
import { translatePages } from "../translator";

// The shop and the back office in a browser that translates the page. If React no longer finds a text,
// the page ends on its error message, and the fixture fails the test too.

const EARLY = "a page that is translated before its scripts run works all the same";

test.beforeEach(async ({ page }, { title }) => {
  if (title !== EARLY) await translatePages(page);
});

const button = (page: Page, name: string | RegExp) =>
  page.getByRole("main").getByRole("button", { name });

/** Fills in the fields with these labels. */
async function fill(area: Page | Locator, fields: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) await area.getByLabel(label).fill(text);
}

test("in a translated shop a visitor can buy", async ({ page, problems, arrange }) => {
  test.slow();
  problems.allow(401, 402);
  const name = unique("Théière");
  const { user, product } = await arrange(async (db) => {
    const buyer = await createUser({ db });
    await createAddress({ db, userId: buyer.id, street: "4 quai de la Fosse" });
    await createProduct({ db, name: `${name} bis` });
    return { user: buyer, product: await createProduct({ db, name, stock: 3 }) };
  });
  await page.goto(`/product/${product.id}`);
  await button(page, "Ajouter au panier").click();
  await expect(page.getByText("Veuillez vous connecter pour ajouter")).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Se connecter" }).click();
  await submitLogin({ page, email: user.email, password: "faux" });
  await expect(page.getByText("Email ou mot de passe incorrect")).toBeVisible();
  await submitLogin({ page, email: user.email });
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await expect(page).toHaveURL("/cart");
  await hydrated(page);

  await page.goto("/products");
  await page.getByLabel("Trier par prix").selectOption("asc");
  const main = page.getByRole("main");
  const searched = main.getByRole("combobox", { name: "Rechercher" });
  await searched.fill(name);
  await searched.press("Enter");
  await expect(main.locator("article")).toHaveCount(2);
  await searched.fill("xqzwvkjhg");
  await searched.press("Enter");
  await expect(page.getByText(/^Aucun produit disponible pour le moment/)).toBeVisible();

  for (const id of [product.id - 1, product.id]) {
    await page.goto(`/product/${id}`);
    await button(page, "Ajouter au panier").click();
    await expect(page.getByText(/^Produit ajouté au panier/)).toBeVisible();
  }
  await page.goto("/cart");
  await button(page, "Un de plus").first().click();
  await expect(page.getByText("Quantité mise à jour avec succès")).toBeVisible();
  const other = main.getByRole("listitem").filter({ hasText: `${name} bis` });
  await other.getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("Produit retiré du panier avec succès")).toBeVisible();
  await button(page, "Passer la commande").click();
  await expect(page).toHaveURL("/checkout");
  await hydrated(page);

  for (const name of ["Adresse de livraison", "Adresse de facturation"])
    await main.getByRole("group", { name }).getByRole("radio").check();
  await button(page, "Continuer").click();
  await expect(page.getByLabel("Numéro de carte")).toBeVisible();
  await button(page, "Retour").click();
  await button(page, "Continuer").click();
  // Until the step's heading has the focus, it may take the focus from a field.
  await expect(page.getByRole("heading", { name: "Paiement par carte" })).toBeFocused();
  for (const [card, answer] of [
    ["4000000000000002", "Votre carte a été refusée."],
    ["4242424242424242", "Merci pour votre commande"],
  ] as const) {
    await fill(page, { "Numéro de carte": card, "Date d'expiration": "12/34", CVC: "123" });
    await button(page, /^Payer /).click();
    await expect(main.getByText(answer)).toBeVisible();
  }

  await page.goto("/orders");
  await button(page, "Détails").click();
  await expect(dialogOf(page).getByText(name)).toBeVisible();
  await dialogOf(page).getByRole("button", { name: "Fermer" }).click();
  const download = page.waitForEvent("download");
  await button(page, "Télécharger la facture").click();
  await download;
  await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
  await expect(page).toHaveURL("/login");
});

test("a translated account can be changed, and a review written", async ({
  page,
  problems,
  arrange,
}) => {
  test.slow();
  problems.allow(422);
  const { user, product } = await arrange(async (db) => {
    const made = { user: await createUser({ db }), product: await createProduct({ db }) };
    await createOrder({ db, user: made.user, items: [{ product: made.product }] });
    return made;
  });
  await openSession(page, user);
  await page.goto("/profile");
  await page.getByLabel("Prénom").fill("");
  await button(page, "Enregistrer").click();
  await expect(page.getByText("Ce champ est obligatoire.")).toBeVisible();
  await page.getByLabel("Prénom").fill("Maëlle");
  await button(page, "Enregistrer").click();
  await expect(page.getByText("Informations mises à jour !")).toBeVisible();
  await button(page, "Activer la 2FA").click();
  await button(page, "Tester le code").click();
  await page.getByLabel("Code 2FA").fill("000000");
  await button(page, "Tester le code").click();
  await expect(page.getByText("Code invalide")).toBeVisible();

  await page.goto("/addresses");
  const form = dialogOf(page);
  for (const street of ["4 quai de la Fosse", "12 rue Crébillon"]) {
    await button(page, "Ajouter une adresse").click();
    await form.getByRole("button", { name: "Ajouter" }).click();
    await expect(form.getByText("Le code postal ne doit pas être vide.")).toBeVisible();
    await fill(form, { Rue: street, Ville: "Nantes", "Code postal": "44000" });
    await form.getByRole("button", { name: "Ajouter" }).click();
    await expect(page.getByText("Adresse ajoutée avec succès!")).toBeVisible();
  }
  const card = page.getByRole("main").getByRole("article").filter({ hasText: "12 rue Crébillon" });
  await card.getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Ville").fill("Rezé");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Adresse mise à jour avec succès!")).toBeVisible();
  await expect(page.getByText("44000 Rezé")).toBeVisible();
  await card.getByRole("button", { name: "Supprimer" }).click();
  await form.getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("Adresse supprimée avec succès!")).toBeVisible();

  await page.goto("/contact");
  await button(page, "Envoyer").click();
  await fill(page, { Message: "Bonjour, livrez-vous à Rezé ?", Nom: "Maëlle", Email: user.email });
  await button(page, "Envoyer").click();
  await expect(page.getByText("Message envoyé avec succès !")).toBeVisible();

  await page.goto(`/product/${product.id}`);
  const reviews = page.getByRole("region", { name: "Avis clients" });
  await reviews.getByRole("button", { name: "Envoyer" }).click();
  await expect(page.getByText("Veuillez attribuer une note")).toBeVisible();
  await reviews.getByRole("radio", { name: "4 étoiles" }).check();
  await reviews.getByLabel("Commentaire").fill("Elle ne goutte pas, même pleine.");
  await reviews.getByRole("button", { name: "Envoyer" }).click();
  await expect(page.getByText(/^Votre avis a été soumis/)).toBeVisible();
  await reviews.getByRole("button", { name: "Modifier" }).click();
  await reviews.getByLabel("Commentaire").fill("Elle goutte un peu, même vide.");
  await reviews.getByRole("button", { name: /^(Enregistrer|Modifier|Envoyer)/ }).click();
  await expect(page.getByText(/^Votre avis a été modifié/)).toBeVisible();
  await expect(reviews.getByText("Elle goutte un peu, même vide.")).toBeVisible();
});

test(EARLY, async ({ page, problems, database: db }) => {
  // React renders the page again, and reports an error.
  problems.allow(401, /Minified React error #418/);
  const user = await createUser({ db });
  await translatePages(page, { isEarly: true });
  const release = await holdRequests(page, /\/_next\/static\/.*\.js/);
  await page.goto("/login", { waitUntil: "commit" });
  await expect(page.locator("font").first()).toBeAttached();
  release();
  await hydrated(page);
  await submitLogin({ page, email: user.email, password: "faux" });
  await expect(page.getByText("Email ou mot de passe incorrect")).toBeVisible();
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/");
});

/** Screens without a list whose rows are added and changed by a form. */
const FORMLESS = /backoffice$|credit-notes|withdrawals|seller/;

test("every translated screen can be used", async ({ page, problems, arrange }) => {
  test.slow();
  problems.allow(404, 409, 422);
  const user = await arrange(async (tx) => {
    const customer = await createUser({ db: tx });
    await createAddress({ db: tx, userId: customer.id });
    const product = await createProduct({ db: tx });
    await createTag({ db: tx });
    await createShippingMethod({ db: tx, isActive: false });
    await createReview({ db: tx, productId: product.id, userId: customer.id });
    return createAdmin({ db: tx });
  });
  await openSession(page, user);
  const form = dialogOf(page);
  const region = page.getByRole("region", { name: /^Gestion/ });
  for (const path of SCREENS)
    await test.step(path, async () => {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await expect(page.getByText("Chargement", { exact: true })).toHaveCount(0);
      if (FORMLESS.test(path)) return;
      await expect(region).toHaveAttribute("aria-busy", "false");
      await page.getByRole("button", { name: /^Ajouter/ }).click();
      await form.getByRole("button", { name: "Ajouter", exact: true }).click();
      await expect(form.locator("[aria-invalid=true]").first()).toBeVisible();
      await form.getByRole("button", { name: "Annuler" }).click();

      const sortable = page.getByRole("columnheader").getByRole("button").first();
      for (let i = 0; i < 2; i++) await sortable.click();
      await search(page, "xqzwvkjhg");
      await expect(region.getByText(/^Aucun/)).toBeVisible();
      await page.getByLabel("Rechercher").fill("");
      const row = rowOf(page, /\S/).first();
      await row.getByRole("checkbox").check();
      await expect(page.getByText(/sélectionnée?s?/).first()).toBeVisible();
      await row.getByRole("checkbox").uncheck();
      await row.getByRole("button", { name: "Modifier" }).click();
      await expect(form).toBeVisible();
      await form.getByRole("button", { name: "Fermer" }).click();
      await row.getByRole("button", { name: "Historique" }).click();
      await expect(form).toContainText(/Aucun|le \d/);
      await form.getByRole("button", { name: "Fermer" }).click();
      await row.getByRole("button", { name: "Supprimer" }).click();
      await confirmDialogOf(page).getByRole("button", { name: "Annuler" }).click();
    });
});

test("a translated product can be added, counted and deleted", async ({ page, database: db }) => {
  test.slow();
  const category = await createCategory({ db, name: unique("Vaisselle ") });
  await openScreen({ page, database: db, path: "/backoffice/products" });
  const form = dialogOf(page);
  const name = unique("Bol");
  await page.getByRole("button", { name: /^Ajouter/ }).click();
  await form.getByLabel("Nom", { exact: true }).fill(name);
  await form.getByLabel("Description").fill("Un bol.");
  await form.getByLabel("Prix").fill("12.5");
  const type = form.getByLabel("Type", { exact: true });
  await type.selectOption("digital");
  await type.selectOption("physical");
  const label = "Catégorie par défaut";
  await choose({ within: form, label, search: category.name, option: category.name });
  await form.getByLabel("Stock", { exact: true }).fill("3");
  await form.getByRole("button", { name: "Ajouter", exact: true }).last().click();
  await expect(form).toBeHidden();
  await search(page, name);
  const row = rowOf(page, name);
  await expect(row).toContainText("12,50");
  await row.getByRole("button", { name: "Stock" }).click();
  await fill(form, { "Nouveau stock": "2", Raison: "Comptage" });
  await form.getByRole("button", { name: "Corriger le stock" }).click();
  await expect(page.getByText("Stock corrigé.")).toBeVisible();
  await row.getByRole("button", { name: "Stock" }).click();
  await expect(form.getByText("Comptage")).toBeVisible();
  await page.keyboard.press("Escape");
  await row.getByRole("button", { name: "Supprimer" }).click();
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("Suppression effectuée.")).toBeVisible();
});

test("translated orders are shipped and refunded", async ({ page, api, database: db, cards }) => {
  test.slow();
  const order = await buy({ api, db, cards, items: [{ name: "Lampe Aube", pieces: 2 }] });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${order.buyer.email}` });
  const row = rowOf(page, order.buyer.email);
  const dialog = dialogOf(page);
  await row.getByRole("button", { name: "Préparer" }).click();
  await expect(page.getByText("Commande en préparation.")).toBeVisible();
  await row.getByRole("button", { name: "Expédier" }).click();
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await expect(dialog.getByText("Veuillez saisir le numéro de suivi")).toBeVisible();
  await dialog.getByLabel("Numéro de suivi").fill("6A12345678901");
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await expect(row).toContainText("Expédiée");
  await row.getByRole("button", { name: "Rembourser" }).click();
  await fill(dialog, { "Quantité à rembourser : Lampe Aube": "1", Motif: "Abat-jour fendu" });
  await dialog.getByRole("button", { name: /^Rembourser/ }).click();
  await expect(dialog.getByRole("status")).toContainText("est envoyé au client.");
  await expect(dialog).toContainText(/Déjà rendu/);
  await page.keyboard.press("Escape");

  const user = await createUser({ db });
  const product = await createProduct({ db, name: unique("Vase") });
  await createReview({ db, productId: product.id, userId: user.id, status: "PENDING" });
  await page.goto(`/backoffice/reviews?search=${encodeURIComponent(product.name)}`);
  const review = rowOf(page, product.name);
  await review.getByRole("button", { name: "Valider" }).click();
  await expect(review).toContainText("Validé");
  await review.getByRole("button", { name: "Rejeter" }).click();
  await expect(review).toContainText("Rejeté");
});
