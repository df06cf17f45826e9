import { eq } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { users } from "@/db/schema/auth";
import { reviews } from "@/db/schema/reviews";
import { digestOf } from "@/lib/auth/mailed-token";
import { logIn, staleTokenOf, tokenOf, turnTwoFactorOn } from "../accounts";
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
  saveForm,
  search,
  unique,
} from "../backoffice";
import { storedSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

// Users, their addresses and their reviews.

test("a user is added, changed and deleted", async ({ page, database, problems }) => {
  problems.allow(422, 500);
  const email = `${unique("salarie")}@exemple.test`;
  const admin = await openScreen({ page, database, path: "/backoffice/users" });
  await expect(page).toHaveTitle("Gestion des utilisateurs - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Nom, Prénom, Email, Rôles, Vérifié, Reset Token, Confirmation Token, Supprimé, Actions",
  );
  await page.getByRole("button", { name: "Ajouter un utilisateur" }).click();
  const form = dialogOf(page);
  await expect(form).toHaveAccessibleName("Ajouter un utilisateur");
  const submit = form.getByRole("button", { name: "Ajouter" });
  const name = form.getByLabel("Nom", { exact: true });
  await submit.click();
  await expect(form.getByText("Ce champ est obligatoire.")).toHaveCount(4);
  await form.getByLabel("Email").fill(admin.email);
  await name.fill("Durand");
  await form.getByLabel("Prénom").fill("Zoé");
  await form.getByLabel("Rôles").selectOption(["ROLE_USER", "ROLE_ADMIN"]);
  await form.getByLabel("Mot de passe").fill("Motdepasse-2026!");
  await form.getByLabel("Vérifié").check();
  await submit.click();
  await expect(form.getByRole("alert").getByRole("listitem")).toHaveCount(1);
  await expect(form.getByLabel("Email")).toHaveAttribute("aria-invalid", "true");
  await form.getByLabel("Email").fill(email);
  await failRequests({ page, path: "**/api/admin/users", method: "POST" });
  await submit.click();
  await expect(form.getByRole("alert")).toHaveText(
    "Erreur lors de la sauvegarde de l'utilisateur.",
  );
  await page.unroute("**/api/admin/users");
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, email);
  await expect(row).toContainText("ROLE_ADMIN");
  const stored = async () => (await database.select().from(users).where(eq(users.email, email)))[0];
  const added = await stored();

  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form).toHaveAccessibleName("Modifier l'utilisateur");
  await expect(form.getByText("Laisser vide pour ne pas changer.")).toBeVisible();
  await expect(form.getByLabel("Mot de passe")).toHaveValue("");
  await name.fill("Durand-Petit");
  await form.getByLabel("Rôles").selectOption(["ROLE_USER"]);
  await form.getByLabel("Supprimé").check();
  await saveForm(form);
  await expect(row).toContainText("Durand-Petit");
  expect(await stored()).toMatchObject({
    lastName: "Durand-Petit",
    roles: ["ROLE_USER"],
    isDeleted: true,
    passwordHash: added?.passwordHash,
  });
  await deleteRow({ page, row, question: "Supprimer cet utilisateur ?" });
  expect(await stored()).toBeUndefined();

  await search(page, admin.email);
  await rowOf(page, admin.email).getByRole("button", { name: "Modifier" }).click();
  await name.fill("Renommée");
  await form.getByLabel("Prénom").fill("Zoé");
  await saveForm(form);
  const { user = "", ...names } = await storedSession(page);
  expect(names).toMatchObject({ userName: "Renommée", userLastName: "Zoé" });
  expect(JSON.parse(user)).toMatchObject({ id: admin.id, nom: "Renommée", lastname: "Zoé" });
  await page.getByLabel("Rôle", { exact: true }).selectOption("ROLE_ADMIN");
  await expect(rowOf(page, admin.email)).toHaveCount(1);
  await page.getByLabel("Vérification").selectOption("E-mail non vérifié");
  await expect(page.getByRole("cell", { name: "Aucun utilisateur trouvé." })).toBeVisible();
  await page.goto("/");
  await expect(page.getByText("Bonjour Zoé Renommée !")).toBeVisible();
});

test("a save undoes nothing that happened meanwhile", async ({ page, api, database, problems }) => {
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
    await expect(form.getByRole("alert")).toContainText("modifié entre-temps");
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
    await expectAccessible(page);
    await versions.getByRole("button", { name: "Reprendre la version enregistrée" }).click();
    await expect(form.getByLabel("Prénom")).toHaveValue("Ailleurs");
    await expect(form.getByLabel("Mot de passe")).toHaveValue("");
  });
});

test("staff with an old login confirm who they are", async ({ page, api, database, problems }) => {
  problems.allow(403);
  const lastName = unique("Partant");
  for (const firstName of ["A", "B", "C"]) await createUser({ db: database, lastName, firstName });
  const { email } = await createUser({ db: database, lastName, firstName: "D" });
  const path = `/backoffice/users?search=${lastName}`;
  const admin = await openScreen({ page, database, path, isStale: true });
  const question = page.getByRole("dialog", { name: "Confirmez votre identité" });
  const field = question.getByLabel("Mot de passe");
  const REFUSED = "Pour votre sécurité, confirmez d'abord votre identité.";

  await test.step("of a password", async () => {
    await rowOf(page, email).getByRole("button", { name: "Modifier" }).click();
    const form = page.getByRole("dialog", { name: "Modifier l'utilisateur" });
    const save = form.getByRole("button", { name: "Enregistrer" });
    await form.getByLabel("Prénom").fill("Zoé");
    await form.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await save.click();
    await expect(field).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(question).toBeHidden();
    await expect(form.getByRole("alert")).toHaveText(REFUSED);
    await expect(form.getByLabel("Mot de passe")).toHaveValue("Nouveau-2026!");
    await expect(save).toBeFocused();
    await save.click();
    await field.fill(DEFAULT_PASSWORD);
    await question.getByRole("button", { name: "Confirmer" }).click();
    await expect(page.getByText("Modification enregistrée.")).toBeVisible();
    const login = await logIn({ api, email, password: "Nouveau-2026!" });
    expect(login.userLastName).toBe("Zoé");
  });

  await test.step("once for the deletion of several users, or none is deleted", async () => {
    const stale = await staleTokenOf(admin);
    await page.evaluate((token) => localStorage.setItem("token", token), stale);
    await page.getByRole("checkbox", { name: /^Tout sélectionner/ }).check();
    const remove = async () => {
      await page.getByRole("button", { name: "Supprimer la sélection" }).click();
      await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
    };
    await remove();
    await question.getByRole("button", { name: "Annuler" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(REFUSED);
    await expect(question).toBeHidden();
    await expect(rowOf(page, lastName)).toHaveCount(4);
    await remove();
    await field.fill(DEFAULT_PASSWORD);
    await field.press("Enter");
    await expect(page.getByText("4 éléments traités.")).toBeVisible();
    await expect(rowOf(page, lastName)).toHaveCount(0);
  });
});

test("a row resets 2FA, and leads to a user's data", async ({ page, api, database, arrange }) => {
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
  await turnTwoFactorOn({ api, token: await tokenOf(user) });
  await openScreen({ page, database, path: `/backoffice/users?search=${user.email}` });
  const row = rowOf(page, user.email);
  const file = dialogOf(page);

  const button = row.getByRole("button", { name: "Réinitialiser la 2FA" });
  await button.click();
  const question = confirmDialogOf(page);
  await expect(question).toHaveAccessibleName(`Réinitialiser la 2FA de ${name}\u202f?`);
  await question.getByRole("button", { name: "Annuler" }).click();
  await expect(button).toBeFocused();
  await button.click();
  await question.getByRole("button", { name: "Réinitialiser" }).click();
  await expect(page.getByText(`La 2FA de ${name} est réinitialisée.`)).toBeVisible();
  await expect(button).toHaveCount(0);
  await row.getByRole("button", { name: "Historique" }).click();
  await expect(file.getByText("Double authentification")).toBeVisible();
  await page.keyboard.press("Escape");

  await row.getByRole("button", { name: "Dossier client" }).click();
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
    // Nothing is done to a credit note, so its list has no column for actions.
    await expect(page.getByRole("columnheader", { name: "Actions" })).toHaveCount(
      path === "credit-notes" ? 0 : 1,
    );
  }
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await expect(page).toHaveURL("/backoffice/reviews");
  await expect(filter).toHaveValue("");
});

test("an address is added, changed and deleted", async ({ page, database, problems }) => {
  problems.allow(404, 500);
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
  await saveForm(form);
  await expect(row).toContainText("Facturation");
  const [stored] = await database.select().from(addresses).where(eq(addresses.userId, user.id));
  expect(stored).toMatchObject({ type: "billing", isDefault: false, isDefaultBilling: true });

  await expectFailedSave({
    page,
    row,
    path: "**/api/addresses/*",
    sentence: "Erreur lors de la sauvegarde de l'adresse.",
  });
  await page.unroute("**/api/addresses/*");

  // The list is filtered by user and by type.
  await choose({ within: page, label: "Utilisateur", search: user.email, option: user.lastName });
  await expect(rowOf(page, "rue")).toHaveCount(1);
  await page.getByLabel("Type", { exact: true }).selectOption("Livraison");
  await expect(page.getByRole("cell", { name: "Aucune adresse trouvée." })).toBeVisible();
  await page.getByLabel("Type", { exact: true }).selectOption("Facturation");

  await deleteRow({ page, row, question: "Supprimer cette adresse ?" });

  for (const [number, doing] of ["changing", "deleting"].entries())
    await test.step(`${doing} a row that is no longer there`, async () => {
      const gone = await createAddress({ db: database, userId: user.id, street: `${number} quai` });
      await page.goto(`/backoffice/addresses?user=${user.id}`);
      const quay = rowOf(page, gone.street);
      await expect(quay).toHaveCount(1);
      await database.delete(addresses).where(eq(addresses.id, gone.id));
      if (doing === "deleting")
        return deleteRow({ page, row: quay, question: "Supprimer cette adresse ?" });
      await quay.getByRole("button", { name: "Modifier" }).click();
      await form.getByLabel("Ville").fill("Brest");
      await form.getByRole("button", { name: "Enregistrer" }).click();
      await expect(form.getByRole("alert")).toBeVisible();
      await expect(form.getByLabel("Ville")).toHaveValue("Brest");
      await form.getByRole("button", { name: "Annuler" }).click();
      await expect(quay).toHaveCount(0);
    });
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
  await saveForm(form);
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

test("reviews are moderated by one click", async ({ page, api, database, arrange, problems }) => {
  problems.allow(409, 500);
  const prefix = unique("Modération ");
  const [last] = await arrange(async (db) => {
    const { id: productId } = await createProduct({ db });
    const made = [];
    for (const number of [4, 3, 2, 1]) {
      const { id: userId } = await createUser({ db });
      const content = `${prefix} n${number}. ${"Un avis assez long. ".repeat(20)}`;
      made.push(await createReview({ db, productId, userId, status: "PENDING", content }));
    }
    return made;
  });
  await openScreen({ page, database, path: `/backoffice/reviews?status=PENDING&search=${prefix}` });
  const rows = rowOf(page, prefix);
  const button = (number: number, name: string) =>
    rowOf(page, `${prefix} n${number}`).getByRole("button", { name });
  const reason = page.getByLabel("Motif du rejet");
  const addReason = page.getByRole("button", { name: "Ajouter le motif" });

  await test.step("one after the other, on a phone", async () => {
    await button(1, "Valider").click();
    await expect(page.getByText("Avis validé.")).toBeVisible();
    await expect(rows).toHaveCount(3);
    await expect(button(2, "Valider")).toBeFocused();
    await page.setViewportSize({ width: 360, height: 740 });
    await button(3, "Rejeter").click();
    await expect(rows).toHaveCount(2);
    // Screen readers announce the message, and not the form below it.
    const said = page.getByRole("status").filter({ hasText: "Avis rejeté." });
    await expect(said).toHaveText("Avis rejeté.");
    await expect(said).toBeInViewport({ ratio: 1 });
    await expect(reason).toBeInViewport({ ratio: 1 });
    await expect(button(4, "Rejeter")).toBeFocused();
    await expect(button(4, "Rejeter")).toBeInViewport({ ratio: 1 });
    await expectAccessible(page);
    await reason.fill("Hors sujet");
    await addReason.press("Enter");
    await expect(page.getByText("Motif du rejet enregistré.")).toBeInViewport({ ratio: 1 });
    const list = page.getByRole("region", { name: "Gestion des avis (CRUD)" });
    await expect(list).toBeFocused();
    // The row before the last one, and then the last one.
    await button(2, "Valider").press("Enter");
    await expect(button(4, "Valider")).toBeFocused();
    await button(4, "Rejeter").press("Enter");
    await expect(page.getByRole("cell", { name: "Aucun avis trouvé." })).toBeVisible();
    await expect(list).toBeFocused();
  });

  await test.step("a reason that is not saved stays, unless the review was validated since", async () => {
    const alert = page.getByRole("main").getByRole("alert");
    await reason.fill("Illisible");
    await failRequests({ page, path: `**/api/reviews/${last?.id}`, method: "PUT" });
    await addReason.click();
    await expect(alert).toHaveText("La modification a échoué.");
    await expect(reason).toHaveValue("Illisible");
    await page.unroute(`**/api/reviews/${last?.id}`);
    const { token } = await newAdmin(database);
    await api.put(`/api/reviews/${last?.id}`, { token, json: { status: "VALIDATED" } });
    await addReason.click();
    await expect(alert).toHaveText("Cet objet a été modifié entre-temps par Inès Garnier.");
  });

  await test.step("all that are selected", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByLabel("Statut", { exact: true }).selectOption("Tous");
    await expect(rows).toHaveCount(4);
    await expect(rowOf(page, `${prefix} n3`)).toContainText("Motif : Hors sujet");
    // Each action is in a column of its own, whatever the review's status.
    const placeOf = async (number: number, name: string) =>
      (await button(number, name).boundingBox())?.x;
    expect(await placeOf(1, "Supprimer")).toBe(await placeOf(3, "Supprimer"));
    await page.getByRole("checkbox", { name: "Tout sélectionner" }).check();
    await page.getByRole("button", { name: "Valider la sélection" }).click();
    await expect(page.getByText("4 éléments traités.")).toBeVisible();
    await expect(rows.filter({ hasText: "Validé" })).toHaveCount(4);
  });
});

test("a search field can be used by keyboard", async ({ page, database, problems }) => {
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
