import { expect, type Locator, type Page } from "@playwright/test";
import { encode } from "next-auth/jwt";
import { type createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { cookieSecret } from "@/lib/auth/session-cookie";
import { expectAccessible } from "./axe";
import { storeSession } from "./storefront";

// Shared by the browser tests of accounts.

const COOKIE = "next-auth.session-token";

/** Fills in the login form and submits it. */
export async function submitLogin({
  page,
  email,
  password = DEFAULT_PASSWORD,
}: {
  page: Page;
  email: string;
  password?: string;
}): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Mot de passe").fill(password);
  await page.getByRole("button", { name: "Se connecter" }).click();
}

type User = Awaited<ReturnType<typeof createUser>>;

const SESSION_SECONDS = 3600;

/** The value of a session's cookie. */
function cookieValueOf({ id, roles, sessionVersion }: User): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + SESSION_SECONDS;
  const token = { id, roles, sessionVersion, exp };
  return encode({ token, secret: cookieSecret(), maxAge: SESSION_SECONDS });
}

/** A session's `Cookie` header, for requests without a browser. */
export const sessionCookieOf = async (user: User): Promise<string> =>
  `${COOKIE}=${await cookieValueOf(user)}`;

/**
 * Opens a session with the storage and cookie that a login sets, without the login's two seconds. Call it
 * before the first page is opened.
 *
 * @param bearer the token in storage; by default that of a login just now
 */
export async function openSession(page: Page, user: User, bearer?: string): Promise<void> {
  const value = await cookieValueOf(user);
  await page
    .context()
    .addCookies([
      { name: COOKIE, value, domain: "127.0.0.1", path: "/", httpOnly: true, sameSite: "Lax" },
    ]);
  await storeSession(page, user, bearer);
}

/** The response for a cart that was being loaded when the visitor logged out. */
export const CART_AFTER_LOGOUT = { status: 401, path: "/api/cart" };

/** Pastes by keyboard, replacing the field's content. */
export async function pasteInto(field: Locator, text: string): Promise<void> {
  const page = field.page();
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.selectText();
  await page.keyboard.press("ControlOrMeta+V");
}

/** Logs out through the top navigation. Ends on the login page. */
export async function logOut(page: Page): Promise<void> {
  await page.getByRole("banner").getByRole("button", { name: "Déconnexion" }).click();
  await expect(page).toHaveURL("/login");
}

/** Whether the browser's storage and the cookie hold a session. */
export async function sessionSides(page: Page): Promise<{ storage: boolean; cookie: boolean }> {
  const cookies = await page.context().cookies();
  return {
    storage: await page.evaluate(() => localStorage.getItem("token") !== null),
    cookie: cookies.some(({ name }) => name === COOKIE),
  };
}

/** The browser's storage, by key. */
export const storedSession = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => ({ ...localStorage }));

/** Deletes the session cookie, as when it expires. */
export const dropCookie = (page: Page): Promise<void> =>
  page.context().clearCookies({ name: COOKIE });

/** Pauses the page's clock; from now on only `runFor` advances it. */
export async function stopClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000);
}

/**
 * `expectAccessible` on a page whose clock is paused: axe needs the clock to advance a little.
 *
 * @returns the milliseconds that have passed on the page
 */
export async function expectAccessibleStopped(page: Page): Promise<number> {
  let isOver = false;
  const check = expectAccessible(page).finally(() => {
    isOver = true;
  });
  let passed = 0;
  while (!isOver) {
    await page.clock.runFor(1);
    passed += 1;
  }
  await check;
  return passed;
}
