import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createAddress, createAdmin, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { reviews } from "@/db/schema/reviews";
import { digestOf } from "@/lib/auth/mailed-token";
import { logIn, tokenOf, turnTwoFactorOn } from "../accounts";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import {
  choose,
  confirmDialogOf,
  deleteRow,
  dialogOf,
  expectFailedSave,
  failRequests,
  headingsOf,
  openScreen,
  rowOf,
  SCREENS,
  search,
  unique,
} from "../backoffice";
import { openSession, storedSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

// Users, their addresses and their reviews.

test("a user is added, changed and deleted", async ({ page, database }) => {
  const email = `${unique("salarie")}@exemple.test`;
  await openScreen({ page, database, path: "/backoffice/users" });
  await expect(page).toHaveTitle("Gestion des utilisateurs - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Nom, Prénom, Email, Rôles, Vérifié, Reset Token, Confirmation Token, Supprimé, Actions",
  );
  await page.getByRole("button", { name: "Ajouter un utilisateur" }).click();
  const form = dialogOf(page);
  await expect(form).toHaveAccessibleName("Ajouter un utilisateur");
  await form.getByRole("button", { name: "Ajouter" }).click();
  await expect(form.getByText("Ce champ est obligatoire.")).toHaveCount(4);
  await form.getByLabel("Email").fill(email);
  await form.getByLabel("Nom", { exact: true }).fill("Durand");
  await form.getByLabel("Prénom").fill("Zoé");
  await form.getByLabel("Rôles").selectOption(["ROLE_USER", "ROLE_ADMIN"]);
  await form.getByLabel("Mot de passe").fill("Motdepasse-2026!");
  await form.getByLabel("Vérifié").check();
  await form.getByRole("button", { name: "Ajouter" }).click();
  await expect(form).toBeHidden();
  const row = rowOf(page, email);
  await expect(row).toContainText("ROLE_ADMIN");
  const stored = async () => (await database.select().from(users).where(eq(users.email, email)))[0];
  const added = await stored();

  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form).toHaveAccessibleName("Modifier l'utilisateur");
  await expect(form.getByText("Laisser vide pour ne pas changer.")).toBeVisible();
  await expect(form.getByLabel("Mot de passe")).toHaveValue("");
  await form.getByLabel("Nom", { exact: true }).fill("Durand-Petit");
  await form.getByLabel("Rôles").selectOption(["ROLE_USER"]);
  await form.getByLabel("Supprimé").check();
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText("Durand-Petit");
  expect(await stored()).toMatchObject({
    lastName: "Durand-Petit",
    roles: ["ROLE_USER"],
    isDeleted: true,
    passwordHash: added?.passwordHash,
  });

  await deleteRow({ page, row, question: "Supprimer cet utilisateur ?" });
  expect(await stored()).toBeUndefined();
});

test("a save does not undo what happened meanwhile; its conflict shows no typed password", async ({
  page,
  api,
  database,
  problems,
}) => {
  problems.allow(409);
  const link = unique("lien-");
  const email = `${unique("nouvelle")}@exemple.test`;
  const user = await createUser({
    db: database,
    email,
    isVerified: false,
    confirmationTokenHash: digestOf(link),
    confirmationTokenExpiresAt: new Date(Date.now() + 3_600_000),
  });
  await openScreen({ page, database, path: `/backoffice/users?search=${email}` });
  const form = dialogOf(page);
  const name = form.getByLabel("Nom", { exact: true });
  const save = form.getByRole("button", { name: "Enregistrer" });
  const versions = form.getByRole("region", { name: "Comparer les deux versions" });
  const open = () => rowOf(page, email).getByRole("button", { name: "Modifier" }).click();

  await test.step("a verification", async () => {
    await open();
    await expect(form.getByLabel("Confirmation Token")).toHaveValue(digestOf(link));
    expect((await api.get(`/api/verify-email/${link}`)).json).toMatchObject({ valid: true });
    await name.fill("Corrigée");
    await save.click();
    // Fields that the shop itself has changed are not offered as a choice.
    await expect(versions.getByRole("row")).toHaveCount(2);
    await expect(form.getByLabel("Confirmation Token")).toHaveValue("");
    await expect(form.getByLabel("Vérifié")).toBeChecked();
    await versions.getByRole("button", { name: "Garder ma version" }).click();
    await expect(form).toBeHidden();
    await expect(rowOf(page, email)).toContainText("Corrigée");
    const [stored] = await database.select().from(users).where(eq(users.id, user.id));
    expect(stored).toMatchObject({
      lastName: "Corrigée",
      isVerified: true,
      confirmationTokenHash: null,
    });
  });

  await test.step("another change, while more text is typed", async () => {
    await open();
    await form.getByLabel("Mot de passe").fill("Motdepasse-2026!");
    await form.getByLabel("Reset Token").fill("un-jeton-de-32-lettres-au-minimum");
    const { token } = await newAdmin(database);
    await api.put(`/api/admin/users/${user.id}`, { token, json: { lastname: "Ailleurs" } });
    const release = await holdRequests(page, `**/api/admin/users/${user.id}`);
    await save.click();
    await expect(form.getByRole("button", { name: "Enregistrement en cours..." })).toBeVisible();
    await name.fill("Recorrigée");
    release();
    for (const label of ["Mot de passe", "Reset Token"]) {
      const row = versions.getByRole("row").filter({ hasText: label });
      await expect(row.getByRole("cell")).toHaveText(["modifié", "–"]);
    }
    await expect(versions).not.toContainText(/Motdepasse|un-jeton/);
    await expect(name).toHaveValue("Recorrigée");
  });
});

test("an administrator who is renamed on the users' screen is greeted by the new name", async ({
  page,
  database,
}) => {
  const admin = await openScreen({ page, database, path: "/backoffice/users" });
  await search(page, admin.email);
  await rowOf(page, admin.email).getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await form.getByLabel("Nom", { exact: true }).fill("Renommée");
  await form.getByLabel("Prénom").fill("Zoé");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  const { user = "", ...names } = await storedSession(page);
  expect(names).toMatchObject({ userName: "Renommée", userLastName: "Zoé" });
  expect(JSON.parse(user)).toMatchObject({ id: admin.id, nom: "Renommée", lastname: "Zoé" });
  await page.goto("/");
  await expect(page.getByText("Bonjour Zoé Renommée !")).toBeVisible();
});

test("the users' screen shows violations, a fault, filters and an empty result", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(422, 500);
  const taken = await createUser({ db: database });
  const admin = await openScreen({ page, database, path: "/backoffice/users" });
  await page.getByRole("button", { name: "Ajouter un utilisateur" }).click();
  const form = dialogOf(page);
  await form.getByLabel("Email").fill(taken.email);
  await form.getByLabel("Nom", { exact: true }).fill("Durand");
  await form.getByLabel("Prénom").fill("Zoé");
  await form.getByLabel("Mot de passe").fill("Motdepasse-2026!");
  await form.getByRole("button", { name: "Ajouter" }).click();
  await expect(form.getByRole("alert").getByRole("listitem")).toHaveCount(1);
  await expect(form.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await failRequests({ page, path: "**/api/admin/users", method: "POST" });
  await form.getByRole("button", { name: "Ajouter" }).click();
  await expect(form.getByRole("alert")).toHaveText(
    "Erreur lors de la sauvegarde de l'utilisateur.",
  );

  await page.goto(`/backoffice/users?search=${admin.email}`);
  await expect(rowOf(page, admin.email)).toHaveCount(1);
  await page.getByLabel("Rôle", { exact: true }).selectOption("ROLE_ADMIN");
  await expect(rowOf(page, admin.email)).toHaveCount(1);
  await page.getByLabel("Vérification").selectOption("E-mail non vérifié");
  await expect(page.getByRole("cell", { name: "Aucun utilisateur trouvé." })).toBeVisible();
});

test.describe("staff who logged in more than ten minutes ago", () => {
  const questionOf = (page: Page) => page.getByRole("dialog", { name: "Confirmez votre identité" });

  test("change a password after entering their own, and lose no typed text", async ({
    page,
    api,
    database,
    problems,
  }) => {
    problems.allow(403);
    const user = await createUser({ db: database, email: `${unique("cliente")}@exemple.test` });
    await openScreen({
      page,
      database,
      path: `/backoffice/users?search=${user.email}`,
      isStale: true,
    });
    await rowOf(page, user.email).getByRole("button", { name: "Modifier" }).click();
    const form = page.getByRole("dialog", { name: "Modifier l'utilisateur" });
    await form.getByLabel("Prénom").fill("Zoé");
    await form.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await form.getByRole("button", { name: "Enregistrer" }).click();
    const question = questionOf(page);
    const field = question.getByLabel("Mot de passe");
    await expect(field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(form.getByRole("alert")).toHaveText(
      "Pour votre sécurité, confirmez d'abord votre identité.",
    );
    await expect(form.getByLabel("Mot de passe")).toHaveValue("Nouveau-2026!");
    await expect(form.getByRole("button", { name: "Enregistrer" })).toBeFocused();

    await form.getByRole("button", { name: "Enregistrer" }).click();
    await field.fill(DEFAULT_PASSWORD);
    await question.getByRole("button", { name: "Confirmer" }).click();
    await expect(page.getByText("Modification enregistrée.")).toBeVisible();
    const { userLastName } = await logIn({ api, email: user.email, password: "Nouveau-2026!" });
    expect(userLastName).toBe("Zoé");
  });

  test("delete several users after entering their password once, or delete none", async ({
    page,
    database,
    problems,
  }) => {
    problems.allow(403);
    const name = unique("Partant");
    for (const firstName of ["A", "B", "C"])
      await createUser({ db: database, lastName: name, firstName });
    await openScreen({ page, database, path: `/backoffice/users?search=${name}`, isStale: true });
    await expect(rowOf(page, name)).toHaveCount(3);
    await page.getByRole("checkbox", { name: /^Tout sélectionner/ }).check();
    const remove = async () => {
      await page.getByRole("button", { name: "Supprimer la sélection" }).click();
      await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
    };
    await remove();
    await questionOf(page).getByRole("button", { name: "Annuler" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(
      "Pour votre sécurité, confirmez d'abord votre identité.",
    );
    await expect(questionOf(page)).toBeHidden();
    await expect(rowOf(page, name)).toHaveCount(3);
    await remove();
    await questionOf(page).getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
    await questionOf(page).getByLabel("Mot de passe").press("Enter");
    await expect(page.getByText("3 éléments traités.")).toBeVisible();
    await expect(rowOf(page, name)).toHaveCount(0);
  });
});

test("two-factor of a user who has lost it is reset, after a question", async ({
  page,
  api,
  database,
}) => {
  const user = await createUser({
    db: database,
    email: `${unique("perdue")}@exemple.test`,
    firstName: "Zoé",
    lastName: "Durand",
  });
  await turnTwoFactorOn({ api, token: await tokenOf(user) });
  await openScreen({ page, database, path: `/backoffice/users?search=${user.email}` });
  const row = rowOf(page, user.email);
  const button = row.getByRole("button", { name: "Réinitialiser la 2FA" });
  await button.click();
  const question = confirmDialogOf(page);
  await expect(question).toHaveAccessibleName("Réinitialiser la 2FA de Durand Zoé\u202f?");
  await question.getByRole("button", { name: "Annuler" }).click();
  await expect(button).toBeFocused();
  await button.click();
  await question.getByRole("button", { name: "Réinitialiser" }).click();
  await expect(page.getByText("La 2FA de Durand Zoé est réinitialisée.")).toBeVisible();
  await expect(button).toHaveCount(0);
  await row.getByRole("button", { name: "Historique" }).click();
  await expect(dialogOf(page).getByText("Double authentification")).toBeVisible();
});

test("an address is added, changed and deleted", async ({ page, database, problems }) => {
  problems.allow(500);
  const user = await createUser({ db: database, lastName: unique("Lefèvre"), firstName: "Anaïs" });
  const street = unique("3 rue Haute ");
  await openScreen({ page, database, path: "/backoffice/addresses" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Gestion des adresses (CRUD)");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Rue, Ville, Code postal, Utilisateur, Type, Par défaut, Facturation par défaut, Actions",
  );
  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await submit.click();
  await expect(form.getByText("Ce champ est obligatoire.")).toHaveCount(2);
  await expect(form.getByRole("alert").getByRole("listitem")).toHaveText([
    "Le code postal ne doit pas être vide.",
    "Veuillez sélectionner un utilisateur.",
  ]);
  await form.getByLabel("Rue").fill(street);
  await form.getByLabel("Ville").fill("Nantes");
  await form.getByLabel("Code postal").fill("44000");
  await choose({ within: form, label: "Utilisateur", search: user.email, option: user.lastName });
  await form.getByLabel("Par défaut", { exact: true }).check();
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, street);
  await expect(row).toContainText(`${user.lastName} Anaïs`);
  await expect(row).toContainText("Livraison");

  await row.getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Type").selectOption("Facturation");
  await expect(form.getByLabel("Par défaut", { exact: true })).toHaveCount(0);
  await form.getByLabel("Facturation par défaut").check();
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText("Facturation");
  const [stored] = await database.select().from(addresses).where(eq(addresses.userId, user.id));
  expect(stored).toMatchObject({ type: "billing", isDefault: false, isDefaultBilling: true });

  await expectFailedSave({
    page,
    row,
    path: "**/api/addresses/*",
    sentence: "Erreur lors de la sauvegarde de l'adresse.",
  });

  // The list is filtered by user and by type.
  await choose({ within: page, label: "Utilisateur", search: user.email, option: user.lastName });
  await expect(rowOf(page, "rue")).toHaveCount(1);
  await page.getByLabel("Type", { exact: true }).selectOption("Livraison");
  await expect(page.getByRole("cell", { name: "Aucune adresse trouvée." })).toBeVisible();
  await page.getByLabel("Type", { exact: true }).selectOption("Facturation");

  await deleteRow({ page, row, question: "Supprimer cette adresse ?" });
});

test("a row deleted by somebody else leaves the table when it is deleted or saved", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(404);
  const user = await createUser({ db: database, lastName: unique("Double") });
  for (const street of ["1 rue Une", "2 rue Deux"])
    await createAddress({ db: database, userId: user.id, street });
  await openScreen({ page, database, path: "/backoffice/addresses" });
  await search(page, user.lastName);
  const [first, second] = [rowOf(page, "1 rue Une"), rowOf(page, "2 rue Deux")];
  await expect(second).toHaveCount(1);
  await database.delete(addresses).where(eq(addresses.userId, user.id));
  await first.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await form.getByLabel("Ville").fill("Brest");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toBeVisible();
  await expect(form.getByLabel("Ville")).toHaveValue("Brest");
  await form.getByRole("button", { name: "Annuler" }).click();
  await expect(first).toHaveCount(0);

  const { id } = await createAddress({ db: database, userId: user.id, street: "3 rue Trois" });
  await page.reload();
  const third = rowOf(page, "3 rue Trois");
  await expect(third).toHaveCount(1);
  await database.delete(addresses).where(eq(addresses.id, id));
  await deleteRow({ page, row: third, question: "Supprimer cette adresse ?" });
  await expect(page.getByText("Suppression effectuée.")).toBeVisible();
});

test("a review is added, changed and deleted", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const user = await createUser({ db: database, lastName: unique("Moreau") });
  const product = await arrange((db) => createProduct({ db, name: unique("Tasse ") }));
  const content = unique("Un avis écrit à la main ");
  await openScreen({ page, database, path: "/backoffice/reviews" });
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Gestion des avis (CRUD)");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Produit, Utilisateur, Note, Contenu, Statut, Date, Actions",
  );
  await page.getByRole("button", { name: "Ajouter un avis" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await submit.click();
  await expect(form.getByText("Ce champ est obligatoire.")).toHaveCount(3);
  await expect(form.getByLabel("Statut")).toHaveValue("PENDING");
  await choose({ within: form, label: "Produit", search: product.name, option: product.name });
  await choose({ within: form, label: "Utilisateur", search: user.email, option: user.lastName });
  await form.getByRole("radio", { name: "4 étoiles" }).check();
  await form.getByLabel("Contenu").fill(content);
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, content);
  await expect(row).toContainText("4/5");
  await expect(row).toContainText("En attente");
  await expect(row.getByRole("link", { name: product.name })).toHaveAttribute(
    "href",
    `/product/${product.id}`,
  );
  const stored = async () =>
    (await database.select().from(reviews).where(eq(reviews.productId, product.id)))[0];
  expect(await stored()).toMatchObject({ rating: 4, status: "PENDING", userId: user.id });
  await expect(row).toContainText(/20\d\d-\d\d-\d\d/);

  await row.getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Statut").selectOption("Rejeté");
  await form.getByLabel("Motif du rejet").fill("Hors sujet");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form).toBeHidden();
  await expect(row).toContainText("Rejeté");
  await expect(row).toContainText("Motif : Hors sujet");

  await expectFailedSave({
    page,
    row,
    path: "**/api/reviews/*",
    sentence: "Erreur lors de la sauvegarde de l'avis.",
  });

  await deleteRow({ page, row, question: "Supprimer cet avis ?" });
  expect(await stored()).toBeUndefined();
});

test("one click moderates a review, or all that are selected", async ({
  page,
  database,
  arrange,
}) => {
  const prefix = unique("Modération ");
  await arrange(async (db) => {
    const { id: productId } = await createProduct({ db });
    for (const number of [1, 2, 3]) {
      const { id: userId } = await createUser({ db });
      const content = `${prefix} ${number}`;
      await createReview({ db, productId, userId, status: "PENDING", content });
    }
  });
  await openScreen({ page, database, path: "/backoffice/reviews?status=PENDING" });
  await search(page, prefix);
  await expect(rowOf(page, prefix)).toHaveCount(3);
  await rowOf(page, `${prefix} 1`).getByRole("button", { name: "Valider" }).click();
  await expect(page.getByText("Avis validé.")).toBeVisible();
  await expect(rowOf(page, prefix)).toHaveCount(2);
  await rowOf(page, `${prefix} 2`).getByRole("button", { name: "Rejeter" }).click();
  await expect(page.getByText("Avis rejeté.")).toBeVisible();
  await expect(rowOf(page, prefix)).toHaveCount(1);
  await expectAccessible(page);
  await page.getByLabel("Motif du rejet").fill("Hors sujet");
  await page.getByRole("button", { name: "Ajouter le motif" }).click();
  await expect(page.getByText("Motif du rejet enregistré.")).toBeVisible();

  await page.getByLabel("Statut", { exact: true }).selectOption("Tous");
  await expect(rowOf(page, prefix)).toHaveCount(3);
  await expect(rowOf(page, `${prefix} 2`)).toContainText("Motif : Hors sujet");
  // Each action is in a column of its own, whatever the review's status.
  const placeOf = async (number: number, name: string) =>
    (await rowOf(page, `${prefix} ${number}`).getByRole("button", { name }).boundingBox())?.x;
  expect(await placeOf(1, "Rejeter")).toBe(await placeOf(3, "Rejeter"));
  expect(await placeOf(2, "Valider")).toBe(await placeOf(3, "Valider"));
  expect(await placeOf(2, "Supprimer")).toBe(await placeOf(3, "Supprimer"));
  await page.getByRole("checkbox", { name: "Tout sélectionner" }).check();
  await page.getByRole("button", { name: "Valider la sélection" }).click();
  await expect(page.getByText("3 éléments traités.")).toBeVisible();
  await expect(rowOf(page, prefix).filter({ hasText: "Validé" })).toHaveCount(3);
});

test("after a moderation the focus stays in the list, and the message is visible", async ({
  page,
  database,
  arrange,
}) => {
  const prefix = unique("Foyer ");
  await arrange(async (db) => {
    const { id: productId } = await createProduct({ db });
    for (const number of [4, 3, 2, 1]) {
      const { id: userId } = await createUser({ db });
      const content = `${prefix} n${number}. ${"Un avis assez long. ".repeat(20)}`;
      await createReview({ db, productId, userId, status: "PENDING", content });
    }
  });
  await openScreen({
    page,
    database,
    path: `/backoffice/reviews?status=PENDING&search=${prefix}`,
  });
  const button = (number: number, name: string) =>
    rowOf(page, `${prefix} n${number}`).getByRole("button", { name });
  await button(1, "Valider").click();
  await expect(rowOf(page, prefix)).toHaveCount(3);
  await expect(button(2, "Valider")).toBeFocused();

  await page.setViewportSize({ width: 360, height: 740 });
  await button(3, "Rejeter").click();
  await expect(rowOf(page, prefix)).toHaveCount(2);
  await expect(page.getByText("Avis rejeté.")).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel("Motif du rejet")).toBeInViewport({ ratio: 1 });
  await expect(button(4, "Rejeter")).toBeFocused();
  await expect(button(4, "Rejeter")).toBeInViewport({ ratio: 1 });
  await page.getByLabel("Motif du rejet").fill("Hors sujet");
  await page.getByRole("button", { name: "Ajouter le motif" }).press("Enter");
  await expect(page.getByText("Motif du rejet enregistré.")).toBeInViewport({ ratio: 1 });
  const list = page.getByRole("region", { name: "Gestion des avis (CRUD)" });
  await expect(list).toBeFocused();

  // The row before the last one.
  await button(4, "Supprimer").press("Enter");
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).press("Enter");
  await expect(page.getByText("Suppression effectuée.")).toBeInViewport({ ratio: 1 });
  await expect(button(2, "Supprimer")).toBeFocused();
  await button(2, "Valider").press("Enter");
  await expect(page.getByRole("cell", { name: "Aucun avis trouvé." })).toBeVisible();
  await expect(list).toBeFocused();
});

test("a user's row links to the user's orders, addresses and other data", async ({
  page,
  database,
  arrange,
}) => {
  const user = await arrange(async (db) => {
    const user = await createUser({ db, lastName: unique("Dossier"), firstName: "Zoé" });
    const product = await createProduct({ db });
    await createOrder({ db, user, items: [{ product }] });
    await createCart({ db, userId: user.id, items: [] });
    await createAddress({ db, userId: user.id });
    await createReview({ db, productId: product.id, userId: user.id });
    return user;
  });
  const name = `${user.lastName} ${user.firstName}`;
  await openScreen({ page, database, path: `/backoffice/users?search=${user.email}` });
  await rowOf(page, user.email).getByRole("button", { name: "Dossier client" }).click();
  const file = dialogOf(page);
  await expect(file).toHaveAccessibleName(`Dossier de ${name}`);
  await expectAccessible(page);
  const paths = {
    Commandes: "orders",
    Factures: "invoices",
    Avoirs: "credit-notes",
    Rétractations: "withdrawals",
    Panier: "cart",
    Adresses: "addresses",
    Avis: "reviews",
  };
  for (const [label, path] of Object.entries(paths))
    await expect(file.getByRole("link", { name: label })).toHaveAttribute(
      "href",
      `/backoffice/${path}?user=${user.id}`,
    );
  await file.getByRole("link", { name: "Commandes" }).click();
  const filter = page.getByRole("combobox", { name: "Utilisateur", exact: true });
  for (const path of Object.values(paths)) {
    if (path !== "orders") await page.goto(`/backoffice/${path}?user=${user.id}`);
    await expect(page).toHaveURL(`/backoffice/${path}?user=${user.id}`);
    await expect(filter).toHaveValue(name);
    const isEmpty = path === "credit-notes" || path === "withdrawals";
    await expect(rowOf(page, isEmpty ? /^Aucune? .* trouvée?\.$/ : name)).toHaveCount(1);
  }
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await expect(page).toHaveURL("/backoffice/reviews");
  await expect(filter).toHaveValue("");
});

test("a rejection's reason whose save failed is kept, and refused if the review was validated since", async ({
  page,
  api,
  database,
  arrange,
  problems,
}) => {
  problems.allow(500, 409);
  const content = unique("À motiver ");
  const review = await arrange(async (db) => {
    const { id: productId } = await createProduct({ db });
    const { id: userId } = await createUser({ db });
    return createReview({ db, productId, userId, status: "PENDING", content });
  });
  await openScreen({ page, database, path: `/backoffice/reviews?search=${content}` });
  await rowOf(page, content).getByRole("button", { name: "Rejeter" }).click();
  // Screen readers announce the message, and not the form below it.
  await expect(page.getByRole("status").filter({ hasText: "Avis rejeté." })).toHaveText(
    "Avis rejeté.",
  );
  const alert = page.getByRole("main").getByRole("alert");
  const addReason = page.getByRole("button", { name: "Ajouter le motif" });
  await page.getByLabel("Motif du rejet").fill("Hors sujet");
  await failRequests({ page, path: `**/api/reviews/${review.id}`, method: "PUT" });
  await addReason.click();
  await expect(alert).toHaveText("La modification a échoué.");
  await expect(page.getByLabel("Motif du rejet")).toHaveValue("Hors sujet");
  await page.unroute(`**/api/reviews/${review.id}`);

  const { token } = await newAdmin(database);
  await api.put(`/api/reviews/${review.id}`, { token, json: { status: "VALIDATED" } });
  await addReason.click();
  await expect(alert).toHaveText("Cet objet a été modifié entre-temps par Inès Garnier.");
  await expect(rowOf(page, content)).toContainText("Validé");
});

test("the back office needs an administrator in both cookie and storage", async ({
  page,
  database,
  browser,
  baseURL,
}) => {
  const anonymous = await browser.newContext({ baseURL: String(baseURL) });
  for (const path of SCREENS) {
    const answer = await anonymous.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    expect(answer.headers().location, path).toContain("/login");
  }
  await anonymous.close();

  await openSession(page, await createUser({ db: database }));
  for (const path of SCREENS) {
    const answer = await page.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(307);
    expect(new URL(String(answer.headers().location), baseURL).pathname, path).toBe("/");
  }
  await page.goto("/backoffice/users");
  await expect(page).toHaveURL("/");

  const other = await browser.newContext({ baseURL: String(baseURL) });
  const adminPage = await other.newPage();
  await openSession(adminPage, await createAdmin({ db: database }));
  for (const path of SCREENS) {
    const answer = await adminPage.request.get(path, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(200);
    expect(answer.headers()["cache-control"], path).toContain("no-store");
    expect(await answer.text(), path).toContain('name="robots" content="noindex');
  }
  // Without the role in the browser's storage the screens redirect home.
  await adminPage.goto("/backoffice/tags");
  await adminPage.evaluate(() => {
    localStorage.setItem("roles", '["ROLE_USER"]');
    window.dispatchEvent(new Event("auth-changed"));
  });
  await expect(adminPage).toHaveURL("/");
  await other.close();
});

test("a search field can be used by keyboard, and keeps the chosen value", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(500);
  const lastName = unique("Clavier");
  for (const firstName of ["Alix", "Basile"])
    await createUser({ db: database, lastName, firstName });
  await openScreen({ page, database, path: "/backoffice/addresses" });
  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  const form = dialogOf(page);
  const field = form.getByRole("combobox", { name: "Utilisateur" });
  await field.focus();
  await page.keyboard.type(lastName);
  await expect(field).toHaveValue(lastName);
  // The form also has a field with two fixed options.
  const found = form.getByRole("listbox").getByRole("option");
  await expect(found).toHaveCount(2);
  await expect(field).toHaveAttribute("aria-expanded", "true");
  await expectAccessible(page);
  await page.keyboard.press("ArrowDown");
  const second = found.nth(1);
  await expect(second).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(new RegExp(`^${lastName} (Alix|Basile)$`));
  const chosen = await field.inputValue();
  await expect(form).toBeVisible();

  // Escape closes the list, not the dialog, and undoes the additional text.
  await page.keyboard.type(" inconnu");
  await expect(form.getByText("Aucun résultat.")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(field).toHaveAttribute("aria-expanded", "false");
  await expect(field).toHaveValue(chosen);
  await expect(form).toBeVisible();

  await expect(form.getByLabel("Utilisateur")).toHaveCount(1);
  const clear = form.getByRole("button", { name: "Effacer le choix" });
  await expect(clear).toHaveAccessibleDescription("Utilisateur");
  await clear.click();
  await expect(field).toHaveValue("");
  await page.route("**/api/users?*", (route) => route.fulfill({ status: 500, json: {} }));
  await field.fill("panne");
  await expect(form.getByText("La recherche a échoué.")).toBeVisible();
});
