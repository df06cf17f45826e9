import { createUser } from "@/db/factories/people";
import { codeOf, tokenOf, turnTwoFactorOn } from "../accounts";
import { expectAccessible } from "../axe";
import {
  expectAccessibleStopped,
  pasteInto,
  sessionSides,
  stopClock,
  storedSession,
  submitLogin,
} from "../browser-session";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import { watchRequests } from "../storefront";

test("after a login, home follows in two seconds", async ({ page, database: db }) => {
  const user = await createUser({ db, firstName: "Ève", lastName: "Dupont-Noël" });
  await page.clock.install();
  await page.goto("/contact");
  // lib/guards.ts is tested with every way to write another site's URL.
  await page.goto(`/login?retour=${encodeURIComponent("//evil.example/a")}`);
  await expect(page).toHaveURL("/login");
  await expect(page).toHaveTitle("Connexion - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connexion");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await page.evaluate(() => {
    window.addEventListener("auth-changed", () => sessionStorage.setItem("heard", "yes"));
  });
  await stopClock(page);
  const attempts = watchRequests(page, "/api/login_check");
  const answer = await holdRequests(page, "**/api/login_check");
  await submitLogin({ page, email: ` ${user.email.toUpperCase()} ` });
  await expect(page.getByRole("button", { name: "Connexion en cours..." })).toBeDisabled();
  await page.getByLabel("Mot de passe").press("Enter");
  answer();
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeDisabled();
  expect(attempts).toHaveLength(1);
  const passed = await expectAccessibleStopped(page);

  const stored = await storedSession(page);
  expect(stored).toMatchObject({
    userId: String(user.id),
    userName: "Dupont-Noël",
    userLastName: "Ève",
    roles: '["ROLE_USER"]',
  });
  expect(stored.token).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
  expect(JSON.parse(stored.user ?? "")).toMatchObject({ id: user.id });
  expect(await page.evaluate(() => sessionStorage.getItem("heard"))).toBe("yes");
  await expect.poll(() => sessionSides(page)).toEqual({ storage: true, cookie: true });
  const cookies = await page.context().cookies();
  const cookie = cookies.find(({ name }) => name === "next-auth.session-token");
  expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Lax", secure: false, path: "/" });

  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL("/login");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/");
  await expect(page.getByText("Bonjour Ève Dupont-Noël !")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL("/contact");
});

test("every failure has its message", async ({ page, database: db, problems }) => {
  problems.allow(401, 503, 429, /ERR_FAILED/, /TypeError/);
  await page.goto("/login");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Mot de passe");
  const button = page.getByRole("button", { name: "Se connecter" });
  const alert = page.getByRole("main").getByRole("alert");

  await test.step("empty fields, which password managers recognise", async () => {
    await button.click();
    for (const [field, purpose] of [
      [email, "username"],
      [password, "current-password"],
    ] as const) {
      await expect(field).toHaveAccessibleDescription("Ce champ est obligatoire.");
      await expect(field).toHaveAttribute("autocomplete", purpose);
    }
    await expect(email).toBeFocused();
    await expectAccessible(page);
  });

  await test.step("a wrong password, which can be shown", async () => {
    const user = await createUser({ db });
    await submitLogin({ page, email: user.email, password: "Faux-2026!" });
    await expect(alert).toHaveText("Email ou mot de passe incorrect");
    await expect(email).toHaveValue(user.email);
    await expect(password).toHaveValue("Faux-2026!");
    await expect(page).toHaveURL("/login");
    expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
    await page.getByRole("button", { name: "Afficher" }).click();
    await expect(password).toHaveAttribute("type", "text");
    await page.getByRole("button", { name: "Masquer" }).click();
    await expect(password).toHaveAttribute("type", "password");
    await expect(password).toHaveValue("Faux-2026!");
  });

  await test.step("an unverified account, whose mail the demonstration keeps", async () => {
    const user = await createUser({ db, isVerified: false });
    await submitLogin({ page, email: user.email });
    await expect(
      page.getByText(
        "Votre compte n'est pas encore vérifié. Veuillez vérifier vos emails pour activer votre compte.",
      ),
    ).toBeVisible();
    await expect(page.getByRole("link", { name: "la boîte aux lettres" })).toHaveAttribute(
      "href",
      "/mailbox",
    );
  });

  await test.step("a fault, a limit, a lost connection, and an answer without sense", async () => {
    const limit = "Trop de tentatives. Réessayez dans 2 minutes.";
    for (const [answer, message] of [
      [{ status: 503, body: "<h1>Bad Gateway</h1>" }, "Email ou mot de passe incorrect"],
      [{ status: 429, json: { error: limit } }, limit],
      [null, "Email ou mot de passe incorrect"],
      [{ body: "null" }, "Email ou mot de passe incorrect"],
      [{ json: "ok" }, "Email ou mot de passe incorrect"],
    ] as const) {
      await page.route("**/api/login_check", async (route) => {
        // The former message is gone.
        await expect(alert).toBeHidden();
        await (answer ? route.fulfill(answer) : route.abort());
      });
      await submitLogin({ page, email: "a@b.fr", password: "x" });
      await expect(alert).toHaveText(message);
    }
  });
});

test("a late response does not redirect who has gone on", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const cookie = "**/api/auth/callback/token";
  const release = await holdRequests(page, cookie);
  await page.clock.install();
  await page.goto("/login");
  await stopClock(page);
  await submitLogin({ page, email: user.email });
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await page.clock.runFor(2000);
  await page.clock.resume();
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await releaseAndSettle({ page, url: cookie, release });
  await expect(page).toHaveURL("/contact");
});

test("with two-factor the form asks for the code", async ({ page, api, database: db }) => {
  const [first, user] = [await createUser({ db }), await createUser({ db })];
  const { secret } = await turnTwoFactorOn({ api, token: await tokenOf(first) });
  const { recoveryCodes } = await turnTwoFactorOn({ api, token: await tokenOf(user) });
  await page.goto("/addresses");
  await expect(page).toHaveURL("/login");
  await page.reload();
  await submitLogin({ page, email: first.email });
  await expect(
    page.getByText("Veuillez saisir le code 2FA généré par votre application."),
  ).toBeVisible();
  const email = page.getByLabel("Email");
  await expect(email).toBeDisabled();
  await expect(email).toHaveValue(first.email);
  await expect(page.getByLabel("Mot de passe")).toBeDisabled();
  const code = page.getByLabel("Code 2FA");
  await expect(code).toBeFocused();
  await expect(code).toHaveAttribute("maxlength", "6");
  await expect(code).toHaveAttribute("autocomplete", "one-time-code");
  await expect(page.getByText(/^Ni téléphone ni code de récupération/)).toBeVisible();
  await expect(
    page.getByRole("main").getByRole("link", { name: "Contactez la boutique" }),
  ).toHaveAttribute("href", "/contact");
  await expectAccessible(page);

  const send = page.getByRole("button", { name: "Se connecter" });
  await send.click();
  await expect(code).toHaveAccessibleDescription("Ce champ est obligatoire.");
  await code.fill("000000");
  await send.click();
  await expect(code).toHaveAccessibleDescription("Code 2FA invalide");
  await expect(code).toHaveValue("000000");
  expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
  // Apps show the code in two groups.
  const good = codeOf(secret, 1);
  await pasteInto(code, `${good.slice(0, 3)} ${good.slice(3)}`);
  await expect(code).toHaveValue(good);

  await test.step("another account can be used, and a recovery code stands in for the app", async () => {
    await page.getByRole("button", { name: "Changer de compte" }).click();
    await expect(code).toHaveCount(0);
    await expect(email).toHaveValue(first.email);
    await expect(email).toBeFocused();
    await submitLogin({ page, email: user.email });
    await page.getByRole("button", { name: "Utiliser un code de récupération" }).click();
    await expect(code).toBeFocused();
    await expect(code).toHaveAttribute("inputmode", "text");
    await expect(code).toHaveAccessibleDescription(/codes de récupération/);
    const typed = (recoveryCodes[3] ?? "").toLowerCase();
    await code.pressSequentially(`${typed.slice(0, 3)} - ${typed.slice(3)}`);
    await expect(code).toHaveValue(typed);
    // In the middle of the code, the caret stays in its place too.
    await code.press("Home");
    await code.press("ArrowRight");
    await code.press("Delete");
    await code.pressSequentially(` ${typed.slice(1, 2)}`);
    await expect(code).toHaveValue(typed);
    await send.click();
    await expect(page.getByText("Connexion 2FA réussie ! Redirection...")).toBeVisible();
    await expect(page).toHaveURL("/addresses");
    expect((await storedSession(page)).userId).toBe(String(user.id));
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });
});

test("every failure of a code has its message", async ({ page, problems }) => {
  problems.allow(401, 500, /ERR_FAILED/);
  await page.route("**/api/login_check", (route) =>
    route.fulfill({ status: 401, json: { "2fa_required": true, tempToken: "temporaire" } }),
  );
  await page.goto("/login");
  await submitLogin({ page, email: "a@b.fr", password: "x" });
  await page.getByLabel("Code 2FA").fill("123456");
  const bearers = new Set<string | undefined>();
  // After too many codes the password is asked for again.
  const error = "Trop de codes incorrects. Veuillez vous reconnecter.";
  for (const [answer, message] of [
    [{ json: { valid: true } }, "Erreur lors de la connexion 2FA"],
    [null, "Erreur lors de la vérification 2FA"],
    [{ json: { valid: true } }, "Erreur lors de la connexion 2FA"],
    [{ status: 500, body: "" }, "Erreur lors de la vérification 2FA"],
    [
      { status: 401, json: { error } },
      /^Erreur lors de la vérification 2FA\s+Trop de codes incorrects\. Veuillez vous reconnecter\.$/,
    ],
  ] as const) {
    await page.route("**/api/2fa/verify", (route) => {
      bearers.add(route.request().headers().authorization);
      return answer ? route.fulfill(answer) : route.abort();
    });
    await page.getByRole("button", { name: "Se connecter" }).click();
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(message);
  }
  expect([...bearers]).toEqual(["Bearer temporaire"]);
  await expect(page.getByLabel("Code 2FA")).toHaveCount(0);
  await expect(page.getByLabel("Email")).toBeEnabled();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the pages say that JavaScript is needed", async ({ page }) => {
    for (const path of ["/login", "/reset-password/inconnu", "/account-verification/inconnu"]) {
      await page.goto(path);
      await expect(page.getByText("Cette page a besoin de JavaScript.")).toBeVisible();
      await expect(page.getByText("en cours...")).toBeHidden();
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    }
  });
});
