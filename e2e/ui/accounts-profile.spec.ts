import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import jsQR from "jsqr";
import sharp from "sharp";
import { createAddress, createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { codeOf, isOpen, logIn, staleTokenOf, tokenOf, turnTwoFactorOn } from "../accounts";
import { expectAccessible } from "../axe";
import { openSession, pasteInto, sessionSides, storedSession } from "../browser-session";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests } from "../hold-requests";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

type User = Awaited<ReturnType<typeof createUser>>;

async function openProfile(page: Page, user: User): Promise<void> {
  await openSession(page, user);
  await page.goto("/profile");
  await expect(page.getByLabel("Email")).toHaveValue(user.email);
}

const save = (page: Page) => page.getByRole("button", { name: "Enregistrer" }).click();
const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

test("the account's hub leads to its pages, and shows the success message of the URL as text", async ({
  page,
  database: db,
}) => {
  await openSession(page, await createUser({ db }));
  const text = "Profil <b>enregistré</b> !";
  await page.goto(`/account?success=${encodeURIComponent(text)}`);
  await expect(page.getByRole("status")).toHaveText(text);
  await expectAccessible(page);
  await page.goto("/account");
  await expect(page).toHaveURL("/account");
  await expect(page).toHaveTitle("Mon compte - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mon compte");
  for (const [name, href] of [
    ["Mon profil", "/profile"],
    ["Mes adresses", "/addresses"],
    ["Mes commandes", "/orders"],
  ] as const)
    await expect(page.getByRole("main").getByRole("link", { name })).toHaveAttribute("href", href);
  await expect(page.getByRole("status")).toHaveCount(0);
});

test.describe("personal data", () => {
  test("changed names are saved, and updated in the browser's session; a save undoes nothing else", async ({
    page,
    context,
    database: db,
  }) => {
    const user = await createUser({ db, lastName: "Martin", firstName: "Camille" });
    await openProfile(page, user);
    await expect(page).toHaveTitle("Mon profil - Mini Ecommerce");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Mon profil");
    await expect(page.getByLabel("Email")).not.toBeEditable();
    await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Martin");
    await expect(page.getByLabel("Prénom")).toHaveValue("Camille");
    await expectAccessible(page);
    // Only the registration requires three characters.
    await page.getByLabel("Nom", { exact: true }).fill("  Ng ");
    await page.getByLabel("Prénom").fill("Li");
    await save(page);
    await expect(page.getByText("Informations mises à jour !")).toBeVisible();
    await expect(page.getByRole("button", { name: "Enregistrer" })).toBeFocused();
    expect(await storedSession(page)).toMatchObject({ userName: "Ng", userLastName: "Li" });

    // Names can be saved even while another tab changes the password.
    const other = await context.newPage();
    await other.goto("/");
    await expect(other.getByText("Bonjour Li Ng !")).toBeVisible();
    await other.evaluate(() => {
      void navigator.locks.request("token", () => new Promise(() => undefined));
    });
    await db.update(users).set({ lastName: "Nguyen" }).where(eq(users.id, user.id));
    await page.getByLabel("Prénom").fill("Lian");
    await save(page);
    await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Nguyen");
    const [row] = await db.select().from(users).where(eq(users.id, user.id));
    expect(row).toMatchObject({ lastName: "Nguyen", firstName: "Lian" });
  });

  test("a new password replaces the token, and keeps the user logged in", async ({
    page,
    database: db,
    problems,
  }) => {
    // A call may still be under way with the former token.
    problems.allow(401);
    await openProfile(page, await createUser({ db }));
    const { token: before = "" } = await storedSession(page);
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await expect(page.getByRole("meter")).toHaveAttribute("aria-valuenow", "4");
    await save(page);
    await expect(page.getByText("Informations mises à jour !")).toBeVisible();
    await expect(page.getByLabel("Mot de passe")).toHaveValue("");
    const { token: after = "" } = await storedSession(page);
    expect(after).not.toBe(before);
    await page.goto("/addresses");
    await expect(page.getByRole("button", { name: "Ajouter une adresse" })).toBeEnabled();
    await expect(page).toHaveURL("/addresses");
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });

  test("errors are shown beside their fields, and the typed text is kept", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(422, 500, 429, /ERR_FAILED/);
    await openProfile(page, await createUser({ db }));
    const name = page.getByLabel("Nom", { exact: true });
    await name.fill("");
    await page.getByLabel("Mot de passe").fill("court");
    await save(page);
    await expect(name).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await expect(name).toBeFocused();
    await expect(page.getByLabel("Mot de passe")).toHaveAccessibleDescription(
      /^facultatif .*au moins 8 caractères$/,
    );
    await expectAccessible(page);

    await name.fill("Durand");
    await page.getByLabel("Mot de passe").fill("");
    await page.route("**/api/account", (route) =>
      route.fulfill({ status: 422, json: { errors: { nom: "Non.", lastname: "Non plus." } } }),
    );
    await save(page);
    await expect(alertOf(page)).toHaveText(/^Non\.\s*Non plus\.$/);
    await page.route("**/api/account", (route) => route.fulfill({ status: 500, body: "" }));
    await save(page);
    await expect(alertOf(page)).toHaveText("Erreur lors de la mise à jour.");
    await page.route("**/api/account", (route) => route.abort());
    // The message of the previous attempt is removed when this one starts.
    const broken = page.waitForEvent("requestfailed");
    await save(page);
    await broken;
    await expect(alertOf(page)).toHaveText("Erreur lors de la mise à jour.");
    await expect(name).toHaveValue("Durand");
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });

  test("text that is typed during a save is kept", async ({ page, database: db }) => {
    await openProfile(page, await createUser({ db, lastName: "Martin" }));
    const release = await holdRequests(page, "**/api/account");
    const name = page.getByLabel("Nom", { exact: true });
    await name.fill("Durand");
    await page.getByLabel("Prénom").fill("  Zoé ");
    await save(page);
    await expect(page.getByRole("button", { name: "Enregistrement en cours..." })).toBeDisabled();
    await name.fill("Durand-Noël");
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    release();
    await expect(page.getByText("Informations mises à jour !")).toBeVisible();
    await expect(name).toHaveValue("Durand-Noël");
    await expect(page.getByLabel("Mot de passe")).toHaveValue("Nouveau-2026!");
    // An unedited field shows the saved (trimmed) value.
    await expect(page.getByLabel("Prénom")).toHaveValue("Zoé");
    await save(page);
    await expect(page.getByLabel("Mot de passe")).toHaveValue("");
    await page.reload();
    await expect(name).toHaveValue("Durand-Noël");
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
    const saved = deferred();
    const { promise: mayAnswer, resolve: answer } = deferred();
    await page.route("**/api/account", async (route) => {
      const response = await route.fetch();
      saved.resolve();
      await mayAnswer;
      await route.fulfill({ response });
    });
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await save(page);
    await saved.promise;
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

  test("a user who logs out during a change of password stays logged out", async ({
    page,
    api,
    database: db,
    problems,
  }) => {
    problems.allow(401);
    await openProfile(page, await createUser({ db }));
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
    const leave = await holdRequests(page, "**/api/auth/signout");
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await save(page);
    await saved.promise;
    await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
    await expect.poll(() => storedSession(page)).toEqual({});
    answer();
    await expect.poll(() => isOpen({ api, token: newToken })).toBe(false);
    leave();
    await expect(page).toHaveURL("/login");
    await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
    expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
  });
});

test.describe("two-factor", () => {
  test("is activated by QR code and a code, and deactivated", async ({ page, database: db }) => {
    await openProfile(page, await createUser({ db }));
    await page.getByRole("button", { name: "Activer la 2FA" }).click();
    const picture = page.getByRole("img", { name: /QR code/ });
    await expect(picture).toBeVisible();
    for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }

    const secret = (await page.locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    // Decodes a screenshot of the QR code, as a phone would.
    await picture.evaluate((image: HTMLImageElement) => image.decode());
    const shot = await sharp(await picture.screenshot({ scale: "css" }))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const { width, height } = shot.info;
    const scanned = jsQR(new Uint8ClampedArray(shot.data), width, height)?.data ?? "";
    expect(new URL(scanned).searchParams.get("secret")).toBe(secret);
    expect(new URL(scanned).searchParams.get("issuer")).toBe("Mini Ecommerce");

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
    await page.getByRole("button", { name: "Tester le code" }).click();
    await expect(field).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await field.fill("000000");
    await page.getByRole("button", { name: "Tester le code" }).click();
    await expect(field).toHaveAccessibleDescription("Code invalide");
    await field.fill(codeOf(secret));
    await page.getByRole("button", { name: "Tester le code" }).click();
    await expect(page.getByText("2FA testé avec succès !")).toBeVisible();
    await expect(field).toHaveCount(0);
    await expect(picture).toHaveCount(0);
    // The focus moves from the button to the result.
    await expect(page.locator(":focus")).toContainText("2FA testé avec succès !");
    // The recovery codes are still shown; the secret is not.
    await expect(page.getByText(codes[0] ?? "", { exact: true })).toBeVisible();

    await page.reload();
    const deactivate = page.getByRole("button", { name: "Désactiver la 2FA" });
    await expect(deactivate).toBeVisible();
    await expect(page.getByText(codes[0] ?? "", { exact: true })).toHaveCount(0);
    await deactivate.click();
    await expect(page.getByText("2FA désactivé avec succès.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Activer la 2FA" })).toBeVisible();
    await expect(page.locator(":focus")).toContainText("2FA désactivé avec succès.");
  });

  test("a name that is saved while the code is checked is kept", async ({ page, database: db }) => {
    await openProfile(page, await createUser({ db, lastName: "Martin" }));
    await page.getByRole("button", { name: "Activer la 2FA" }).click();
    const secret = (await page.locator("code").textContent()) ?? "";
    const release = await holdRequests(page, "**/api/2fa/verify");
    await page.getByLabel("Code 2FA").fill(codeOf(secret));
    await page.getByRole("button", { name: "Tester le code" }).click();
    const name = page.getByLabel("Nom", { exact: true });
    await name.fill("Durand");
    await save(page);
    await expect(page.getByText("Informations mises à jour !")).toBeVisible();
    release();
    await expect(page.getByText("2FA testé avec succès !")).toBeVisible();
    await expect(page.getByRole("button", { name: "Désactiver la 2FA" })).toBeVisible();
    await expect(name).toHaveValue("Durand");
  });

  test("failures have their messages, also where it was activated elsewhere", async ({
    page,
    api,
    database: db,
    problems,
  }) => {
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
});

test.describe("the end of an account", () => {
  const ways = [
    { mode: "soft", opener: "Désactiver mon compte", confirm: "Désactiver" },
    {
      mode: "hard",
      opener: "Supprimer définitivement mon compte",
      confirm: "Supprimer définitivement",
    },
  ] as const;

  for (const { mode, opener, confirm } of ways)
    test(`${mode}: asks for the word, then leads home`, async ({
      page,
      database: db,
      problems,
    }) => {
      problems.allow(422, 500);
      const user = await createUser({ db });
      await createAddress({ db, userId: user.id });
      await openProfile(page, user);
      await page.getByRole("button", { name: opener }).click();
      const dialog = page.getByRole("dialog", { name: opener });
      await expect(dialog).toBeVisible();
      await expect(dialog).toContainText(
        "téléchargez d’abord les fichiers et les factures que vous voulez garder",
      );
      const word = dialog.getByRole("textbox");
      await expect(word).toBeFocused();
      await expectAccessible(page);

      await dialog.getByRole("button", { name: "Annuler" }).click();
      await expect(dialog).toBeHidden();
      await expect(page.getByRole("button", { name: opener })).toBeFocused();

      await page.getByRole("button", { name: opener }).click();
      for (const wrong of ["", "supprimer", "SUPPRIMER "]) {
        await word.fill(wrong);
        await word.press("Enter");
        await expect(word).toHaveAccessibleDescription(
          "Confirmation incorrecte. Votre compte n'a pas été supprimé.",
        );
      }
      await expectAccessible(page);

      await word.fill("SUPPRIMER");
      const api = `**/api/account/delete/${mode}`;
      await page.route(api, (route) => route.fulfill({ status: 500, body: "" }));
      await dialog.getByRole("button", { name: confirm }).click();
      await expect(dialog.getByRole("alert")).toHaveText(
        mode === "soft"
          ? "Erreur lors de la désactivation du compte."
          : "Erreur lors de la suppression du compte.",
      );
      await page.route(api, (route) =>
        route.fulfill({ status: 422, json: { errors: { general: "Pas maintenant." } } }),
      );
      await dialog.getByRole("button", { name: confirm }).click();
      await expect(dialog.getByRole("alert")).toHaveText("Pas maintenant.");
      const [kept] = await db.select().from(users).where(eq(users.id, user.id));
      expect(kept?.isDeleted).toBe(false);

      await page.unroute(api);
      await dialog.getByRole("button", { name: confirm }).click();
      await expect(page).toHaveURL("/");
      await expect(page.getByText("Créer un compte et rejoignez-nous !")).toBeVisible();
      const notice = page.getByText(
        mode === "soft"
          ? "Votre compte a été désactivé. Un message de confirmation vous est envoyé."
          : "Votre compte a été supprimé. Un message de confirmation vous est envoyé.",
      );
      await expect(notice).toBeVisible();
      expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
      expect(Object.keys(await storedSession(page))).toEqual([]);
      // The message is shown once.
      expect(await page.evaluate(() => Object.keys(sessionStorage))).not.toContain(
        "accountClosing",
      );
      const rows = await db.select().from(users).where(eq(users.id, user.id));
      if (mode === "soft") expect(rows).toMatchObject([{ isDeleted: true, email: user.email }]);
      else expect(rows).toEqual([]);
    });
});

test.describe("a login of more than ten minutes ago", () => {
  const dialogOf = (page: Page) => page.getByRole("dialog", { name: "Confirmez votre identité" });

  async function openStaleProfile(page: Page, user: User): Promise<void> {
    await openSession(page, user, await staleTokenOf(user));
    await page.goto("/profile");
    await expect(page.getByLabel("Email")).toHaveValue(user.email);
  }

  test("a new password asks for the present one, and is kept until the question is answered", async ({
    page,
    api,
    database: db,
    problems,
  }) => {
    problems.allow(403, 422);
    const user = await createUser({ db });
    await openStaleProfile(page, user);
    const { token: before } = await storedSession(page);
    await page.getByLabel("Nom", { exact: true }).fill("Durand");
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    const dialog = dialogOf(page);
    for (const decline of [
      () => dialog.getByRole("button", { name: "Annuler" }).click(),
      () => page.keyboard.press("Escape"),
      () => dialog.getByRole("button", { name: "Fermer" }).click(),
    ]) {
      await save(page);
      await expect(dialog).toBeVisible();
      await decline();
      await expect(dialog).toBeHidden();
      await expect(alertOf(page)).toHaveText(
        "Pour votre sécurité, confirmez d'abord votre identité.",
      );
      await expect(page.getByLabel("Mot de passe")).toHaveValue("Nouveau-2026!");
      await expect(page.getByRole("button", { name: "Enregistrer" })).toBeFocused();
    }
    expect((await storedSession(page)).token).toBe(before);
    const [row] = await db.select().from(users).where(eq(users.id, user.id));
    expect(row?.passwordHash).toBe(user.passwordHash);

    await page.getByLabel("Mot de passe").press("Enter");
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
    await expect(page.getByLabel("Mot de passe")).toHaveValue("");
    await expect(page.getByLabel("Mot de passe")).toBeFocused();
    const { userName } = await logIn({ api, email: user.email, password: "Nouveau-2026!" });
    expect(userName).toBe("Durand");
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });

  test("two-factor is switched on with the password, and off with a code", async ({
    page,
    database: db,
    problems,
  }) => {
    problems.allow(403, 422);
    const user = await createUser({ db });
    await openStaleProfile(page, user);
    await page.getByRole("button", { name: "Activer la 2FA" }).click();
    const dialog = dialogOf(page);
    await dialog.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
    await dialog.getByLabel("Mot de passe").press("Enter");
    await expect(page.getByRole("img", { name: /QR code/ })).toBeVisible();
    const secret = (await page.locator("code").textContent()) ?? "";
    // One confirmed password or code is valid for ten minutes.
    await page.getByLabel("Code 2FA").fill(codeOf(secret));
    await page.getByRole("button", { name: "Tester le code" }).click();
    await expect(page.getByText("2FA testé avec succès !")).toBeVisible();

    const token = await staleTokenOf(user);
    await page.evaluate((stale) => localStorage.setItem("token", stale), token);
    await page.getByRole("button", { name: "Désactiver la 2FA" }).click();
    const field = dialog.getByLabel("Code 2FA");
    await expect(field).toBeFocused();
    await expect(dialog.getByLabel("Mot de passe")).toHaveCount(0);
    await field.fill("000000");
    await field.press("Enter");
    await expect(field).toHaveAccessibleDescription(/Code 2FA invalide$/);
    await dialog.getByRole("button", { name: "Annuler" }).click();
    await expect(alertOf(page)).toHaveText(
      "Pour votre sécurité, confirmez d'abord votre identité.",
    );
    await page.getByRole("button", { name: "Désactiver la 2FA" }).click();
    await pasteInto(field, codeOf(secret, 1).replace(/^.../, "$& "));
    await field.press("Enter");
    await expect(page.getByText("2FA désactivé avec succès.")).toBeVisible();
  });

  test("the account is deleted after the word and the password", async ({
    page,
    database: db,
    problems,
  }) => {
    // The confirmation gives a new token. The cart is fetched with it while the account is deleted.
    problems.allow(403, { status: 401, path: "/api/cart" });
    const user = await createUser({ db });
    await openStaleProfile(page, user);
    await page.getByRole("button", { name: "Supprimer définitivement mon compte" }).click();
    const deletion = page.getByRole("dialog", { name: "Supprimer définitivement mon compte" });
    const word = deletion.getByRole("textbox");
    await word.fill("SUPPRIMER");
    await word.press("Enter");
    const dialog = dialogOf(page);
    await expect(dialog.getByLabel("Mot de passe")).toBeFocused();
    // Escape closes only the question, however often it is pressed at once.
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(deletion.getByRole("alert")).toHaveText(
      "Pour votre sécurité, confirmez d'abord votre identité.",
    );
    await expect(word).toHaveValue("SUPPRIMER");
    await deletion.getByRole("button", { name: "Supprimer définitivement" }).click();
    await dialog.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
    await dialog.getByRole("button", { name: "Confirmer" }).click();
    await expect(page).toHaveURL("/");
    await expect.poll(() => storedSession(page)).toEqual({});
    expect(await db.select().from(users).where(eq(users.id, user.id))).toEqual([]);
  });

  test("a user who has logged out elsewhere meanwhile is redirected to the login", async ({
    page,
    api,
    database: db,
    problems,
  }) => {
    problems.allow(403, 401);
    const user = await createUser({ db });
    await openStaleProfile(page, user);
    await page.getByLabel("Mot de passe").fill("Nouveau-2026!");
    await save(page);
    const dialog = dialogOf(page);
    await dialog.getByLabel("Mot de passe").fill(DEFAULT_PASSWORD);
    await api.post("/api/logout", { token: await tokenOf(user) });
    await dialog.getByRole("button", { name: "Confirmer" }).click();
    await expect(page).toHaveURL("/login");
    await expect(
      page.getByText("Votre session a expiré. Veuillez vous reconnecter."),
    ).toBeVisible();
  });
});
