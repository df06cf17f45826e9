import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createAddress, createUser } from "@/db/factories/people";
import { addresses } from "@/db/schema/addresses";
import { expectAccessible } from "../axe";
import { openSession, sessionSides } from "../browser-session";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { trackedBy, WIDTHS } from "../storefront";

type User = Awaited<ReturnType<typeof createUser>>;

async function openAddresses(page: Page, user: User): Promise<void> {
  await openSession(page, user);
  await page.goto("/addresses");
  await expect(page.getByRole("button", { name: "Ajouter une adresse" })).toBeEnabled();
}

/** The card of an address, by its street. */
const card = (page: Page, street: string) => page.getByRole("article").filter({ hasText: street });
const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

async function fill(
  page: Page,
  { street = "3 rue Haute", city = "Nantes", postalCode = "44000" } = {},
): Promise<void> {
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Rue").fill(street);
  await dialog.getByLabel("Code postal").fill(postalCode);
  await dialog.getByLabel("Ville").fill(city);
}

test("addresses are added, changed and deleted", async ({ page, database: db }) => {
  const user = await createUser({ db });
  await openAddresses(page, user);
  await expect(page).toHaveTitle("Mes adresses - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mes adresses");
  await expect(page.getByText("Vous n’avez pas encore d’adresse.")).toBeVisible();
  await expectAccessible(page);

  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByLabel("Rue")).toBeFocused();
  await expect(dialog.getByLabel("Type d’adresse")).toHaveValue("shipping");
  await expectAccessible(page);
  await dialog.getByLabel("Ville").press("Enter");
  await expect(dialog.getByLabel("Rue")).toBeFocused();
  await fill(page);
  await dialog.getByRole("button", { name: "Ajouter" }).click();
  await expect(page.getByText("Adresse ajoutée avec succès!")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(card(page, "3 rue Haute")).toContainText("44000 Nantes");
  await expect(card(page, "3 rue Haute")).toContainText("Livraison");
  await expect(page.getByRole("button", { name: "Ajouter une adresse" })).toBeFocused();
  const own = () => db.select().from(addresses).where(eq(addresses.userId, user.id));
  expect(await own()).toMatchObject([
    { street: "3 rue Haute", city: "Nantes", postalCode: "44000", type: "shipping" },
  ]);

  await card(page, "3 rue Haute").getByRole("button", { name: "Modifier" }).click();
  await expect(dialog.getByLabel("Rue")).toHaveValue("3 rue Haute");
  await expect(dialog.getByLabel("Ville")).toHaveValue("Nantes");
  await db.update(addresses).set({ postalCode: "44100" }).where(eq(addresses.userId, user.id));
  await dialog.getByLabel("Rue").fill("5 rue Basse");
  await dialog.getByLabel("Type d’adresse").selectOption("Facturation");
  await dialog.getByLabel("Adresse de facturation par défaut").check();
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Adresse mise à jour avec succès!")).toBeVisible();
  await expect(card(page, "5 rue Basse")).toContainText("Facturation");
  await expect(card(page, "5 rue Basse")).toContainText("Par défaut");
  expect(await own()).toMatchObject([
    { street: "5 rue Basse", postalCode: "44100", type: "billing", isDefaultBilling: true },
  ]);

  const remove = card(page, "5 rue Basse").getByRole("button", { name: "Supprimer" });
  await remove.click();
  await expect(dialog).toContainText("5 rue Basse");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Annuler" }).click();
  await expect(remove).toBeFocused();
  await remove.click();
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await expect(page.getByText("Adresse supprimée avec succès!")).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect
    .poll(() => trackedBy(page))
    .toContainEqual(["trackEvent", "Compte", "Suppression", "adresse", undefined]);
  // The button that opened the dialog no longer exists.
  await expect(page.locator("main")).toBeFocused();
  expect(await own()).toEqual([]);
});

test("the list has filters, and one default of each type", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const add = (street: string, values: Partial<typeof addresses.$inferInsert> = {}) =>
    createAddress({ db, userId: user.id, street, ...values });
  await add("1 rue Une", { isDefault: true });
  await add("2 rue Deux");
  await add("3 rue Trois", { type: "billing", isDefaultBilling: true });
  await add("4 rue Quatre", { type: "billing" });
  await openAddresses(page, user);
  const defaults = async () => {
    const texts = await page.getByRole("article").allTextContents();
    return texts
      .filter((text) => /^(?:Livraison|Facturation)Par défaut/.test(text))
      .map((text) => /\d rue [A-Z][a-z]+/.exec(text)?.[0]);
  };
  const filter = page.getByRole("group", { name: "Filtrer les adresses" });
  for (const [label, streets] of [
    ["Livraison", ["1 rue Une", "2 rue Deux"]],
    ["Facturation", ["3 rue Trois", "4 rue Quatre"]],
    ["Toutes", ["1 rue Une", "2 rue Deux", "3 rue Trois", "4 rue Quatre"]],
  ] as const) {
    const button = filter.getByRole("button", { name: label });
    await button.click();
    await expect(button).toHaveAttribute("aria-pressed", "true");
    await expect(page.getByRole("article")).toHaveCount(streets.length);
    for (const street of streets) await expect(card(page, street)).toBeVisible();
  }
  expect(await defaults()).toEqual(["1 rue Une", "3 rue Trois"]);
  await expect(
    card(page, "1 rue Une").getByRole("button", { name: "Définir par défaut" }),
  ).toHaveCount(0);

  await card(page, "2 rue Deux").getByRole("button", { name: "Définir par défaut" }).click();
  await expect(page.getByText("Adresse par défaut mise à jour avec succès!")).toBeVisible();
  await expect.poll(defaults).toEqual(["2 rue Deux", "3 rue Trois"]);
  // The button disappears from the default address, so the card gets the focus.
  await expect(card(page, "2 rue Deux")).toBeFocused();

  // A late response does not close a dialog that was opened since.
  const release = await holdRequests(page, "**/api/addresses_front/*/default-billing");
  await card(page, "4 rue Quatre").getByRole("button", { name: "Définir par défaut" }).click();
  await card(page, "4 rue Quatre").getByRole("button", { name: "Modifier" }).click();
  const city = page.getByRole("dialog").getByLabel("Ville");
  await city.fill("Rezé");
  release();
  await expect(
    page.getByText("Adresse de facturation par défaut mise à jour avec succès!"),
  ).toBeVisible();
  await expect(city).toHaveValue("Rezé");
  await page.getByRole("button", { name: "Annuler" }).click();
  await expect.poll(defaults).toEqual(["2 rue Deux", "4 rue Quatre"]);
});

test("the postal code is checked on leaving it", async ({ page, database: db }) => {
  await page.setViewportSize({ width: WIDTHS.tablet, height: 900 });
  await openAddresses(page, await createUser({ db }));
  let requests = 0;
  await page.route("**/api/addresses_front", (route) => {
    if (route.request().method() === "POST") requests++;
    return route.continue();
  });
  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  const dialog = page.getByRole("dialog");
  const postalCode = dialog.getByLabel("Code postal");
  const add = dialog.getByRole("button", { name: "Ajouter" });
  const wrong = "Le code postal doit être valide (format: 12345 ou 12345-6789).";

  await postalCode.fill("7500");
  await expect(postalCode).not.toHaveAttribute("aria-invalid");
  await postalCode.blur();
  await expect(postalCode).toHaveAccessibleDescription(wrong);
  await expect(add).toBeDisabled();
  await expectAccessible(page);
  await postalCode.fill("");
  await postalCode.blur();
  await expect(postalCode).toHaveAccessibleDescription("Le code postal ne doit pas être vide.");
  // A corrected value enables the button before the field is blurred.
  await postalCode.fill("75001-1234");
  await expect(postalCode).not.toHaveAttribute("aria-invalid");
  await expect(add).toBeEnabled();
  await postalCode.fill("75001");
  await postalCode.blur();
  await add.click();
  for (const label of ["Rue", "Ville"])
    await expect(dialog.getByLabel(label)).toHaveAccessibleDescription("Ce champ est obligatoire.");
  await expect(add).toBeDisabled();
  await dialog.getByLabel("Rue").fill("1 rue");
  await dialog.getByLabel("Ville").fill("Paris");
  await expect(add).toBeEnabled();
  expect(requests).toBe(0);

  /** Presses as a hand does: the page renders between mousedown and mouseup. */
  async function press(target: Locator): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error("There is nothing to be pressed.");
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await expect(postalCode).not.toBeFocused();
    await page.evaluate(
      () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
    );
    await page.mouse.up();
  }
  const byDefault = dialog.getByLabel("Adresse de livraison par défaut");
  await postalCode.fill("123");
  await press(byDefault);
  await expect(byDefault).toBeChecked();
  await expect(postalCode).toHaveAccessibleDescription(wrong);
  for (const [name, typed] of [
    ["Annuler", ""],
    ["Fermer", "123"],
  ] as const) {
    await postalCode.fill(typed);
    await postalCode.focus();
    await press(dialog.getByRole("button", { name }));
    await expect(dialog).toBeHidden();
    await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  }
});

test("failures keep the typed text", async ({ page, database: db, problems }) => {
  problems.allow(422, 500, /ERR_FAILED/);
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id, street: "1 rue Une" });
  await createAddress({ db, userId: user.id, street: "2 rue Deux", type: "billing" });
  const list = "**/api/addresses_front";
  await openSession(page, user);
  await page.route(list, (route) => route.fulfill({ status: 500, body: "" }));
  await page.goto("/addresses");
  await expect(alertOf(page)).toHaveText("Impossible de charger les adresses.");
  await expectAccessible(page);
  await page.unroute(list);
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect(page.getByRole("article")).toHaveCount(2);

  const dialog = page.getByRole("dialog");
  const opener = page.getByRole("button", { name: "Ajouter une adresse" });
  const add = dialog.getByRole("button", { name: "Ajouter" });
  const { promise: mayAnswer, resolve: answer } = deferred();
  const refuse = (status: number, json: object) =>
    page.route(list, async (route) => {
      if (route.request().method() === "GET") return route.continue();
      await mayAnswer;
      await route.fulfill({ status, json });
    });
  await opener.click();
  await fill(page);
  await refuse(422, { errors: { city: "Ville refusée." } });
  await add.click();
  await expect(dialog.getByRole("button", { name: "Fermer" })).toBeDisabled();
  // For the second key the browser closes the dialog without a `cancel` event.
  for (let press = 0; press < 3; press++) await page.keyboard.press("Escape");
  await expect(dialog).toBeVisible();
  answer();
  await expect(dialog.getByLabel("Ville")).toHaveAccessibleDescription("Ville refusée.");
  await dialog.getByLabel("Ville").fill("Rezé");
  await refuse(422, { errors: { street: "Rue refusée.", city: "Ville refusée." } });
  await add.click();
  await expect(dialog.getByRole("alert")).toHaveText(/^Rue refusée\.\s*Ville refusée\.$/);
  await refuse(500, {});
  await add.click();
  await expect(dialog.getByRole("alert")).toHaveText(
    "Erreur lors de l'enregistrement de l'adresse.",
  );
  await expect(dialog.getByLabel("Rue")).toHaveValue("3 rue Haute");
  // The unlocked dialog closes, even if the second key sends no `cancel` event, and can be opened again.
  for (let press = 0; press < 2; press++) await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await opener.click();
  await expect(dialog.getByLabel("Rue")).toHaveValue("");
  await page.keyboard.press("Escape");

  await page.route(`${list}/**`, (route) => route.abort());
  const button = (street: string, name: string) => card(page, street).getByRole("button", { name });
  await button("1 rue Une", "Supprimer").click();
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Erreur lors de la suppression de l'adresse.");
  await expect(dialog.getByRole("button", { name: "Supprimer" })).toBeFocused();
  await dialog.getByRole("button", { name: "Annuler" }).click();
  await button("1 rue Une", "Définir par défaut").click();
  await expect(alertOf(page)).toHaveText("Erreur lors de la mise à jour de l'adresse par défaut.");
  await button("2 rue Deux", "Définir par défaut").click();
  await expect(alertOf(page)).toHaveText(
    "Erreur lors de la mise à jour de l'adresse de facturation par défaut.",
  );
  expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });

  await test.step("a change is shown although the list cannot be loaded again", async () => {
    await page.unroute(`${list}/**`);
    await page.route(list, (route) => route.fulfill({ status: 500, json: {} }));
    await button("1 rue Une", "Définir par défaut").click();
    await expect(page.getByText("Adresse par défaut mise à jour avec succès!")).toBeVisible();
    await expect(card(page, "1 rue Une")).toContainText("Par défaut");
    await button("2 rue Deux", "Supprimer").click();
    await dialog.getByRole("button", { name: "Supprimer" }).click();
    await expect(page.getByText("Adresse supprimée avec succès!")).toBeVisible();
    await expect(card(page, "2 rue Deux")).toHaveCount(0);
  });
});

test("the addresses fit narrow and wide windows", async ({ page, database: db }) => {
  const user = await createUser({ db });
  await createAddress({ db, userId: user.id, type: "billing", street: "a".repeat(120) });
  for (let i = 1; i <= 6; i++)
    await createAddress({ db, userId: user.id, street: `${i} rue Longue`, isDefault: i === 1 });
  await openAddresses(page, user);
  await expectFits(page);
  await page.setViewportSize({ width: WIDTHS.phone, height: 640 });
  await card(page, "6 rue Longue").getByRole("button", { name: "Définir par défaut" }).click();
  await expect(page.getByText("Adresse par défaut mise à jour avec succès!")).toBeInViewport({
    ratio: 1,
  });
  await expect(card(page, "6 rue Longue")).toBeInViewport();
  await page.getByRole("button", { name: "Ajouter une adresse" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await expectFits(page);
});
