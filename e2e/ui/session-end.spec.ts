import type { Page } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser, DEFAULT_PASSWORD } from "@/db/factories/people";
import { users } from "@/db/schema/auth";
import { reviews } from "@/db/schema/reviews";
import { codeOf, tokenOf, turnTwoFactorOn } from "../accounts";
import { expectAccessible } from "../axe";
import { openScreen, rowOf, unique } from "../backoffice";
import { logOut, openSession, sessionSides, storedSession, submitLogin } from "../browser-session";
import { expect, test } from "../fixtures";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

// A session ends while the user is writing something: a dialog asks for the password, and the text is
// kept.

test.beforeEach(({ problems }) => problems.allow(401));

const CONTENT = "Elle ne goutte pas, même pleine.";
const EXPIRED = "Votre session a expiré. Veuillez vous reconnecter.";
const KEPT = "Nous avons gardé ce que vous aviez saisi avant la fin de votre session.";

const revoke = (db: Database, id: number) =>
  db
    .update(users)
    .set({ sessionVersion: sql`${users.sessionVersion} + 1` })
    .where(eq(users.id, id));

const asked = (page: Page) => page.getByRole("dialog", { name: "Reconnectez-vous" });

async function logInAgain(page: Page, password = DEFAULT_PASSWORD) {
  await asked(page).getByLabel("Mot de passe").fill(password);
  await asked(page).getByRole("button", { name: "Se connecter" }).click();
}

const drafts = (page: Page) =>
  page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.startsWith("draft:")));

async function createBuyer(db: Database) {
  const user = await createUser({ db });
  const product = await createProduct({ db });
  await createOrder({ db, user, items: [{ product }] });
  return { user, product };
}

async function writeReview(page: Page, productId: number) {
  await page.goto(`/product/${productId}`);
  await page.getByRole("radio", { name: "4 étoiles" }).check();
  await page.getByLabel("Commentaire").fill(CONTENT);
}

const sendReview = (page: Page) => page.getByRole("button", { name: "Envoyer" }).click();

test("a review is sent after a login in a dialog over it", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, product } = await arrange((tx) => createBuyer(tx as Database));
  await openSession(page, user);
  await writeReview(page, product.id);
  await revoke(db, user.id);
  await sendReview(page);
  await expect(asked(page)).toContainText(EXPIRED);
  await expect(asked(page)).toContainText(user.email);
  await expect(asked(page).getByLabel("Mot de passe")).toBeFocused();
  for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await logInAgain(page, "faux");
  await expect(asked(page).getByText("Email ou mot de passe incorrect")).toBeVisible();
  await expect(page.getByLabel("Commentaire")).toHaveValue(CONTENT);
  await logInAgain(page);
  await expect(page.getByText(/^Votre avis a été soumis/)).toBeVisible();
  await expect(asked(page)).toBeHidden();
  await expect(page.getByRole("article", { name: "Votre avis" })).toContainText(CONTENT);
  const written = await db.select().from(reviews).where(eq(reviews.productId, product.id));
  expect(written).toMatchObject([{ userId: user.id, rating: 4, content: CONTENT }]);
  expect(await drafts(page)).toEqual([]);
  // The new session has both its storage and its cookie.
  expect(await sessionSides(page)).toEqual({ storage: true, cookie: true });
  await page.goto("/addresses");
  await expect(page).toHaveURL("/addresses");
});

test("after declining the login says why, and the draft is shown to its author only, until the logout", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, product } = await arrange((tx) => createBuyer(tx as Database));
  const other = await createUser({ db });
  await createOrder({ db, user: other, items: [{ product }] });
  await openSession(page, user);
  for (const ending of ["other", "logout"] as const) {
    await writeReview(page, product.id);
    await revoke(db, user.id);
    await sendReview(page);
    await asked(page).getByRole("button", { name: "Annuler" }).click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByText(EXPIRED)).toBeVisible();
    if (ending === "other") {
      await submitLogin({ page, email: other.email });
      await expect(page).toHaveURL(`/product/${product.id}`);
      await expect(page.getByLabel("Commentaire")).toHaveValue("");
      expect(await drafts(page)).toEqual([]);
      await logOut(page);
      await submitLogin({ page, email: user.email });
      await expect(page).toHaveURL("/");
    }
  }
  expect(await drafts(page)).toEqual([`draft:review/${product.id}`]);
  await submitLogin({ page, email: user.email });
  await expect(page).toHaveURL(`/product/${product.id}`);
  await expect(page.getByText(KEPT)).toBeVisible();
  await expect(page.getByLabel("Commentaire")).toHaveValue(CONTENT);
  await expect(page.getByRole("radio", { name: "4 étoiles" })).toBeChecked();
  await logOut(page);
  expect(await drafts(page)).toEqual([]);
});

test("the login over a form asks for the two-factor code, and keeps the typed text", async ({
  page,
  api,
  database: db,
}) => {
  const user = await createUser({ db });
  const { secret } = await turnTwoFactorOn({ api, token: await tokenOf(user) });
  await openSession(page, user);
  await page.goto("/profile");
  await page.getByLabel("Prénom").fill("Maëlle");
  await revoke(db, user.id);
  await page.getByRole("button", { name: "Désactiver la 2FA" }).click();
  await logInAgain(page);
  await asked(page).getByLabel("Code 2FA").fill(codeOf(secret, 1));
  await asked(page).getByRole("button", { name: "Se connecter" }).click();
  await expect(page.getByText("2FA désactivé avec succès.")).toBeVisible();
  await expect(page.getByLabel("Prénom")).toHaveValue("Maëlle");
  await page.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Informations mises à jour !")).toBeVisible();
  expect((await storedSession(page)).userLastName).toBe("Maëlle");
});

test("a form of the back office is saved after a login, and keeps what was typed", async ({
  page,
  database: db,
}) => {
  const tag = await createTag({ db, name: unique("Session ") });
  const path = `/backoffice/tags?search=${tag.name}`;
  const admin = await openScreen({ page, database: db, path });
  const form = page.getByRole("dialog", { name: /^Modifier/ });
  const edit = async (name: string) => {
    await rowOf(page, tag.name).getByRole("button", { name: "Modifier" }).click();
    await form.getByLabel("Nom").fill(name);
    await revoke(db, admin.id);
    await form.getByRole("button", { name: "Enregistrer" }).click();
  };
  await edit(`${tag.name} bis`);
  await logInAgain(page);
  await expect(page.getByText("Modification enregistrée.")).toBeVisible();
  await expect(rowOf(page, `${tag.name} bis`)).toBeVisible();

  page.on("dialog", (dialog) => dialog.accept());
  await edit(`${tag.name} ter`);
  await asked(page).getByRole("button", { name: "Annuler" }).click();
  await expect(page).toHaveURL(/\/login/);
  await submitLogin({ page, email: admin.email });
  await expect(page).toHaveURL(path.replace(" ", "%20"));
  await rowOf(page, tag.name).getByRole("button", { name: "Modifier" }).click();
  await expect(form.getByText(KEPT)).toBeVisible();
  await expect(form.getByLabel("Nom")).toHaveValue(`${tag.name} ter`);
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(page.getByText("Modification enregistrée.")).toBeVisible();
  await expect(rowOf(page, `${tag.name} ter`)).toBeVisible();
});
