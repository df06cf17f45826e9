import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { DEFAULT_PASSWORD } from "@/db/factories/people";
import { products, tags } from "@/db/schema/catalogue";
import { expectAccessible } from "../axe";
import {
  confirmDialogOf,
  dialogOf,
  failRequests,
  headingsOf,
  openScreen,
  rowOf,
  search,
  unique,
} from "../backoffice";
import { submitLogin } from "../browser-session";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";

test("a tag is added, changed and deleted by keyboard alone", async ({ page, database }) => {
  await openScreen({ page, database, path: "/backoffice/tags" });
  await expect(page).toHaveTitle("Gestion des tags - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe("ID, Nom, Couleur, Produits associés, Actions");
  const name = unique("Clavier ");
  const form = dialogOf(page);
  const row = rowOf(page, name);
  const add = page.getByRole("button", { name: "Ajouter un tag" });
  const change = row.getByRole("button", { name: "Modifier" });
  const history = row.getByRole("button", { name: "Historique" });
  const remove = row.getByRole("button", { name: "Supprimer" });

  await test.step("adding", async () => {
    await add.focus();
    await page.keyboard.press("Enter");
    await expect(form).toHaveAccessibleName("Ajouter un tag");
    await expect(form.getByLabel("Nom")).toBeFocused();
    await expect(form.getByLabel("Couleur")).toHaveValue("#3b82f6");
    await page.keyboard.type(name);
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
    await expect(row).toContainText("#3b82f6");
    await expect(add).toBeFocused();
  });

  await test.step("changing", async () => {
    // Everything can be reached by the Tab key.
    for (let stop = 0; stop < 40; stop++) {
      await page.keyboard.press("Tab");
      if (await change.evaluate((button) => button === document.activeElement)) break;
    }
    await expect(change).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(form).toHaveAccessibleName("Modifier le tag");
    await expect(form.getByLabel("Nom")).toBeFocused();
    await expect(form.getByLabel("Nom")).toHaveValue(name);
    await page.keyboard.press("End");
    await page.keyboard.type(" bis");
    await page.keyboard.press("Enter");
    await expect(form).toBeHidden();
    await expect(row).toContainText(`${name} bis`);
  });

  await test.step("the focus stays inside of a dialog", async () => {
    await change.press("Enter");
    await expect(form.getByLabel("Nom")).toBeFocused();
    for (let stop = 0; stop < 8; stop++) {
      await page.keyboard.press("Tab");
      await expect(form.locator(":focus")).toHaveCount(1);
    }
    await page.keyboard.press("Escape");
    await expect(change).toBeFocused();
  });

  await test.step("the history", async () => {
    await page.keyboard.press("Tab");
    await expect(history).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(form).toContainText("Création");
    await expect(form).toContainText("Modification");
    await expect(form).toContainText(`${name} → ${name} bis`);
    await expectAccessible(page);
    await page.keyboard.press("Escape");
    await expect(form).toBeHidden();
  });

  await test.step("deleting", async () => {
    await history.focus();
    await page.keyboard.press("Tab");
    await expect(remove).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(confirmDialogOf(page)).toContainText("Supprimer ce tag ?");
    await expectAccessible(page);
    await expect(confirmDialogOf(page).getByRole("button", { name: "Annuler" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(remove).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(confirmDialogOf(page).getByRole("button", { name: "Annuler" })).toBeFocused();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(row).toHaveCount(0);
    await expect(page.getByText("Suppression effectuée.")).toBeVisible();
    expect(await database.$count(tags, eq(tags.name, `${name} bis`))).toBe(0);
  });
});

test("what fails says so, and nothing typed is lost", async ({ page, database, problems }) => {
  problems.allow(409, 422, 500);
  const tag = await createTag({ db: database, name: unique("Lent ") });
  await openScreen({ page, database, path: `/backoffice/tags?search=${tag.name}` });
  const row = rowOf(page, tag.name);
  const alert = page.getByRole("main").getByRole("alert");

  await test.step("a deletion, during which the row shows a spinner", async () => {
    const { promise, resolve: answer } = deferred();
    await page.route(`**/api/tags/${tag.id}`, async (route) => {
      await promise;
      await route.fulfill({ status: 409, json: { error: "Ce tag est occupé." } });
    });
    await row.getByRole("button", { name: "Supprimer" }).click();
    await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
    await expect(row).toHaveAttribute("aria-busy", "true");
    await expect(row.getByText("En cours")).toBeVisible();
    await expect(row.getByRole("button", { name: "Supprimer" })).toBeDisabled();
    answer();
    await expect(alert).toHaveText("Ce tag est occupé.");
    await expect(row).not.toHaveAttribute("aria-busy");
  });

  await test.step("a list, which shows no rows of the former view", async () => {
    await page.route("**/api/tags?*", (route) => route.fulfill({ status: 500, json: {} }));
    await page.getByRole("button", { name: "Nom" }).click();
    await expect(alert.filter({ hasText: "La liste n’a pas pu être chargée." })).toBeVisible();
    await expect(row).toHaveCount(0);
    await expect(page.getByText("1–1 sur 1")).toHaveCount(0);
    await expectAccessible(page);
    await page.unroute("**/api/tags?*");
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(row).toHaveCount(1);
  });

  const form = dialogOf(page);
  const name = form.getByLabel("Nom");
  const submit = form.getByRole("button", { name: "Ajouter" });
  await test.step("a save: violations in a red list, a fault as the screen's sentence", async () => {
    await page.getByRole("button", { name: "Ajouter un tag" }).click();
    await submit.click();
    await expect(form.getByText("Ce champ est obligatoire.")).toBeVisible();
    await expect(name).toBeFocused();
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await name.fill("a".repeat(300));
    await submit.click();
    await expect(form.getByRole("alert").getByRole("listitem")).toHaveText([/au plus/]);
    await expectAccessible(page);
    await failRequests({ page, path: "**/api/tags", method: "POST" });
    await name.fill(`${tag.name} bis`);
    await submit.click();
    await expect(form.getByRole("alert")).toHaveText("Erreur lors de la sauvegarde du tag.");
    await expect(name).toHaveValue(`${tag.name} bis`);
    await page.unroute("**/api/tags");
  });

  await test.step("a form that is submitted twice is sent once", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "POST") sent.push(request.url());
    });
    const release = await holdRequests(page, "**/api/tags");
    await name.press("Enter");
    await expect(form.getByRole("button", { name: "Ajout en cours..." })).toBeDisabled();
    await name.press("Enter");
    await page.keyboard.press("Escape");
    await expect(form).toBeVisible();
    release();
    await expect(form).toBeHidden();
    await expect(row).toHaveCount(2);
    expect(sent).toHaveLength(1);
  });
});

test("only buttons discard a changed form without asking", async ({ page, database }) => {
  await openScreen({ page, database, path: "/backoffice/tags" });
  const menu = page.getByRole("navigation", { name: "Menu du back office" });
  await menu.getByRole("link", { name: "Catégories" }).click();
  await expect(page).toHaveURL("/backoffice/category");
  const add = page.getByRole("button", { name: "Ajouter une catégorie" });
  const form = dialogOf(page);
  const name = form.getByLabel("Nom");
  const open = async (text: string) => {
    await add.click();
    await name.fill(text);
  };
  const answer = async (button: "Continuer la saisie" | "Abandonner") => {
    await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications ?");
    await confirmDialogOf(page).getByRole("button", { name: button }).click();
    await expect(confirmDialogOf(page)).toBeHidden();
  };
  const expectClosed = async () => {
    await expect(confirmDialogOf(page)).toBeHidden();
    await expect(form).toBeHidden();
    await expect(add).toBeFocused();
  };

  await test.step("buttons", async () => {
    for (const button of ["Annuler", "Fermer"]) {
      await open("Brouillon");
      await form.getByRole("button", { name: button }).click();
      await expectClosed();
    }
  });

  await test.step("Escape", async () => {
    await open("");
    await page.keyboard.press("Escape");
    await expectClosed();
    await open("Brouillon");
    await page.keyboard.press("Escape");
    const stay = confirmDialogOf(page).getByRole("button", { name: "Continuer la saisie" });
    await expect(stay).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(confirmDialogOf(page)).toBeHidden();
    await expect(name).toHaveValue("Brouillon");
    await page.keyboard.press("Escape");
    await answer("Abandonner");
    await expectClosed();
  });

  // `page.goBack` would wait for a navigation that does not happen here.
  const goBack = () => page.evaluate(() => window.history.back());
  await test.step("a reload", async () => {
    await open("Brouillon");
    await goBack();
    await answer("Continuer la saisie");
    const asked = page.waitForEvent("dialog");
    const reloaded = page.evaluate(() => window.location.reload());
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await reloaded;
    await expect(name).toHaveValue("Brouillon");
  });

  await test.step("Back, of which another keeps the question open", async () => {
    await goBack();
    await expect(confirmDialogOf(page)).toBeVisible();
    await goBack();
    await expect(page).toHaveURL("/backoffice/category");
    await answer("Abandonner");
    await expect(page).toHaveURL("/backoffice/tags");
    await expect(form).toBeHidden();
    // Nothing is asked if nothing was typed.
    await page.goForward();
    await add.click();
    await expect(form).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL("/backoffice/tags");
    await expect(form).toBeHidden();
  });
});

test("a form is saved after its session has ended", async ({ page, database, problems }) => {
  problems.allow(401);
  const tag = await createTag({ db: database, name: unique("Session ") });
  const admin = await openScreen({ page, database, path: `/backoffice/tags?search=${tag.name}` });
  const form = page.getByRole("dialog", { name: "Modifier le tag" });
  const name = form.getByLabel("Nom");
  const save = form.getByRole("button", { name: "Enregistrer" });
  const login = page.getByRole("dialog", { name: "Reconnectez-vous" });
  const saveRevoked = async (text: string) => {
    await rowOf(page, tag.name).getByRole("button", { name: "Modifier" }).click();
    await name.fill(text);
    await page.evaluate(() => localStorage.setItem("token", "revoked"));
    await save.click();
  };
  await saveRevoked(`${tag.name} bis`);
  await login.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
  await login.getByRole("button", { name: "Se connecter" }).click();
  await expect(page.getByText("Modification enregistrée.")).toBeVisible();

  await saveRevoked(`${tag.name} ter`);
  const asked = page.waitForEvent("dialog");
  // The `beforeunload` dialog may block the click until it is answered.
  const declined = login.getByRole("button", { name: "Annuler" }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await declined;
  await expect(form.getByRole("alert")).toHaveText(
    "Votre session a expiré. Pour garder ce que vous avez saisi, restez sur cette page, reconnectez-vous dans un autre onglet, puis enregistrez.",
  );
  await expect(name).toHaveValue(`${tag.name} ter`);
  const tab = await page.context().newPage();
  await tab.goto("/login");
  await submitLogin({ page: tab, email: admin.email });
  await expect(tab).toHaveURL("/");
  await save.click();
  await expect(rowOf(page, `${tag.name} ter`)).toBeVisible();
});

test("a view is in the URL; its rows are exported and deleted", async ({ page, database }) => {
  const prefix = unique("Page ");
  for (let number = 10; number < 22; number++)
    await createTag({ db: database, name: `${prefix} ${number}` });
  await openScreen({ page, database, path: "/backoffice/tags" });
  await search(page, prefix);
  await page.getByLabel("Lignes par page").selectOption("10");
  const expectFirst = (number: number) =>
    expect(rowOf(page, prefix).first()).toContainText(`${prefix} ${number}`);
  const range = page.getByText("1–10 sur 12");
  await expect(range).toBeVisible();
  // Screen readers announce the result of a page, a search or a filter.
  await expect(range).toHaveAttribute("aria-live", "polite");
  await expectFirst(21);
  await page.getByRole("button", { name: "Nom" }).click();
  await expect(page.getByRole("columnheader", { name: "Nom" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expectFirst(10);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Exporter (CSV)" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tags-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toContain(`${prefix} 21`);

  await page.getByRole("link", { name: "Page 2", exact: true }).click();
  await expect(page.getByText("11–12 sur 12")).toBeVisible();
  await expect(rowOf(page, prefix)).toHaveCount(2);
  await expect(page).toHaveURL(/order\[name\]=asc&page=2&itemsPerPage=10/);
  await page.reload();
  await expect(page.getByText("11–12 sur 12")).toBeVisible();
  await expect(page.getByLabel("Rechercher")).toHaveValue(prefix);
  await page.goBack();
  await expect(page.getByText("1–10 sur 12")).toBeVisible();

  // A page past the end shows the last page, even if the last page has just become empty.
  await page.goto(page.url().replace("itemsPerPage=10", "page=9&itemsPerPage=10"));
  await expect(page.getByText("11–12 sur 12")).toBeVisible();
  await expect(page).toHaveURL(/&page=2&/);
  await page.getByRole("checkbox", { name: "Tout sélectionner" }).check();
  const bar = page.getByRole("group", { name: "Actions sur la sélection" });
  await expect(bar).toContainText("2 sélectionnés");
  await bar.getByRole("button", { name: "Supprimer la sélection" }).click();
  await expect(confirmDialogOf(page)).toContainText("Supprimer les 2 éléments sélectionnés ?");
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("2 éléments traités.")).toBeVisible();
  await expect(page.getByText("1–10 sur 10")).toBeVisible();
  await expect(page).toHaveURL((url) => !url.searchParams.has("page"));
  await rowOf(page, `${prefix} 12`).getByRole("checkbox").check();
  await expect(bar).toContainText("1 sélectionné");
  await bar.getByRole("button", { name: "Tout désélectionner" }).click();
  await expect(bar).toBeHidden();

  await page.getByRole("button", { name: "Nom" }).click();
  await expectFirst(19);
  await search(page, `${prefix} introuvable`);
  await expect(page.getByRole("cell", { name: "Aucun tag trouvé." })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await expect(page.getByLabel("Rechercher")).toHaveValue("");
  await expect(page.getByLabel("Rechercher")).toBeFocused();
});

test("a category is deleted with its products", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const name = unique("Rayon ");
  const product = await arrange(async (db) => {
    const category = await createCategory({ db, name });
    return createProduct({ db, defaultCategoryId: category.id });
  });
  await openScreen({ page, database, path: "/backoffice/category" });
  await expect(page).toHaveTitle("Gestion des catégories - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe("ID, Nom, Couleur, Produits associés, Actions");
  await failRequests({ page, path: "**/api/categories", method: "POST" });
  await page.getByRole("button", { name: "Ajouter une catégorie" }).click();
  await dialogOf(page).getByLabel("Nom").fill("Perdue");
  await dialogOf(page).getByRole("button", { name: "Ajouter" }).click();
  await expect(dialogOf(page).getByRole("alert")).toHaveText(
    "Erreur lors de la sauvegarde de la catégorie.",
  );
  await dialogOf(page).getByRole("button", { name: "Annuler" }).click();

  const row = rowOf(page, name);
  const link = row.getByRole("link", { name: `#${product.id} - ${product.name}` });
  await expect(link).toHaveAttribute("href", `/product/${product.id}`);

  await row.getByRole("button", { name: "Supprimer" }).click();
  await expect(confirmDialogOf(page)).toContainText(
    "les produits ayant cette catégorie par défaut seront également supprimés (1 produit).",
  );
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(row).toHaveCount(0);
  expect(await database.select().from(products).where(eq(products.id, product.id))).toEqual([]);

  await page.goto("/backoffice/category?search=introuvablexyz");
  const none = page.getByRole("cell", { name: "Aucune catégorie trouvée." });
  await expect(none).toBeVisible();
  // On a narrow screen, only the roles make the list a table.
  await expect(none).toHaveAttribute("role", "cell");
});
