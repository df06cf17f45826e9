import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { codeOf, isOpen, logIn, staleTokenOf, tokenOf, turnTwoFactorOn } from "../accounts";
import { expectAccessible } from "../axe";
import { openSession, pasteInto, sessionSides, storedSession } from "../browser-session";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import {
  expectNoSidewaysScroll,
  onEachDevice,
  settled,
  trackedBy,
  watchLayoutShifts,
} from "../storefront";

type User = Awaited<ReturnType<typeof createUser>>;

async function openProfile(page: Page, user: User, token?: string): Promise<void> {
  await openSession(page, user, token);
  await page.goto("/profile");
  await expect(page.getByLabel("Email")).toHaveValue(user.email);
}

/** Opens the profile in a session whose password was given more than ten minutes ago. */
const openStaleProfile = async (page: Page, user: User) =>
  openProfile(page, user, await staleTokenOf(user));

const save = (page: Page) => page.getByRole("button", { name: "Enregistrer" }).click();
const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");
const identity = (page: Page) => page.getByRole("dialog", { name: "Confirmez votre identité" });
const IDENTITY_FIRST = "Pour votre sécurité, confirmez d'abord votre identité.";

/** Types a new password, and holds the answer to its change. Returns the new token when it is saved. */
async function saveHeldPassword(page: Page) {
  const saved = deferred();
  const { promise: mayAnswer, resolve: answer } = deferred();
  let newToken = "";
  await page.route("**/api/account", async (route) => {
    const response = await route.fetch();
    newToken = (await response.json()).token;
    saved.resolve();
    await mayAnswer;
    await route.fulfill({ response });
  });
  await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
  await save(page);
  await saved.promise;
  return { newToken, answer };
}

test("the hub leads to the profile, which saves names", async ({ page, context, database: db }) => {
  const user = await createUser({ db, lastName: "Martin", firstName: "Camille" });
  await openSession(page, user);
  await test.step("the hub shows the success message of the URL as text", async () => {
    const text = "Profil <b>enregistré</b> !";
    await page.goto(`/account?success=${encodeURIComponent(text)}`);
    await expect(page.getByRole("status")).toHaveText(text);
    await expectAccessible(page);
    await expect(page).toHaveTitle("Mon compte - Mini Ecommerce");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mon compte");
    const links = page.getByRole("main").getByRole("link");
    for (const [name, href] of [
      ["Mes adresses", "/addresses"],
      ["Mes commandes", "/orders"],
    ] as const)
      await expect(links.filter({ hasText: name })).toHaveAttribute("href", href);
    await links.filter({ hasText: "Mon profil" }).click();
    await expect(page).toHaveURL("/profile");
  });
  await expect(page).toHaveTitle("Mon profil - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mon profil");
  await expect(page.getByLabel("Email")).not.toBeEditable();
  const name = page.getByLabel("Nom", { exact: true });
  await expect(name).toHaveValue("Martin");
  await expect(page.getByLabel("Prénom")).toHaveValue("Camille");
  await expectAccessible(page);
  // Only the registration requires three characters.
  await name.fill("  Ng ");
  await page.getByLabel("Prénom").fill("Li");
  await save(page);
  await expect(page.getByText("Informations mises à jour !")).toBeVisible();
  await expect(page.getByRole("button", { name: "Enregistrer" })).toBeFocused();
  expect(await storedSession(page)).toMatchObject({ userName: "Ng", userLastName: "Li" });
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByText("Bonjour Li Ng !")).toBeVisible();

  await db.update(users).set({ lastName: "Nguyen" }).where(eq(users.id, user.id));
  await page.getByLabel("Prénom").fill("Lian");
  await save(page);
  await expect(name).toHaveValue("Nguyen");
  const [row] = await db.select().from(users).where(eq(users.id, user.id));
  expect(row).toMatchObject({ lastName: "Nguyen", firstName: "Lian" });
});

test("the hub shows the last order, and nothing moves when it is known", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const shifts = await watchLayoutShifts(page);
  await openSession(page, user);
  const last = page.getByRole("region", { name: "Dernière commande" });
  const link = last.getByRole("link");
  await onEachDevice(page, async () => {
    await page.goto("/account");
    await expect(last).toContainText("Vous n’avez pas encore passé de commande.");
    await settled(page);
    expect(await shifts.list()).toEqual([]);
  });
  await expect(link).toHaveAttribute("href", "/products");

  const items = [{ product: await createProduct({ db, priceCents: 4290 }) }];
  await createOrder({ db, user, items, orderedAt: new Date("2026-03-01T10:00:00Z") });
  const { order } = await createOrder({ db, user, items });
  await onEachDevice(page, async () => {
    await page.goto("/account");
    for (const text of [order.number, "Payée", /42,90\s€/]) await expect(last).toContainText(text);
    await settled(page);
    expect(await shifts.list()).toEqual([]);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  });
  await link.filter({ hasText: "Suivre ma commande" }).click();
  await expect(page).toHaveURL(`/orders?commande=${order.number}`);
  await expect(page.getByRole("dialog")).toContainText(order.number);
});

test("an error keeps typed text and session", async ({ page, database: db, problems }) => {
  problems.allow(422, 500, 503, /ERR_FAILED/);
  const user = await createUser({ db });
  const account = "**/api/account";
  const name = page.getByLabel("Nom", { exact: true });
  const password = page.getByLabel("Mot de passe");
  await test.step("loading", async () => {
    await openSession(page, user);
    await page.route(account, (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto("/profile");
    await expect(alertOf(page)).toContainText("Impossible de charger les informations.");
    await page.unroute(account);
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(page.getByLabel("Email")).toHaveValue(user.email);
  });

  await test.step("beside the fields", async () => {
    await name.fill("");
    await password.fill("court");
    await save(page);
    await expect(name).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await expect(name).toBeFocused();
    await expect(password).toHaveAccessibleDescription(
      /^nouveau, facultatif .*au moins 8 caractères$/,
    );
    await expectAccessible(page);
  });

  await test.step("below the form", async () => {
    await name.fill("Durand");
    await password.fill("");
    for (const [answer, message] of [
      [{ status: 500, body: "" }, "Erreur lors de la mise à jour."],
      [
        { status: 422, json: { errors: { nom: "Non.", lastname: "Non plus." } } },
        /^Non\.\s*Non plus\.$/,
      ],
      [null, "Erreur lors de la mise à jour."],
    ] as const) {
      await page.route(account, (route) => (answer ? route.fulfill(answer) : route.abort()));
      await save(page);
      await expect(alertOf(page)).toHaveText(message);
    }
    await expect(name).toHaveValue("Durand");
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
    await page.unroute(account);
  });

  await test.step("what is typed during a save", async () => {
    const release = await holdRequests(page, account);
    await page.getByLabel("Prénom").fill("  Zoé ");
    await save(page);
    await expect(page.getByRole("button", { name: "Enregistrement en cours..." })).toBeDisabled();
    await name.fill("Durand-Noël");
    await password.fill("Nouveau-2026!");
    release();
    await expect(page.getByText("Informations mises à jour !")).toBeVisible();
    await expect(name).toHaveValue("Durand-Noël");
    await expect(password).toHaveValue("Nouveau-2026!");
    // An unedited field shows the saved (trimmed) value.
    await expect(page.getByLabel("Prénom")).toHaveValue("Zoé");
  });
});

test("calls that are refused while a new password is saved do not end the session", async ({
  page,
  context,
  database: db,
  problems,
}) => {
  problems.allow(401);
  await openProfile(page, await createUser({ db }));
  const { token: before } = await storedSession(page);
  const otherTab = await context.newPage();
  await otherTab.goto("/account");
  const { answer } = await saveHeldPassword(page);
  const refused = otherTab.waitForResponse((response) => {
    return response.url().includes("/api/addresses_front") && response.status() === 401;
  });
  await otherTab.getByRole("main").getByRole("link", { name: "Mes adresses" }).click();
  await refused;
  // Whatever follows from the response is under way.
  await otherTab.evaluate(() => new Promise(requestAnimationFrame));
  expect((await storedSession(page)).token).toBe(before);
  answer();
  await expect(page.getByText("Informations mises à jour !")).toBeVisible();
  await expect(otherTab.getByText("Vous n’avez pas encore d’adresse.")).toBeVisible();
  await expect(otherTab).toHaveURL("/addresses");
  expect((await storedSession(page)).token).not.toBe(before);
  await expect(page).toHaveURL("/profile");
});

test("a logout wins over a running save", async ({ page, api, database: db, problems }) => {
  problems.allow(401);
  await openProfile(page, await createUser({ db }));
  const leave = await holdRequests(page, "**/api/auth/signout");
  const { newToken, answer } = await saveHeldPassword(page);
  await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
  await expect.poll(() => storedSession(page)).toEqual({});
  answer();
  await expect.poll(() => isOpen({ api, token: newToken })).toBe(false);
  leave();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
  expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
});

test("after an old login a new password asks for the present one, and then replaces the token", async ({
  page,
  api,
  database: db,
  problems,
}) => {
  problems.allow(401, 403, 422);
  const user = await createUser({ db });
  await openStaleProfile(page, user);
  const { token: before } = await storedSession(page);
  const password = page.getByLabel("Mot de passe");
  await page.getByLabel("Nom", { exact: true }).fill("Durand");
  await password.fill("Nouveau-2026!");
  await expect(page.getByRole("meter")).toHaveAttribute("aria-valuenow", "4");
  const dialog = identity(page);
  for (const decline of [
    () => dialog.getByRole("button", { name: "Annuler" }).click(),
    () => page.keyboard.press("Escape"),
    () => dialog.getByRole("button", { name: "Fermer" }).click(),
  ]) {
    await save(page);
    await expect(dialog).toBeVisible();
    await decline();
    await expect(dialog).toBeHidden();
    await expect(alertOf(page)).toHaveText(IDENTITY_FIRST);
    await expect(password).toHaveValue("Nouveau-2026!");
    await expect(page.getByRole("button", { name: "Enregistrer" })).toBeFocused();
  }
  expect((await storedSession(page)).token).toBe(before);

  await password.press("Enter");
  const field = dialog.getByLabel("Mot de passe");
  await expect(field).toBeFocused();
  await field.press("Enter");
  await expect(field).toHaveAccessibleDescription("Ce champ est obligatoire.");
  await field.fill("Faux-2026!");
  await field.press("Enter");
  await expect(field).toHaveAccessibleDescription("Mot de passe incorrect");
  await expect(field).toBeFocused();
  await expectAccessible(page);
  await field.fill(DEFAULT_PASSWORD);
  await dialog.getByRole("button", { name: "Confirmer" }).click();
  await expect(page.getByText("Informations mises à jour !")).toBeVisible();
  await expect(dialog).toBeHidden();
  await expect(password).toHaveValue("");
  await expect(password).toBeFocused();
  const { userName } = await logIn({ api, email: user.email, password: "Nouveau-2026!" });
  expect(userName).toBe("Durand");
  await page.goto("/addresses");
  await expect(page.getByRole("button", { name: "Ajouter une adresse" })).toBeEnabled();
  await expect(page).toHaveURL("/addresses");
  expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
});

test("two-factor is switched on and off", async ({ page, database: db, problems }) => {
  problems.allow(403, 422);
  const user = await createUser({ db });
  await openStaleProfile(page, user);
  const dialog = identity(page);
  await page.getByRole("button", { name: "Activer la 2FA" }).click();
  await dialog.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
  await dialog.getByLabel("Mot de passe").press("Enter");
  const picture = page.getByRole("img", { name: /QR code/ });
  await expect(picture).toBeVisible();
  await picture.evaluate((image: HTMLImageElement) => image.decode());
  await expectFits(page);

  const secret = (await page.locator("code").textContent()) ?? "";
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const codes = await page.getByRole("main").locator("ul.font-mono li").allTextContents();
  expect(codes).toHaveLength(10);
  // A phone cannot scan its own screen.
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole("button", { name: "Copier le secret" }).click();
  await expect(page.getByText("Copié", { exact: true })).toHaveCount(1);
  expect(await copied()).toBe(secret);
  await page.getByRole("button", { name: "Copier les codes" }).click();
  await expect(page.getByText("Copié", { exact: true })).toHaveCount(2);
  expect((await copied()).split("\n")).toEqual(codes);

  const field = page.getByLabel("Code 2FA");
  await expect(field).toHaveAttribute("maxlength", "6");
  const check = page.getByRole("button", { name: "Tester le code" });
  await check.click();
  await expect(field).toHaveAccessibleDescription("Ce champ est obligatoire.");
  await field.fill("000000");
  await check.click();
  await expect(field).toHaveAccessibleDescription("Code invalide");
  // One confirmed password or code is valid for ten minutes.
  await field.fill(codeOf(secret));
  await check.click();
  await expect(page.getByText("2FA testé avec succès !")).toBeVisible();
  await expect(field).toHaveCount(0);
  await expect(picture).toHaveCount(0);
  // The focus moves from the button to the result.
  await expect(page.locator(":focus")).toContainText("2FA testé avec succès !");
  // The recovery codes are still shown; the secret is not.
  const firstCode = page.getByText(codes[0] ?? "", { exact: true });
  await expect(firstCode).toBeVisible();

  const token = await staleTokenOf(user);
  await page.evaluate((stale) => localStorage.setItem("token", stale), token);
  await page.reload();
  const deactivate = page.getByRole("button", { name: "Désactiver la 2FA" });
  await deactivate.click();
  await expect(firstCode).toHaveCount(0);
  const asked = dialog.getByLabel("Code 2FA");
  await expect(asked).toBeFocused();
  await expect(dialog.getByLabel("Mot de passe")).toHaveCount(0);
  await asked.fill("000000");
  await asked.press("Enter");
  await expect(asked).toHaveAccessibleDescription(/Code 2FA invalide$/);
  await dialog.getByRole("button", { name: "Annuler" }).click();
  await expect(alertOf(page)).toHaveText(IDENTITY_FIRST);
  await deactivate.click();
  await pasteInto(asked, codeOf(secret, 1).replace(/^.../, "$& "));
  await asked.press("Enter");
  await expect(page.getByText("2FA désactivé avec succès.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Activer la 2FA" })).toBeVisible();
  await expect(page.locator(":focus")).toContainText("2FA désactivé avec succès.");
});

test("two-factor's failures have messages", async ({ page, api, database: db, problems }) => {
  problems.allow(409, 500, /ERR_FAILED/);
  const user = await createUser({ db });
  await openProfile(page, user);
  const activate = page.getByRole("button", { name: "Activer la 2FA", exact: true });
  const deactivate = page.getByRole("button", { name: "Désactiver la 2FA" });
  await page.route("**/api/2fa/**", (route) => route.fulfill({ status: 500, body: "" }));
  await activate.click();
  await expect(alertOf(page)).toHaveText("Erreur lors de la génération du QR code");
  await expect(activate).toBeEnabled();
  await expect(activate).toBeFocused();
  await page.unroute("**/api/2fa/**");
  await activate.click();
  await page.getByLabel("Code 2FA").fill("123456");
  await page.route("**/api/2fa/verify", (route) => route.abort());
  await page.getByRole("button", { name: "Tester le code" }).click();
  await expect(alertOf(page)).toHaveText("Erreur lors du test");

  await page.reload();
  await expect(page.getByLabel("Email")).toHaveValue(user.email);
  await turnTwoFactorOn({ api, token: await tokenOf(user) });
  await page.getByLabel("Prénom").fill("Zoé");
  await activate.click();
  await expect(alertOf(page)).toHaveText("Erreur lors de la génération du QR code");
  await expect(page.getByText("Active", { exact: true })).toBeVisible();
  await expect(activate).toHaveCount(0);
  await expect(page.locator(":focus")).toContainText("Erreur lors de la génération du QR code");
  await expect(page.getByLabel("Prénom")).toHaveValue("Zoé");

  await page.route("**/api/2fa/deactivate", (route) => route.abort());
  await deactivate.click();
  await expect(alertOf(page)).toHaveText("Erreur lors de la désactivation");
  await expect(deactivate).toBeEnabled();
});

test.describe("the end of an account", () => {
  test("deletion asks for the word and for the password, then leads home", async ({
    page,
    database: db,
    problems,
  }) => {
    // The confirmation gives a new token. The cart is fetched with it while the account is deleted.
    problems.allow(403, 422, 500, { status: 401, path: "/api/cart" });
    const user = await createUser({ db });
    await createAddress({ db, userId: user.id });
    await openStaleProfile(page, user);
    const opener = page.getByRole("button", { name: "Supprimer définitivement mon compte" });
    await opener.click();
    const dialog = page.getByRole("dialog", { name: "Supprimer définitivement mon compte" });
    await expect(dialog).toContainText(
      "téléchargez d’abord les fichiers et les factures que vous voulez garder",
    );
    await expect(dialog).toContainText("Seules les factures de vos achats restent archivées");
    const word = dialog.getByRole("textbox");
    await expect(word).toBeFocused();
    await expectAccessible(page);
    await dialog.getByRole("button", { name: "Annuler" }).click();
    await expect(dialog).toBeHidden();
    await expect(opener).toBeFocused();

    await opener.click();
    for (const wrong of ["", "supprimer", "SUPPRIMER "]) {
      await word.fill(wrong);
      await word.press("Enter");
      await expect(word).toHaveAccessibleDescription(
        "Confirmation incorrecte. Votre compte n'a pas été supprimé.",
      );
    }
    await expectAccessible(page);

    await word.fill("SUPPRIMER");
    const confirm = dialog.getByRole("button", { name: "Supprimer définitivement" });
    const call = "**/api/account/delete/hard";
    for (const [answer, message] of [
      [{ status: 500, body: "" }, "Erreur lors de la suppression du compte."],
      [{ status: 422, json: { errors: { general: "Pas maintenant." } } }, "Pas maintenant."],
    ] as const) {
      await page.route(call, (route) => route.fulfill(answer));
      await confirm.click();
      await expect(dialog.getByRole("alert")).toHaveText(message);
    }
    await page.unroute(call);

    await confirm.click();
    await expect(identity(page).getByLabel("Mot de passe")).toBeFocused();
    // Escape closes only the question, however often it is pressed at once.
    await page.keyboard.press("Escape");
    await expect(identity(page)).toBeHidden();
    await expect(dialog.getByRole("alert")).toHaveText(IDENTITY_FIRST);
    await expect(word).toHaveValue("SUPPRIMER");
    expect(await db.$count(users, eq(users.id, user.id))).toBe(1);
    await confirm.click();
    await identity(page).getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
    await identity(page).getByRole("button", { name: "Confirmer" }).click();
    await expect(page).toHaveURL("/");
    await expect(page.getByText("Créer un compte et rejoignez-nous !")).toBeVisible();
    await expect(
      page.getByText("Votre compte a été supprimé. Un message de confirmation vous est envoyé."),
    ).toBeVisible();
    expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
    expect(await storedSession(page)).toEqual({});
    expect(await db.$count(users, eq(users.id, user.id))).toBe(0);
  });

  test("deactivation keeps the data, and is tracked", async ({ page, database: db, problems }) => {
    problems.allow(500, { status: 401, path: "/api/cart" });
    const user = await createUser({ db });
    await openProfile(page, user);
    await page.getByRole("button", { name: "Désactiver mon compte" }).click();
    const dialog = page.getByRole("dialog", { name: "Désactiver mon compte" });
    await dialog.getByLabel("Tapez SUPPRIMER pour confirmer").fill("SUPPRIMER");
    const confirm = dialog.getByRole("button", { name: "Désactiver", exact: true });
    const call = "**/api/account/delete/soft";
    await page.route(call, (route) => route.fulfill({ status: 500, body: "" }));
    await confirm.click();
    await expect(dialog.getByRole("alert")).toHaveText(
      "Erreur lors de la désactivation du compte.",
    );
    await page.unroute(call);
    // The event is in the queue when the session's end begins, before the next page has another queue.
    const release = await holdRequests(page, "**/api/auth/**");
    await confirm.click();
    await expect
      .poll(() => trackedBy(page))
      .toContainEqual(["trackEvent", "Compte", "Suppression", "compte", undefined]);
    release();
    await expect(page).toHaveURL("/");
    await expect(
      page.getByText("Votre compte a été désactivé. Un message de confirmation vous est envoyé."),
    ).toBeVisible();
    // The message is shown once.
    const kept = await page.evaluate(() => Object.keys(sessionStorage));
    expect(kept).not.toContain("accountClosing");
    const rows = await db.select().from(users).where(eq(users.id, user.id));
    expect(rows).toMatchObject([{ isDeleted: true, email: user.email }]);
  });
});
