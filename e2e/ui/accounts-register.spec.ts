import type { Page } from "@playwright/test";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { newEmail } from "../accounts";
import { expectAccessible } from "../axe";
import { expectAccessibleStopped, sessionSides, stopClock } from "../browser-session";
import { expect, test } from "../fixtures";

const password = (page: Page) => page.getByLabel("Mot de passe", { exact: true });

async function fill(page: Page, { email = newEmail(), confirmation = DEFAULT_PASSWORD } = {}) {
  await page.getByLabel("Nom", { exact: true }).fill("Dupré");
  await page.getByLabel("Prénom").fill("Camille");
  await page.getByLabel("Email").fill(email);
  await password(page).fill(DEFAULT_PASSWORD);
  await page.getByLabel("Confirmer le mot de passe").fill(confirmation);
}

const send = (page: Page) => page.getByRole("button", { name: "S'inscrire" }).click();

test("a newcomer registers and opens the mail", async ({ page, mailbox, problems }) => {
  // Playwright's trace recorder also tries to run in the mail's iframe, which allows no scripts.
  problems.allow(/Blocked script execution in 'about:srcdoc'.*sandboxed/);
  const email = newEmail("ui");
  await page.clock.install();
  await page.goto("/register");
  await expect(page).toHaveTitle("Inscription - Mini Ecommerce");
  await stopClock(page);
  await fill(page, { email });
  await send(page);
  await expect(page.getByRole("main").getByText(/^Inscription réussie/)).toBeVisible();
  const hint = page.getByRole("link", { name: "la boîte aux lettres" });
  await expect(hint).toHaveAttribute("href", "/mailbox");
  await expect(page.getByRole("button", { name: "S'inscrire" })).toBeDisabled();
  const passed = await expectAccessibleStopped(page);
  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL("/register");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/login");

  // Before this mail arrives, the first mail in the list is another user's.
  await mailbox.waitForMail({ to: email });
  // The login page repeats the hint, because two seconds are short.
  await hint.click();
  await page
    .getByRole("link", { name: /Vérifiez votre adresse e-mail/ })
    .first()
    .click();
  const [opened] = await Promise.all([
    page.context().waitForEvent("page"),
    page.frameLocator("iframe").getByRole("link", { name: "Vérifier mon adresse" }).click(),
  ]);
  await expect(opened.getByText("Votre compte a été vérifié avec succès.")).toBeVisible();
  await expect(opened.getByText("dans 6 secondes")).toBeVisible();
  const shown = await expectAccessibleStopped(opened);
  await opened.clock.runFor(2000 - shown);
  await expect(opened.getByText("dans 4 secondes")).toBeVisible();
  await opened.clock.runFor(3900);
  await expect(opened).toHaveURL(/\/account-verification\//);
  await opened.clock.runFor(100);
  await expect(opened).toHaveURL("/login");
});

test("violated rules have messages", async ({ page, database: db, problems }) => {
  problems.allow(422, 409, 429, 500, /ERR_FAILED/);
  await page.goto("/register");
  const field = {
    nom: page.getByLabel("Nom", { exact: true }),
    lastname: page.getByLabel("Prénom"),
    email: page.getByLabel("Email"),
    confirmation: page.getByLabel("Confirmer le mot de passe"),
  };
  const alert = page.getByRole("main").getByRole("alert");

  await test.step("rules of the browser, without a request", async () => {
    let requests = 0;
    await page.route("**/api/register", (route) => {
      requests++;
      return route.abort();
    });
    await field.lastname.fill("Camille");
    await send(page);
    await expect(alert).toHaveText("Tous les champs sont obligatoires");
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
    await expect(alert).toHaveCount(0);
    // Changing the password validates its confirmation again.
    await password(page).fill("autre");
    await expect(field.confirmation).not.toHaveAttribute("aria-invalid");
    expect(requests).toBe(0);
    await page.unroute("**/api/register");
  });

  await test.step("the strength meter, in colour and in words", async () => {
    const meter = page.getByRole("meter", { name: "Robustesse" });
    const filled = meter.locator("[data-filled]");
    for (const [secret, strength, words, color] of [
      ["", 0, "très faible", null],
      ["a", 1, "faible", "rgb(197, 34, 31)"],
      ["aB", 2, "moyenne", "rgb(232, 113, 10)"],
      ["aB1", 3, "bonne", "rgb(242, 182, 0)"],
      ["aB1!aB1!", 4, "forte", "rgb(24, 128, 56)"],
    ] as const) {
      await password(page).fill(secret);
      await expect(meter).toHaveAttribute("aria-valuenow", String(strength));
      await expect(meter).toHaveAttribute("aria-valuetext", words);
      await expect(filled).toHaveCount(strength);
      if (color) await expect(filled.first()).toHaveCSS("background-color", color);
    }
    await expect(page.getByRole("status").filter({ hasText: "Robustesse" })).toContainText("forte");
  });

  await test.step("one violation from the server, beside its field", async () => {
    const { email } = await createUser({ db });
    await fill(page, { email });
    await send(page);
    await expect(field.email).toHaveAccessibleDescription(
      "Un compte existe déjà avec cet e-mail. S'il n'est pas encore vérifié, un nouveau lien vient de lui être envoyé.",
    );
    await expect(field.email).toBeFocused();
    await expect(field.email).toHaveValue(email);
    await expect(password(page)).toHaveValue(DEFAULT_PASSWORD);
  });

  await test.step("several violations, and faults, below the form", async () => {
    const busy = "Une seule inscription à la fois.";
    for (const [answer, message] of [
      [
        { status: 422, json: { errors: { nom: "Nom refusé.", email: "Adresse refusée." } } },
        /^Nom refusé\.\s*Adresse refusée\.$/,
      ],
      [{ status: 409, json: { error: busy } }, busy],
      [
        { status: 500, json: { error: "Une erreur interne est survenue." } },
        "Une erreur est survenue lors de l'inscription",
      ],
      [null, "Une erreur de connexion est survenue"],
    ] as const) {
      await page.route("**/api/register", (route) =>
        answer ? route.fulfill(answer) : route.abort(),
      );
      await send(page);
      await expect(alert).toHaveText(message);
      const isInvalid = String(answer?.status === 422);
      for (const named of [field.nom, field.email])
        expect((await named.getAttribute("aria-invalid")) ?? "false").toBe(isInvalid);
    }
    await expect(field.lastname).toHaveValue("Camille");
    expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
  });
});

test("failed verifications have their messages", async ({ page, problems }) => {
  problems.allow(500);
  const alert = page.getByRole("main").getByRole("alert");
  await page.goto("/account-verification");
  await expect(alert).toHaveText("Token de vérification manquant");

  const tokens: string[] = [];
  const failed = "Une erreur est survenue lors de la vérification du compte";
  await page.route("**/api/verify-email/**", (route) => {
    tokens.push(new URL(route.request().url()).pathname);
    return tokens.length === 1
      ? route.fulfill({ status: 500, body: "" })
      : route.fulfill({ json: { valid: false } });
  });
  await page.goto("/account-verification/a%2Fb%20c");
  await expect(alert).toHaveText(failed);
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect.poll(() => tokens.length).toBe(2);
  expect(tokens[0]).toBe("/api/verify-email/a%2Fb%20c");
  await expect(alert).toHaveText(failed);

  await page.unroute("**/api/verify-email/**");
  await page.reload();
  await expect(alert).toHaveText("Ce lien de vérification est invalide ou a expiré.");
  await expect(page.getByRole("main").getByRole("link", { name: "S’inscrire" })).toHaveAttribute(
    "href",
    "/register",
  );
});
