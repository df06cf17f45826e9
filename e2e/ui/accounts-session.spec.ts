import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import { createUser } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { issueToken } from "@/lib/auth/token";
import { isOpen } from "../accounts";
import { expectAccessible } from "../axe";
import {
  CART_AFTER_LOGOUT,
  dropCookie,
  logOut,
  openSession,
  sessionSides,
  stopClock,
  storedSession,
  submitLogin,
} from "../browser-session";
import { expect, test } from "../fixtures";
import { storeSession } from "../storefront";

const BOTH = { storage: true, cookie: true };
const NEITHER = { storage: false, cookie: false };
const EXPIRED = "Votre session a expiré. Veuillez vous reconnecter.";

test("logging out revokes the token, empties storage and cookie, and leads to the login, also from Back", async ({
  page,
  api,
  database: db,
  problems,
}) => {
  problems.allow(CART_AFTER_LOGOUT);
  await openSession(page, await createUser({ db }));
  await page.goto("/addresses");
  // Its list has to be loaded before the logout.
  await expect(page.getByText("Vous n’avez pas encore d’adresse.")).toBeVisible();
  const { token = "" } = await storedSession(page);
  await page.evaluate(() => {
    localStorage.setItem("recentlyViewedProducts", "[1]");
    window.addEventListener("auth-changed", () => sessionStorage.setItem("heard", "yes"));
  });
  await logOut(page);
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
  expect(await page.evaluate(() => sessionStorage.getItem("heard"))).toBe("yes");
  expect(Object.keys(await storedSession(page))).toEqual(["recentlyViewedProducts"]);
  await expect.poll(() => sessionSides(page)).toEqual(NEITHER);
  expect(await isOpen({ api, token })).toBe(false);
  await expect(page.getByText(EXPIRED)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
});

test("logging out works without a connection, too", async ({ page, database: db, problems }) => {
  problems.allow(/ERR_FAILED/);
  await openSession(page, await createUser({ db }));
  await page.goto("/contact");
  await page.route("**/api/**", (route) => route.abort());
  const loads: string[] = [];
  page.on("request", (request) => {
    if (request.isNavigationRequest()) loads.push(new URL(request.url()).pathname);
  });
  await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
  // The cookie could not be removed, so the server redirects from the login to the home page.
  await expect(page).toHaveURL("/");
  await expect(page.getByRole("banner").getByRole("link", { name: "Connexion" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  expect(loads).toEqual(["/login", "/"]);
  expect((await sessionSides(page)).storage).toBe(false);
  // The cookie is removed as soon as the shop answers.
  await page.unroute("**/api/**");
  await page.goto("/login");
  await expect(page).toHaveURL("/login");
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
  await expect.poll(() => sessionSides(page)).toEqual(NEITHER);
});

test("a token without a cookie gets one", async ({ page, database: db, problems }) => {
  problems.allow(503);
  await storeSession(page, await createUser({ db }));
  await page.route("**/api/auth/**", (route) => route.fulfill({ status: 503, body: "" }));
  await page.goto("/addresses");
  await expect(page).toHaveURL("/login");
  await expect(page.getByText("Une erreur de connexion est survenue")).toBeVisible();
  expect((await sessionSides(page)).storage).toBe(true);
  await page.unroute("**/api/auth/**");
  await page.getByRole("button", { name: "Réessayer" }).click();
  await expect(page).toHaveURL("/addresses");
  await expect.poll(() => sessionSides(page)).toEqual(BOTH);
  await dropCookie(page);
  await page.goto("/");
  await page.getByRole("banner").getByRole("link", { name: "Mon compte" }).click();
  await expect(page).toHaveURL("/account");
  await expect.poll(() => sessionSides(page)).toEqual(BOTH);
  await dropCookie(page);
  await page.goto("/register");
  await expect(page, "a page for guests leads home").toHaveURL("/");
  await expect.poll(() => sessionSides(page)).toEqual(BOTH);
});

const COOKIES_NEEDED =
  "Votre navigateur refuse les cookies de la boutique, sans lesquels votre compte ne peut pas s’ouvrir. Autorisez-les, puis rechargez cette page.";

/** Makes the browser refuse the session's cookies, as its settings may do. */
const refuseCookies = (page: Page) =>
  page.route("**/api/auth/**", async (route) => {
    const response = await route.fetch();
    const { "set-cookie": _, ...headers } = response.headers();
    // route.fetch has stored the cookies. They are removed before the page gets the response.
    await page.context().clearCookies();
    await route.fulfill({ response, headers });
  });

/** Blocks storage as Chromium does if the shop's cookies and site data are blocked. */
async function blockSiteData(page: Page): Promise<void> {
  await refuseCookies(page);
  await page.addInitScript(() => {
    for (const name of ["localStorage", "sessionStorage"])
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException("Access is denied for this document.", "SecurityError");
        },
      });
    Object.defineProperty(document, "cookie", { get: () => "", set: () => {} });
  });
}

test("a browser that blocks site data shows the shop, and the login says what is needed", async ({
  page,
}) => {
  await blockSiteData(page);
  for (const path of ["/login", "/checkout"]) {
    await page.goto(path);
    await expect(page.getByRole("main").getByRole("alert")).toHaveText(COOKIES_NEEDED);
    await expect(page).toHaveURL("/login");
    await expect(page.getByLabel("Mot de passe")).toHaveCount(0);
  }
  await expectAccessible(page);
  await page.goto("/");
  await page.getByRole("tab", { name: "Les Plus Vendus" }).click();
  await page.goto("/products");
  await page.getByLabel("Type").selectOption("digital");
  await expect(page).toHaveURL("/products?type=digital");
  await page.locator('main a[href^="/product/"]').first().click();
  await expect(page).toHaveURL(/\/product\/\d+/);
  await page.getByRole("button", { name: "Ajouter au panier" }).click();
  await expect(
    page.getByText("Veuillez vous connecter pour ajouter des produits au panier"),
  ).toBeVisible();
  for (const path of ["/contact", "/register", "/forget-password"]) {
    await page.goto(path);
    await expect(page.getByLabel("Email")).toBeEditable();
  }
  await page.goto("/reset-password/abc");
  await expect(page.getByText("Token invalide")).toBeVisible();
});

test("a login whose cookie is refused says so, and succeeds once cookies are allowed", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  await refuseCookies(page);
  await page.clock.install();
  await page.goto("/login");
  await stopClock(page);
  await submitLogin({ page, email: user.email });
  await expect(page.getByRole("main").getByRole("alert")).toHaveText(COOKIES_NEEDED);
  await expect(page.getByText("Connexion réussie ! Redirection...")).toBeHidden();
  await page.clock.runFor(3000);
  await expect(page).toHaveURL("/login");
  await page.unroute("**/api/auth/**");
  await page.reload();
  await expect(page).toHaveURL("/");
  await expect.poll(() => sessionSides(page)).toEqual(BOTH);
});

test("a cookie without a token is removed", async ({ page, database: db }) => {
  const user = await createUser({ db });
  await openSession(page, user);
  await page.goto("/contact");
  await page.evaluate(() => localStorage.clear());
  for (const [path, end] of [
    ["/register", "/register"],
    ["/account-verification/abc", "/account-verification/abc"],
    ["/profile", "/login"],
    ["/", "/login"],
  ] as const) {
    // Sets the cookie only: the storage is filled once per tab.
    await openSession(page, user);
    await page.goto(path);
    if (path === "/")
      await page.getByRole("banner").getByRole("link", { name: "Connexion" }).click();
    await expect(page).toHaveURL(end);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect.poll(() => sessionSides(page), path).toEqual(NEITHER);
    await page.reload();
    await expect(page).toHaveURL(end);
  }
});

test("a session that was ended elsewhere does not block pages for guests", async ({
  page,
  api,
  database: db,
  problems,
}) => {
  problems.allow(401);
  await openSession(page, await createUser({ db }));
  await page.goto("/contact");
  const { token = "" } = await storedSession(page);
  await api.post("/api/logout", { token });
  await page.goto("/reset-password/abc");
  await expect(page).toHaveURL("/reset-password/abc");
  await expect(page.getByText("Token invalide")).toBeVisible();
  await expect.poll(() => sessionSides(page)).toEqual(NEITHER);
});

test("a revoked token removes itself and the cookie at the next call, and the login says why once", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(401);
  const user = await createUser({ db });
  await openSession(page, user);
  await page.goto("/account");
  await expect(page.getByText("Vous n’avez pas encore passé de commande.")).toBeVisible();
  await db
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, user.id));
  await page.getByRole("main").getByRole("link", { name: "Mes adresses" }).click();
  await expect(page).toHaveURL("/login");
  await expect(page.getByText(EXPIRED)).toBeVisible();
  await expectAccessible(page);
  await expect.poll(() => sessionSides(page)).toEqual(NEITHER);
  await expect(page.getByRole("banner").getByRole("link", { name: "Connexion" })).toBeVisible();
  // The message is shown only once.
  await page.reload();
  await expect(page.getByRole("button", { name: "Se connecter" })).toBeEnabled();
  await expect(page.getByText(EXPIRED)).toHaveCount(0);
});

test("a login opens the session in every tab, and a logout ends it", async ({
  page,
  context,
  database: db,
  problems,
}) => {
  problems.allow(CART_AFTER_LOGOUT);
  const { email } = await createUser({ db });
  const other = await context.newPage();
  await other.goto("/register");
  await expect(other.getByRole("button", { name: "S'inscrire" })).toBeEnabled();
  await page.goto("/login");
  await submitLogin({ page, email });
  await expect(other).toHaveURL("/");
  await expect(other.getByText("Bonjour Camille Martin !")).toBeVisible();
  await expect(page).toHaveURL("/");

  await other.goto("/addresses");
  await expect(other.getByText("Vous n’avez pas encore d’adresse.")).toBeVisible();
  const open = await context.newPage();
  await open.goto("/contact");
  await logOut(page);
  await expect(other).toHaveURL("/login");
  await expect(open.getByRole("banner").getByRole("link", { name: "Connexion" })).toBeVisible();
  await expect(open).toHaveURL("/contact");
  await expect.poll(() => sessionSides(page)).toEqual(NEITHER);
});

test("another user's login in another tab shows nothing of the former user", async ({
  page,
  context,
  database: db,
}) => {
  const first = await createUser({ db, lastName: "Premier" });
  const second = await createUser({ db, lastName: "Second" });
  await openSession(page, first);
  await page.goto("/profile");
  await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Premier");
  const other = await context.newPage();
  await other.goto("/contact");
  const token = await issueToken({ user: second, type: "access" });
  await other.evaluate(
    ({ token, id }) => {
      localStorage.setItem("userId", String(id));
      localStorage.setItem("token", token);
    },
    { token, id: second.id },
  );
  await expect(page.getByLabel("Nom", { exact: true })).toHaveValue("Second");
});
