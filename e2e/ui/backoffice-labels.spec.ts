import { readFile } from "node:fs/promises";
import { eq } from "drizzle-orm";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
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

test("a row being deleted shows a spinner; failures of a deletion and of a list are shown", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(409, 500);
  const tag = await createTag({ db: database, name: unique("Lent ") });
  await openScreen({ page, database, path: `/backoffice/tags?search=${tag.name}` });
  const row = rowOf(page, tag.name);
  const alert = page.getByRole("main").getByRole("alert");
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

  // A view that cannot be loaded shows no rows of the former view.
  await page.reload();
  await expect(row).toHaveCount(1);
  await page.route("**/api/tags?*", (route) => route.fulfill({ status: 500, json: {} }));
  await page.getByRole("button", { name: "Nom" }).click();
  await expect(alert).toContainText("La liste n’a pas pu être chargée.");
  await expect(row).toHaveCount(0);
  await expect(page.getByText("1–1 sur 1")).toHaveCount(0);
  await expectAccessible(page);
  await page.unroute("**/api/tags?*");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect(row).toHaveCount(1);
});

test("violations are shown in a red list, a fault as the screen's message; a form is sent once", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(422, 500);
  await openScreen({ page, database, path: "/backoffice/tags" });
  await page.getByRole("button", { name: "Ajouter un tag" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter" });
  await submit.click();
  await expect(form.getByText("Ce champ est obligatoire.")).toBeVisible();
  await expect(form.getByLabel("Nom")).toBeFocused();
  await expect(form.getByLabel("Nom")).toHaveAttribute("aria-invalid", "true");

  await form.getByLabel("Nom").fill("a".repeat(300));
  await submit.click();
  await expect(form.getByRole("alert").getByRole("listitem")).toHaveCount(1);
  await expect(form.getByRole("alert")).toContainText("au plus");
  await expectAccessible(page);

  await failRequests({ page, path: "**/api/tags", method: "POST" });
  await form.getByLabel("Nom").fill("Court");
  await submit.click();
  await expect(form.getByRole("alert")).toHaveText("Erreur lors de la sauvegarde du tag.");
  await expect(form.getByLabel("Nom")).toHaveValue("Court");
  await page.unroute("**/api/tags");

  const { promise, resolve: answer } = deferred();
  let count = 0;
  await page.route("**/api/tags", async (route) => {
    if (route.request().method() !== "POST") return route.fallback();
    count += 1;
    await promise;
    return route.fallback();
  });
  const name = unique("Unique ");
  await form.getByLabel("Nom").fill(name);
  await form.getByLabel("Nom").press("Enter");
  await expect(form.getByRole("button", { name: "Ajout en cours..." })).toBeDisabled();
  await form.getByLabel("Nom").press("Enter");
  await page.keyboard.press("Escape");
  await expect(form).toBeVisible();
  answer();
  await expect(form).toBeHidden();
  await expect(rowOf(page, name)).toHaveCount(1);
  expect(count).toBe(1);
});

test("buttons close at once; Escape asks before it discards typed text", async ({
  page,
  database,
}) => {
  await openScreen({ page, database, path: "/backoffice/tags" });
  const add = page.getByRole("button", { name: "Ajouter un tag" });
  const form = dialogOf(page);
  const open = async (name: string) => {
    await add.click();
    await form.getByLabel("Nom").fill(name);
  };
  const expectClosed = async () => {
    await expect(confirmDialogOf(page)).toBeHidden();
    await expect(form).toBeHidden();
    await expect(add).toBeFocused();
  };
  for (const name of ["Annuler", "Fermer"]) {
    await open("Brouillon");
    await form.getByRole("button", { name }).click();
    await expectClosed();
  }
  await open("");
  await page.keyboard.press("Escape");
  await expectClosed();

  await open("Brouillon");
  await page.keyboard.press("Escape");
  await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications ?");
  const stay = confirmDialogOf(page).getByRole("button", { name: "Continuer la saisie" });
  await expect(stay).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(confirmDialogOf(page)).toBeHidden();
  await expect(form.getByLabel("Nom")).toHaveValue("Brouillon");
  await page.keyboard.press("Escape");
  await confirmDialogOf(page).getByRole("button", { name: "Abandonner" }).click();
  await expectClosed();

  // Escape cancels the confirmation as soon as it has the focus. Only microtasks run between the two
  // keys: React's renders of lower priority come later.
  await open("Brouillon");
  const isOpened = await page.evaluate(async () => {
    const press = () =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true }),
      );
    const isFocused = () => document.activeElement?.closest('[role="alertdialog"]') != null;
    press();
    for (let microtask = 0; microtask < 1_000 && !isFocused(); microtask++) await null;
    const isOpened = isFocused();
    press();
    return isOpened;
  });
  expect(isOpened).toBe(true);
  await expect(confirmDialogOf(page)).toBeHidden();
  await expect(form.getByLabel("Nom")).toHaveValue("Brouillon");
  await expect(form.getByLabel("Nom")).toBeFocused();
});

test("leaving a changed form by Back or a reload asks first", async ({ page, database }) => {
  await openScreen({ page, database, path: "/backoffice/tags" });
  const menu = page.getByRole("navigation", { name: "Menu du back office" });
  await menu.getByRole("link", { name: "Catégories" }).click();
  await expect(page).toHaveURL("/backoffice/category");
  const form = dialogOf(page);
  const add = page.getByRole("button", { name: "Ajouter une catégorie" });
  // `page.goBack` would wait for a navigation that does not happen here.
  const goBack = () => page.evaluate(() => window.history.back());
  await add.click();
  await form.getByLabel("Nom").fill("Brouillon");
  for (const answer of ["Continuer la saisie", "Abandonner"]) {
    await goBack();
    await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications ?");
    await expect(page).toHaveURL("/backoffice/category");
    // Another Back keeps the question open.
    await goBack();
    await expect(page).toHaveURL("/backoffice/category");
    await confirmDialogOf(page).getByRole("button", { name: answer }).click();
    await expect(confirmDialogOf(page)).toBeHidden();
    if (answer === "Abandonner") break;
    await expect(form.getByLabel("Nom")).toHaveValue("Brouillon");

    const asked = page.waitForEvent("dialog");
    const reloaded = page.evaluate(() => window.location.reload());
    const dialog = await asked;
    expect(dialog.type()).toBe("beforeunload");
    await dialog.dismiss();
    await reloaded;
    await expect(form.getByLabel("Nom")).toHaveValue("Brouillon");
  }
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

test("a form whose login was declined can be saved after a login in another tab", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(401);
  const tag = await createTag({ db: database, name: unique("Session ") });
  const admin = await openScreen({ page, database, path: `/backoffice/tags?search=${tag.name}` });
  const form = dialogOf(page);
  await rowOf(page, tag.name).getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Nom").fill(`${tag.name} bis`);
  await page.evaluate(() => localStorage.setItem("token", "revoked"));
  const save = form.getByRole("button", { name: "Enregistrer" });
  await save.click();
  const asked = page.waitForEvent("dialog");
  const login = page.getByRole("dialog", { name: "Reconnectez-vous" });
  // The `beforeunload` dialog may block the click until it is answered.
  const declined = login.getByRole("button", { name: "Annuler" }).click();
  const dialog = await asked;
  expect(dialog.type()).toBe("beforeunload");
  await dialog.dismiss();
  await declined;
  await expect(form.getByRole("alert")).toHaveText(
    "Votre session a expiré. Pour garder ce que vous avez saisi, restez sur cette page, reconnectez-vous dans un autre onglet, puis enregistrez.",
  );
  await expect(form.getByLabel("Nom")).toHaveValue(`${tag.name} bis`);

  const tab = await page.context().newPage();
  await tab.goto("/login");
  await submitLogin({ page: tab, email: admin.email });
  await expect(tab).toHaveURL("/");
  await save.click();
  await expect(page.getByText("Modification enregistrée.")).toBeVisible();
  await expect(rowOf(page, `${tag.name} bis`)).toBeVisible();
});

test("search, order, page and page size are in the URL", async ({ page, database }) => {
  const prefix = unique("Page ");
  for (let number = 10; number < 22; number++)
    await createTag({ db: database, name: `${prefix} ${number}` });
  await openScreen({ page, database, path: "/backoffice/tags" });
  await search(page, prefix);
  await page.getByLabel("Lignes par page").selectOption("10");
  const names = () => page.getByRole("row").filter({ hasText: prefix }).allTextContents();
  const range = page.getByText("1–10 sur 12");
  await expect(range).toBeVisible();
  // Screen readers announce the result of a page, a search or a filter.
  await expect(range).toHaveAttribute("aria-live", "polite");
  expect((await names())[0]).toContain(`${prefix} 21`);

  await page.getByRole("button", { name: "Nom" }).click();
  await expect(page.getByRole("columnheader", { name: "Nom" })).toHaveAttribute(
    "aria-sort",
    "ascending",
  );
  await expect.poll(async () => (await names())[0]).toContain(`${prefix} 10`);
  await page.getByRole("link", { name: "Page 2", exact: true }).click();
  await expect(page.getByText("11–12 sur 12")).toBeVisible();
  await expect.poll(async () => (await names()).length).toBe(2);
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
  await page.getByRole("button", { name: "Supprimer la sélection" }).click();
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("1–10 sur 10")).toBeVisible();
  await expect(page).toHaveURL((url) => !url.searchParams.has("page"));

  await page.getByRole("button", { name: "Nom" }).click();
  await expect.poll(async () => (await names())[0]).toContain(`${prefix} 19`);

  await search(page, `${prefix} introuvable`);
  await expect(page.getByRole("cell", { name: "Aucun tag trouvé." })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Effacer les filtres" }).click();
  await expect(page.getByLabel("Rechercher")).toHaveValue("");
  await expect(page.getByLabel("Rechercher")).toBeFocused();
});

test("several rows are deleted at once, and exported", async ({ page, database }) => {
  const prefix = unique("Lot ");
  for (const number of [1, 2, 3]) await createTag({ db: database, name: `${prefix} ${number}` });
  await openScreen({ page, database, path: "/backoffice/tags" });
  await search(page, prefix);

  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Exporter (CSV)" }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(/^tags-\d{4}-\d\d-\d\d\.csv$/);
  expect(await readFile(await file.path(), "utf8")).toContain(`${prefix} 3`);

  await rowOf(page, `${prefix} 1`).getByRole("checkbox").check();
  await rowOf(page, `${prefix} 3`).getByRole("checkbox").check();
  const bar = page.getByRole("group", { name: "Actions sur la sélection" });
  await expect(bar).toContainText("2 sélectionnés");
  await bar.getByRole("button", { name: "Supprimer la sélection" }).click();
  await expect(confirmDialogOf(page)).toContainText("Supprimer les 2 éléments sélectionnés ?");
  await confirmDialogOf(page).getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("2 éléments traités.")).toBeVisible();
  await expect(rowOf(page, prefix)).toHaveCount(1);
  await expect(rowOf(page, `${prefix} 2`)).toHaveCount(1);

  await page.getByRole("checkbox", { name: "Tout sélectionner" }).check();
  await expect(bar).toContainText("1 sélectionné");
  await bar.getByRole("button", { name: "Tout désélectionner" }).click();
  await expect(bar).toBeHidden();
});

test("the second of two concurrent saves shows both versions to choose from", async ({
  page,
  database,
  problems,
}) => {
  problems.allow(409);
  const tag = await createTag({ db: database, name: unique("Double "), color: "#112233" });
  await openScreen({ page, database, path: "/backoffice/tags" });
  const form = dialogOf(page);
  const open = () => rowOf(page, tag.name).getByRole("button", { name: "Modifier" }).click();
  const saveElsewhere = (color: string) =>
    page.evaluate(
      async ({ id, color }) => {
        await fetch(`/api/tags/${id}`, {
          method: "PUT",
          headers: {
            Authorization: `Bearer ${localStorage.getItem("token")}`,
            "Content-Type": "application/json",
          },
          body: JSON.stringify({ color }),
        });
      },
      { id: tag.id, color },
    );

  await open();
  await saveElsewhere("#445566");
  await form.getByLabel("Couleur").fill("#778899");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(form.getByRole("alert")).toContainText("modifié entre-temps");
  const versions = form.getByRole("region", { name: "Comparer les deux versions" });
  await expect(versions.getByRole("row").nth(1)).toContainText("Couleur#778899#445566");
  await expectAccessible(page);
  await versions.getByRole("button", { name: "Reprendre la version enregistrée" }).click();
  await expect(form.getByLabel("Couleur")).toHaveValue("#445566");

  await saveElsewhere("#000000");
  await form.getByLabel("Couleur").fill("#ffffff");
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await versions.getByRole("button", { name: "Garder ma version" }).click();
  await expect(form).toBeHidden();
  await expect(rowOf(page, tag.name)).toContainText("#ffffff");
});

test("deleting a category names the products that are deleted with it", async ({
  page,
  database,
  arrange,
  problems,
}) => {
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
