import type { Page } from "@playwright/test";
import { createUser } from "@/db/factories/people";
import { tokenInMail } from "../accounts";
import { expectAccessible } from "../axe";
import { expectAccessibleStopped, stopClock } from "../browser-session";
import { expect, test } from "../fixtures";

const password = (page: Page) => page.getByLabel("Mot de passe", { exact: true });
const confirmation = (page: Page) => page.getByLabel("Confirmer le mot de passe");
const alertOf = (page: Page) => page.getByRole("main").getByRole("alert");

test("a forgotten password is replaced by the link of a mail", async ({
  page,
  mailbox,
  database: db,
}) => {
  const { email } = await createUser({ db });
  await page.clock.install();
  await page.goto("/login");
  await page.getByRole("link", { name: "Mot de passe oublié" }).click();
  await expect(page).toHaveURL("/forget-password");
  await expect(page).toHaveTitle("Mot de passe oublié - Mini Ecommerce");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Envoyer" }).click();
  await expect(
    page.getByRole("main").getByText(/^Si un compte correspond à cette adresse/),
  ).toBeVisible();
  await expect(page.getByRole("button", { name: "Envoyer" })).toBeFocused();

  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "reset-password" });
  await page.goto(`/reset-password/${token}`);
  // Pausing the clock skips time, which would end pending timeouts. So the token must be checked first.
  await expect(password(page)).toBeVisible();
  await stopClock(page);
  await password(page).fill("Nouveau-2026!");
  await confirmation(page).fill("Nouveau-2026!");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await expect(
    page.getByText("Votre mot de passe a été réinitialisé avec succès ! Redirection..."),
  ).toBeVisible();
  const passed = await expectAccessibleStopped(page);
  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL(`/reset-password/${token}`);
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/login");
});

test("a malformed e-mail address, a 429 and a 500 have their messages", async ({
  page,
  problems,
}) => {
  problems.allow(429, 500);
  await page.goto("/forget-password");
  const email = page.getByLabel("Email");
  const send = page.getByRole("button", { name: "Envoyer" });
  await email.fill("camille");
  await send.click();
  await expect(email).toHaveAccessibleDescription("Veuillez saisir votre adresse e-mail");
  await expectAccessible(page);

  await email.fill("a@exemple.fr");
  await page.route("**/api/reset-password", (route) =>
    route.fulfill({ status: 429, json: { error: "Trop de tentatives. Réessayez dans 1 heure." } }),
  );
  await send.click();
  await expect(alertOf(page)).toHaveText("Trop de tentatives. Réessayez dans 1 heure.");
  await page.route("**/api/reset-password", (route) => route.fulfill({ status: 500, body: "" }));
  await send.click();
  await expect(alertOf(page)).toHaveText(
    "Une erreur est survenue lors de la demande de réinitialisation",
  );
  await expect(email).toHaveValue("a@exemple.fr");
  const links = page.getByRole("main").getByRole("link");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "/login",
    "/register",
  ]);
});

test("an invalid link says so and offers another", async ({ page, problems }) => {
  problems.allow(503);
  for (const path of ["/reset-password/inconnu", "/reset-password"]) {
    await page.goto(path);
    await expect(page.getByText("Token invalide")).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("link", { name: "Demander un nouveau lien" }),
    ).toHaveAttribute("href", "/forget-password");
    await expect(page.locator("form[method=post]")).toHaveCount(0);
  }

  // A server error says nothing about the link.
  await page.route("**/api/reset-password/verify/**", (route) =>
    route.fulfill({ status: 503, body: "" }),
  );
  await page.goto("/reset-password/abc");
  await expect(alertOf(page)).toHaveText(
    "Une erreur est survenue lors de la réinitialisation du mot de passe",
  );
  await page.unroute("**/api/reset-password/verify/**");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect(page.getByText("Token invalide")).toBeVisible();
});

test("a new password must meet its rules, and a link used meanwhile is refused", async ({
  page,
  problems,
}) => {
  problems.allow(422, 500);
  await page.route("**/api/reset-password/verify/**", (route) =>
    route.fulfill({ json: { valid: true } }),
  );
  await page.goto("/reset-password/abc");
  const send = page.getByRole("button", { name: "Enregistrer" });
  await send.click();
  await expect(password(page)).toHaveAccessibleDescription(
    /Veuillez saisir un nouveau mot de passe$/,
  );
  await expect(password(page)).toBeFocused();
  await expectAccessible(page);
  await password(page).fill("Nouveau-2026!");
  await confirmation(page).fill("Nouveau-2027!");
  await send.click();
  await expect(confirmation(page)).toHaveAccessibleDescription(
    "Les mots de passe ne correspondent pas",
  );
  await password(page).fill("Nouveau-2027!");
  await expect(confirmation(page)).not.toHaveAttribute("aria-invalid");
  await password(page).fill("Nouveau-2026!");
  await confirmation(page).fill("Nouveau-2026!");
  await expect(confirmation(page)).not.toHaveAttribute("aria-invalid");
  await expect(page.getByRole("meter")).toHaveAttribute("aria-valuenow", "4");
  await send.click();
  await expect(alertOf(page)).toHaveText("Ce lien de réinitialisation est invalide ou a expiré.");
  await expect(password(page)).toHaveValue("Nouveau-2026!");
  await page.route("**/api/reset-password/confirm", (route) => route.fulfill({ status: 500 }));
  await send.click();
  await expect(alertOf(page)).toHaveText(
    "Une erreur est survenue lors de la réinitialisation du mot de passe",
  );
});
