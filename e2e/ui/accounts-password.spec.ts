import { createUser } from "@/db/factories/people";
import { tokenInMail } from "../accounts";
import { expectAccessible } from "../axe";
import { expectAccessibleStopped, stopClock } from "../browser-session";
import { expect, test } from "../fixtures";

test("a mailed link leads to a new password", async ({ page, mailbox, database: db }) => {
  const { email } = await createUser({ db });
  await page.clock.install();
  await page.goto("/login");
  await page.getByRole("link", { name: "Mot de passe oublié" }).click();
  await expect(page).toHaveURL("/forget-password");
  await expect(page).toHaveTitle("Mot de passe oublié - Mini Ecommerce");
  const links = page.getByRole("main").getByRole("link");
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
    "/login",
    "/register",
  ]);
  const send = page.getByRole("button", { name: "Envoyer" });
  await page.getByLabel("Email").fill("camille");
  await send.click();
  await expect(page.getByLabel("Email")).toHaveAccessibleDescription(
    "Veuillez saisir votre adresse e-mail",
  );
  await expectAccessible(page);
  await page.getByLabel("Email").fill(email);
  await send.click();
  await expect(
    page.getByRole("main").getByText(/^Si un compte correspond à cette adresse/),
  ).toBeVisible();
  await expect(send).toBeFocused();

  const mail = await mailbox.waitForMail({ to: email });
  const token = tokenInMail({ mail, page: "reset-password" });
  await page.goto(`/reset-password/${token}`);
  const password = page.getByLabel("Mot de passe", { exact: true });
  const confirmation = page.getByLabel("Confirmer le mot de passe");
  const save = page.getByRole("button", { name: "Enregistrer" });
  await test.step("the new password must meet its rules", async () => {
    await save.click();
    await expect(password).toHaveAccessibleDescription(/Veuillez saisir un nouveau mot de passe$/);
    await expect(password).toBeFocused();
    await expectAccessible(page);
    await password.fill("Nouveau-2026!");
    await confirmation.fill("Nouveau-2027!");
    await save.click();
    await expect(confirmation).toHaveAccessibleDescription(
      "Les mots de passe ne correspondent pas",
    );
    await confirmation.fill("Nouveau-2026!");
    await expect(confirmation).not.toHaveAttribute("aria-invalid");
    await expect(page.getByRole("meter")).toHaveAttribute("aria-valuenow", "4");
  });
  await stopClock(page);
  await save.click();
  await expect(
    page.getByText("Votre mot de passe a été réinitialisé avec succès ! Redirection..."),
  ).toBeVisible();
  const passed = await expectAccessibleStopped(page);
  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL(`/reset-password/${token}`);
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/login");
});

test("faults, limits and invalid links have messages", async ({ page, problems }) => {
  problems.allow(422, 429, 500, 503);
  const alert = page.getByRole("main").getByRole("alert");
  await test.step("asking for a link", async () => {
    await page.goto("/forget-password");
    await page.getByLabel("Email").fill("a@exemple.fr");
    const limit = "Trop de tentatives. Réessayez dans 1 heure.";
    for (const [answer, message] of [
      [{ status: 429, json: { error: limit } }, limit],
      [{ status: 500, body: "" }, "Une erreur est survenue lors de la demande de réinitialisation"],
    ] as const) {
      await page.route("**/api/reset-password", (route) => route.fulfill(answer));
      await page.getByRole("button", { name: "Envoyer" }).click();
      await expect(alert).toHaveText(message);
    }
    await expect(page.getByLabel("Email")).toHaveValue("a@exemple.fr");
  });

  const failed = "Une erreur est survenue lors de la réinitialisation du mot de passe";
  const checks = "**/api/reset-password/verify/**";
  await test.step("opening a link: a server error says nothing about it", async () => {
    await page.route(checks, (route) => route.fulfill({ status: 503, body: "" }));
    await page.goto("/reset-password/abc");
    await expect(alert).toHaveText(failed);
    await page.unroute(checks);
    await page.getByRole("button", { name: "Réessayer" }).click();
    await expect(page.getByText("Token invalide")).toBeVisible();
    await page.goto("/reset-password");
    await expect(page.getByText("Token invalide")).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("link", { name: "Demander un nouveau lien" }),
    ).toHaveAttribute("href", "/forget-password");
    await expect(page.locator("form[method=post]")).toHaveCount(0);
  });

  await test.step("sending: the link may have been used meanwhile", async () => {
    await page.route(checks, (route) => route.fulfill({ json: { valid: true } }));
    await page.goto("/reset-password/abc");
    const password = page.getByLabel("Mot de passe", { exact: true });
    await password.fill("Nouveau-2026!");
    await page.getByLabel("Confirmer le mot de passe").fill("Nouveau-2026!");
    const save = page.getByRole("button", { name: "Enregistrer" });
    await save.click();
    await expect(alert).toHaveText("Ce lien de réinitialisation est invalide ou a expiré.");
    await expect(password).toHaveValue("Nouveau-2026!");
    await page.route("**/api/reset-password/confirm", (route) => route.fulfill({ status: 500 }));
    await save.click();
    await expect(alert).toHaveText(failed);
  });
});
