import type { Page } from "@playwright/test";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { newEmail, tokenInMail } from "../accounts";
import { expectAccessible } from "../axe";
import { expectAccessibleStopped, sessionSides, stopClock } from "../browser-session";
import { expect, test } from "../fixtures";

const password = (page: Page) => page.getByLabel("Mot de passe", { exact: true });

async function fill(
  page: Page,
  {
    email = newEmail(),
    confirmation = DEFAULT_PASSWORD,
  }: { email?: string; confirmation?: string } = {},
) {
  await page.getByLabel("Nom", { exact: true }).fill("Dupré");
  await page.getByLabel("Prénom").fill("Camille");
  await page.getByLabel("Email").fill(email);
  await password(page).fill(DEFAULT_PASSWORD);
  await page.getByLabel("Confirmer le mot de passe").fill(confirmation);
}

const send = (page: Page) => page.getByRole("button", { name: "S'inscrire" }).click();

test("a newcomer registers, opens the mail's link, and is led to the login", async ({
  page,
  mailbox,
}) => {
  const email = newEmail("ui");
  await page.clock.install();
  await page.goto("/register");
  await expect(page).toHaveTitle("Inscription - Mini Ecommerce");
  await stopClock(page);
  await fill(page, { email });
  await send(page);
  await expect(page.getByRole("main").getByText(/^Inscription réussie/)).toBeVisible();
  await expect(page.getByRole("link", { name: "la boîte aux lettres" })).toHaveAttribute(
    "href",
    "/mailbox",
  );
  await expect(page.getByRole("button", { name: "S'inscrire" })).toBeDisabled();
  const passed = await expectAccessibleStopped(page);
  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL("/register");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/login");
  // The login page repeats the hint, because two seconds are short.
  await expect(page.getByRole("link", { name: "la boîte aux lettres" })).toBeVisible();

  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "account-verification" });
  await page.goto(`/account-verification/${token}`);
  await expect(page.getByText("Votre compte a été vérifié avec succès.")).toBeVisible();
  await expect(page.getByText("dans 6 secondes")).toBeVisible();
  const shown = await expectAccessibleStopped(page);
  await page.clock.runFor(2000 - shown);
  await expect(page.getByText("dans 4 secondes")).toBeVisible();
  await page.clock.runFor(3900);
  await expect(page).toHaveURL(`/account-verification/${token}`);
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/login");
});

test("the demonstration leads a new customer to its mailbox", async ({
  page,
  mailbox,
  problems,
}) => {
  // Playwright's trace recorder also tries to run in the mail's iframe, which allows no scripts.
  problems.allow(/Blocked script execution in 'about:srcdoc'.*sandboxed/);
  await page.goto("/register");
  const email = newEmail("mailbox");
  await fill(page, { email });
  await send(page);
  // Before this mail arrives, the first mail in the list is another user's.
  await mailbox.waitForMail({ to: email });
  await page.getByRole("link", { name: "la boîte aux lettres" }).click();
  await page
    .getByRole("link", { name: /Vérifiez votre adresse e-mail/ })
    .first()
    .click();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.frameLocator("iframe").getByRole("link", { name: "Vérifier mon adresse" }).click(),
  ]);
  await expect(opened.getByText("Votre compte a été vérifié avec succès.")).toBeVisible();
});

test("a shop that is no demonstration has no mailbox, and says nothing of one", async ({
  page,
  shopWith,
}) => {
  const real = await shopWith({ env: { SHOP_DEMO: "" }, database: "shared" });
  for (const path of ["/mailbox", "/mailbox/unknown"])
    expect((await real.api.get(path)).status, path).toBe(404);
  await page.goto(`${real.baseURL}/register`);
  await fill(page);
  await send(page);
  await expect(page.getByRole("main").getByText(/^Inscription réussie/)).toBeVisible();
  await expect(page.getByText("boîte aux lettres")).toHaveCount(0);
});

test("violated rules have their messages beside their fields, and no request is sent", async ({
  page,
}) => {
  let requests = 0;
  await page.route("**/api/register", (route) => {
    requests++;
    return route.abort();
  });
  await page.goto("/register");
  const field = {
    nom: page.getByLabel("Nom", { exact: true }),
    lastname: page.getByLabel("Prénom"),
    email: page.getByLabel("Email"),
    confirmation: page.getByLabel("Confirmer le mot de passe"),
  };

  await field.lastname.fill("Camille");
  await send(page);
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(
    "Tous les champs sont obligatoires",
  );
  for (const empty of [field.nom, field.email, field.confirmation]) {
    await expect(empty).toHaveAttribute("aria-invalid", "true");
    await expect(empty).toHaveAccessibleDescription("Tous les champs sont obligatoires");
  }
  await expect(field.lastname).not.toHaveAttribute("aria-invalid");
  await expect(field.nom).toBeFocused();
  await expectAccessible(page);
  await field.nom.pressSequentially("D");
  await expect(field.nom).not.toHaveAttribute("aria-invalid");

  await fill(page, { confirmation: "autre" });
  await send(page);
  await expect(field.confirmation).toHaveAccessibleDescription(
    "Les mots de passe ne correspondent pas",
  );
  await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  // Changing the password validates its confirmation again.
  await password(page).fill("autre");
  await expect(field.confirmation).not.toHaveAttribute("aria-invalid");
  expect(requests).toBe(0);
});

test("the strength meter counts the criteria, in colour and in words", async ({ page }) => {
  await page.goto("/register");
  const meter = page.getByRole("meter", { name: "Robustesse" });
  const colors = new Set<string>();
  for (const [secret, strength, words] of [
    ["", 0, "très faible"],
    ["a", 1, "faible"],
    ["aB", 2, "moyenne"],
    ["aB1", 3, "bonne"],
    ["aB1!", 4, "bonne"],
    ["aB1!aB1!", 4, "forte"],
  ] as const) {
    await password(page).fill(secret);
    await expect(meter).toHaveAttribute("aria-valuenow", String(strength));
    await expect(meter).toHaveAttribute("aria-valuetext", words);
    const filled = meter.locator("[data-filled]");
    await expect(filled).toHaveCount(strength);
    if (strength === 0) continue;
    await expect(page.getByRole("status").filter({ hasText: "Robustesse" })).toContainText(words);
    await expect.poll(() => page.evaluate(() => document.getAnimations().length)).toBe(0);
    colors.add(await filled.first().evaluate((bar) => getComputedStyle(bar).backgroundColor));
  }
  expect([...colors]).toEqual([
    "rgb(197, 34, 31)",
    "rgb(232, 113, 10)",
    "rgb(242, 182, 0)",
    "rgb(24, 128, 56)",
  ]);
});

test("one violation from the server is shown beside its field, several below the form", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(422, 409, 429, 500, /ERR_FAILED/);
  const { email } = await createUser({ db });
  await page.goto("/register");
  await fill(page, { email });
  await send(page);
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
    "Un compte existe déjà avec cet e-mail. S'il n'est pas encore vérifié, un nouveau lien vient de lui être envoyé.",
  );
  await expect(page.getByLabel("Email")).toBeFocused();
  await expect(page.getByLabel("Email")).toHaveValue(email);
  await expect(password(page)).toHaveValue(DEFAULT_PASSWORD);

  const answer = (status: number, json: object) =>
    page.route("**/api/register", (route) => route.fulfill({ status, json }));
  const alert = page.getByRole("main").getByRole("alert");
  await answer(422, { errors: { nom: "Nom refusé.", email: "Adresse refusée." } });
  await send(page);
  await expect(alert).toHaveText(/^Nom refusé\.\s*Adresse refusée\.$/);
  for (const label of ["Nom", "Email"])
    await expect(page.getByLabel(label, { exact: true })).toHaveAttribute("aria-invalid", "true");

  await answer(409, { error: "Une seule inscription à la fois." });
  await send(page);
  await expect(alert).toHaveText("Une seule inscription à la fois.");
  await answer(429, { error: "Trop de tentatives. Réessayez dans 1 heure." });
  await send(page);
  await expect(alert).toHaveText("Trop de tentatives. Réessayez dans 1 heure.");
  await answer(500, { error: "Une erreur interne est survenue." });
  await send(page);
  await expect(alert).toHaveText("Une erreur est survenue lors de l'inscription");
  await page.route("**/api/register", (route) => route.abort());
  await send(page);
  await expect(alert).toHaveText("Une erreur de connexion est survenue");
  await expect(page.getByLabel("Prénom")).toHaveValue("Camille");
  expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
});

test("failed verifications have their messages", async ({ page, problems }) => {
  problems.allow(500);
  const alert = page.getByRole("main").getByRole("alert");
  await page.goto("/account-verification/inconnu");
  await expect(alert).toHaveText("Ce lien de vérification est invalide ou a expiré.");
  await expect(page.getByRole("main").getByRole("link", { name: "S’inscrire" })).toHaveAttribute(
    "href",
    "/register",
  );
  await page.goto("/account-verification");
  await expect(alert).toHaveText("Token de vérification manquant");

  const tokens: string[] = [];
  await page.route("**/api/verify-email/**", (route) => {
    tokens.push(route.request().url());
    return tokens.length === 1
      ? route.fulfill({ status: 500, body: "" })
      : route.fulfill({ json: { valid: false } });
  });
  await page.goto("/account-verification/a%2Fb%20c");
  await expect(alert).toHaveText("Une erreur est survenue lors de la vérification du compte");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect.poll(() => tokens.length).toBe(2);
  expect(new URL(tokens[0] ?? "").pathname).toBe("/api/verify-email/a%2Fb%20c");
  await expect(alert).toHaveText("Une erreur est survenue lors de la vérification du compte");
});
