import type { Page, Route } from "@playwright/test";
import type { Database } from "@/db";
import { createUser } from "@/db/factories/people";
import { codeOf, tokenOf, turnTwoFactorOn } from "../accounts";
import { expectAccessible } from "../axe";
import {
  CART_AFTER_LOGOUT,
  expectAccessibleStopped,
  logOut,
  pasteInto,
  sessionSides,
  stopClock,
  storedSession,
  submitLogin,
} from "../browser-session";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import { watchRequests } from "../storefront";

const MAIN = "main";

test("a customer logs in: storage, cookie, names, and home after two seconds", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db, firstName: "Ève", lastName: "Dupont-Noël" });
  await page.clock.install();
  await page.goto("/login");
  await expect(page).toHaveTitle("Connexion - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Connexion");
  await expect(page.locator('meta[name="robots"]')).toHaveAttribute("content", /noindex/);
  await page.evaluate(() => {
    window.addEventListener("auth-changed", () => sessionStorage.setItem("heard", "yes"));
  });
  await stopClock(page);
  await submitLogin({ page, email: ` ${user.email.toUpperCase()} ` });
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeDisabled();
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
  const [, payload = ""] = String(stored.token).split(".");
  const { exp } = JSON.parse(Buffer.from(payload, "base64url").toString());
  expect(Math.abs((cookie?.expires ?? 0) - exp), "both end together").toBeLessThan(5);

  await page.clock.runFor(1900 - passed);
  await expect(page).toHaveURL("/login");
  await page.clock.runFor(100);
  await expect(page).toHaveURL("/");
  await expect(page.getByText("Bonjour Ève Dupont-Noël !")).toBeVisible();
});

test("every failure has its message, and leaves the form usable", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(401, 503, 429, /ERR_FAILED/, /TypeError/);
  await page.goto("/login");
  const email = page.getByLabel("Email");
  const password = page.getByLabel("Mot de passe");
  const button = page.getByRole("button", { name: "Se connecter" });
  const alert = page.locator(MAIN).getByRole("alert");

  await test.step("empty fields", async () => {
    await button.click();
    await expect(email).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await expect(password).toHaveAccessibleDescription("Ce champ est obligatoire.");
    await expect(email).toBeFocused();
    await expectAccessible(page);
  });

  await test.step("a wrong password", async () => {
    const user = await createUser({ db });
    await submitLogin({ page, email: user.email, password: "Faux-2026!" });
    await expect(alert).toHaveText("Email ou mot de passe incorrect");
    await expect(email).toHaveValue(user.email);
    await expect(password).toHaveValue("Faux-2026!");
    await expect(page).toHaveURL("/login");
    expect(await sessionSides(page)).toEqual({ storage: false, cookie: false });
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

  const answer = (response: Parameters<Route["fulfill"]>[0]) =>
    page.route("**/api/login_check", (route) => route.fulfill(response));
  const send = () => submitLogin({ page, email: "a@b.fr", password: "x" });

  await test.step("a fault, a limit and a lost connection", async () => {
    await answer({ status: 503, contentType: "text/html", body: "<h1>Bad Gateway</h1>" });
    await send();
    await expect(alert).toHaveText("Email ou mot de passe incorrect");
    await answer({
      status: 429,
      headers: { "Retry-After": "120" },
      json: { error: "Trop de tentatives. Réessayez dans 2 minutes." },
    });
    await send();
    await expect(alert).toHaveText("Trop de tentatives. Réessayez dans 2 minutes.");
    await page.route("**/api/login_check", (route) => route.abort());
    await send();
    await expect(alert).toHaveText("Email ou mot de passe incorrect");
  });

  await test.step("an answer that makes no sense", async () => {
    await answer({ status: 200, body: "null" });
    const answered = page.waitForResponse("**/api/login_check");
    await send();
    await answered;
    await expect(button).toBeEnabled();
  });
});

test("the button shows that the login is running, and Back leads to the page before it", async ({
  page,
}) => {
  const { promise: mayAnswer, resolve: answer } = deferred();
  let requests = 0;
  await page.route("**/api/login_check", async (route) => {
    requests++;
    await mayAnswer;
    await route.continue();
  });
  await page.goto("/contact");
  await page.getByRole("banner").getByRole("link", { name: "Connexion" }).click();
  await expect(page).toHaveURL("/login");
  await submitLogin({ page, email: "client@mini-ecommerce.test", password: "Client-2026!" });
  await expect(page.getByRole("button", { name: "Connexion en cours..." })).toBeDisabled();
  await page.getByLabel("Mot de passe").press("Enter");
  answer();
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  expect(requests).toBe(1);
  await expect(page).toHaveURL("/");
  await page.goBack();
  await expect(page).toHaveURL("/contact");
});

/** Logs in and waits until the redirect is due, while the request for the cookie is held. */
async function logInWithHeldCookie({ page, db }: { page: Page; db: Database }) {
  const user = await createUser({ db });
  const release = await holdRequests(page, "**/api/auth/callback/token");
  await page.clock.install();
  await page.goto("/login");
  await stopClock(page);
  await submitLogin({ page, email: user.email });
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeVisible();
  await page.clock.runFor(2000);
  await page.clock.resume();
  return { release };
}

test("a late response does not redirect a visitor who has gone on to another page", async ({
  page,
  database: db,
}) => {
  const { release } = await logInWithHeldCookie({ page, db });
  await page.getByRole("banner").getByRole("link", { name: "Contact" }).click();
  await expect(page).toHaveURL("/contact");
  await releaseAndSettle({ page, url: "**/api/auth/callback/token", release });
  await expect(page).toHaveURL("/contact");
});

test("a link that is clicked before the redirect wins over the redirect", async ({
  page,
  database: db,
}) => {
  const { release } = await logInWithHeldCookie({ page, db });
  // Without the session cookie the server redirects back to the login.
  await page.getByRole("banner").getByRole("link", { name: "Mon compte" }).click();
  await expect(page).toHaveURL("/login?retour=%2Faccount");
  release();
  await expect(page).toHaveURL("/account");
});

test("the password can be shown, and password managers recognise the fields", async ({ page }) => {
  await page.goto("/login");
  await expect(page.getByLabel("Email")).toHaveAttribute("autocomplete", "username");
  const password = page.getByLabel("Mot de passe");
  await expect(password).toHaveAttribute("autocomplete", "current-password");
  await expect(password).toHaveAttribute("type", "password");
  await password.fill("secret");
  await page.getByRole("button", { name: "Afficher" }).click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(password).toHaveValue("secret");
  await page.getByRole("button", { name: "Masquer" }).click();
  await expect(password).toHaveAttribute("type", "password");
});

test("a login that is typed and sent before hydration is sent after it", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const release = await holdRequests(page, /\/_next\/static\/.*\.js/);
  await page.goto("/login", { waitUntil: "commit" });
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Mot de passe").fill("Motdepasse-2026!");
  await page.getByRole("button", { name: "Se connecter" }).click();
  await page.getByLabel("Mot de passe").press("Enter");
  const attempts = watchRequests(page, "/api/login_check");
  release();
  await expect(page).toHaveURL("/");
  expect(attempts).toHaveLength(1);
});

test("the login leads back to a page of this shop, and to no other site", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(CART_AFTER_LOGOUT);
  const user = await createUser({ db });
  await page.goto("/addresses");
  await expect(page).toHaveURL("/login");
  await page.reload();
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/addresses");
  // Its list has to be loaded before the logout.
  await expect(page.getByText("Vous n’avez pas encore d’adresse.")).toBeVisible();
  await logOut(page);
  // lib/guards.ts is tested with every way to write another site's URL.
  await page.goto(`/login?retour=${encodeURIComponent("//evil.example/a")}`);
  await expect(page).toHaveURL("/login");
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL("/");
});

test.describe("with two-factor", () => {
  test("the form locks, asks for the code, and opens the session", async ({
    page,
    api,
    database: db,
  }) => {
    const user = await createUser({ db, firstName: "Ada" });
    const { secret } = await turnTwoFactorOn({ api, token: await tokenOf(user) });
    await page.clock.install();
    await page.goto("/login");
    await stopClock(page);
    await submitLogin({ page, email: user.email });
    await expect(
      page.getByText("Veuillez saisir le code 2FA généré par votre application."),
    ).toBeVisible();
    await expect(page.getByLabel("Email")).toBeDisabled();
    await expect(page.getByLabel("Mot de passe")).toBeDisabled();
    await expect(page.getByLabel("Email")).toHaveValue(user.email);
    const code = page.getByLabel("Code 2FA");
    await expect(code).toBeFocused();
    await expect(code).toHaveAttribute("maxlength", "6");
    await expect(code).toHaveAttribute("autocomplete", "one-time-code");
    await expect(page.getByText(/^Ni téléphone ni code de récupération/)).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("link", { name: "Contactez la boutique" }),
    ).toHaveAttribute("href", "/contact");
    await expectAccessibleStopped(page);

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
    await send.click();
    await expect(page.getByText("Connexion 2FA réussie ! Redirection...")).toBeVisible();
    await page.clock.runFor(2000);
    await expect(page).toHaveURL("/");
    await expect(page.getByText("Bonjour Ada Martin !")).toBeVisible();
    expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  });

  test("another account can be used, and a recovery code stands in for the app", async ({
    page,
    api,
    database: db,
  }) => {
    const [first, user] = [await createUser({ db }), await createUser({ db })];
    await turnTwoFactorOn({ api, token: await tokenOf(first) });
    const { recoveryCodes } = await turnTwoFactorOn({ api, token: await tokenOf(user) });
    await page.goto("/login");
    await submitLogin({ page, email: first.email });
    await page.getByRole("button", { name: "Changer de compte" }).click();
    await expect(page.getByLabel("Code 2FA")).toHaveCount(0);
    await expect(page.getByLabel("Email")).toHaveValue(first.email);
    await expect(page.getByLabel("Email")).toBeFocused();
    await submitLogin({ page, email: user.email });
    await page.getByRole("button", { name: "Utiliser un code de récupération" }).click();
    const code = page.getByLabel("Code 2FA");
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
    await page.getByRole("button", { name: "Se connecter" }).click();
    await expect(page).toHaveURL("/");
    expect((await storedSession(page)).userId).toBe(String(user.id));
  });

  test("a 401 may also ask for the code, whose failures have their messages", async ({
    page,
    problems,
  }) => {
    problems.allow(401, 500, /ERR_FAILED/);
    await page.route("**/api/login_check", (route) =>
      route.fulfill({ status: 401, json: { "2fa_required": true, tempToken: "temporaire" } }),
    );
    let bearer: string | undefined;
    await page.route("**/api/2fa/verify", (route) => {
      bearer = route.request().headers().authorization;
      return route.fulfill({ json: { valid: true } });
    });
    await page.goto("/login");
    await submitLogin({ page, email: "a@b.fr", password: "x" });
    const send = page.getByRole("button", { name: "Se connecter" });
    await page.getByLabel("Code 2FA").fill("123456");
    await send.click();
    const alert = page.locator(MAIN).getByRole("alert");
    await expect(alert).toHaveText("Erreur lors de la connexion 2FA");
    expect(bearer).toBe("Bearer temporaire");

    await page.route("**/api/2fa/verify", (route) => route.abort());
    await send.click();
    await expect(alert).toHaveText("Erreur lors de la vérification 2FA");
    await page.route("**/api/2fa/verify", (route) => route.fulfill({ status: 500, body: "" }));
    const answered = page.waitForResponse("**/api/2fa/verify");
    await send.click();
    await answered;
    await expect(alert).toHaveText("Erreur lors de la vérification 2FA");

    // After too many codes the password is asked for again.
    const error = "Trop de codes incorrects. Veuillez vous reconnecter.";
    await page.route("**/api/2fa/verify", (route) =>
      route.fulfill({ status: 401, json: { error } }),
    );
    await send.click();
    await expect(alert).toHaveText(
      /Erreur lors de la vérification 2FA\s+Trop de codes incorrects\. Veuillez vous reconnecter\./,
    );
    await expect(page.getByLabel("Code 2FA")).toHaveCount(0);
    await expect(page.getByLabel("Email")).toBeEnabled();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("login and links of mails say that JavaScript is needed, and show no spinner and no dead button", async ({
    page,
  }) => {
    for (const path of ["/login", "/reset-password/inconnu", "/account-verification/inconnu"]) {
      await page.goto(path);
      await expect(page.getByText("Cette page a besoin de JavaScript.")).toBeVisible();
      await expect(page.getByText("en cours...")).toBeHidden();
      await expect(page.getByRole("main").getByRole("button")).toHaveCount(0);
    }
  });
});
