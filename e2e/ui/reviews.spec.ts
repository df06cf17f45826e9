import type { Locator, Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { reviews } from "@/db/schema/reviews";
import { expectAccessible } from "../axe";
import { openSession } from "../browser-session";
import { deferred } from "../deferred";
import { expect, test } from "../fixtures";
import { holdRequests, releaseAndSettle } from "../hold-requests";
import {
  expectFocusKept,
  expectNoSidewaysScroll,
  settled,
  trackedBy,
  WIDTHS,
  watchLayoutShifts,
  watchRequests,
} from "../storefront";

const BOUGHT = "2026-02-03T09:00:00Z";
const OWN_CONTENT = "Le mien à moi.";

const section = (page: Page) => page.getByRole("region", { name: "Avis clients" });
const form = (page: Page) => section(page).getByRole("form");
const own = (page: Page) => section(page).getByRole("article", { name: "Votre avis" });
const comments = (area: Locator) => area.locator("li p[dir=auto]").filter({ visible: true });

/** A product with a buyer, validated reviews of others, and one of the buyer's own if rated. */
async function createReviewedProduct({
  db,
  ratings = [],
  ownRating,
}: {
  db: Database;
  ratings?: readonly number[];
  ownRating?: number;
}) {
  const product = await createProduct({ db });
  const buyer = await createUser({ db, firstName: "Élodie", lastName: "Durand" });
  await createOrder({ db, user: buyer, items: [{ product }], orderedAt: new Date(BOUGHT) });
  for (const [i, rating] of ratings.entries()) {
    const { id: userId } = await createUser({ db, firstName: `Ana${i}` });
    await createReview({
      db,
      productId: product.id,
      userId,
      rating,
      content: `Le numéro ${i} a ${rating} étoiles.`,
      publishedAt: new Date(Date.UTC(2026, 2, 1, 0, i)),
    });
  }
  if (ownRating !== undefined)
    await createReview({
      db,
      productId: product.id,
      userId: buyer.id,
      rating: ownRating,
      content: OWN_CONTENT,
    });
  return { product, buyer };
}

/** Opens a product as its buyer, who has not reviewed it. */
async function openAsBuyer({
  page,
  arrange,
}: {
  page: Page;
  arrange: <T>(write: (db: Database) => Promise<T>) => Promise<T>;
}) {
  const made = await arrange((db) => createReviewedProduct({ db }));
  await openSession(page, made.buyer);
  await page.goto(`/product/${made.product.id}`);
  return made;
}

/** Fills in the review form. */
async function rate(page: Page, stars: string, text: string): Promise<void> {
  await form(page).getByRole("radio", { name: stars }).check();
  await form(page).getByLabel("Commentaire").fill(text);
}

async function moderate({
  db,
  productId,
  ...values
}: { db: Database; productId: number } & Partial<typeof reviews.$inferInsert>) {
  await db.update(reviews).set(values).where(eq(reviews.productId, productId));
}

test("a review is written, moderated, edited, refused and deleted", async ({ page, arrange }) => {
  const { product } = await openAsBuyer({ page, arrange });
  await expect(section(page).getByText("Aucun avis pour le moment.")).toBeVisible();
  await rate(page, "4 étoiles", "Une théière qui ne goutte pas.");
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(
    section(page).getByText("Votre avis a été soumis et sera visible après modération. Merci !"),
  ).toBeVisible();
  await expect(own(page).getByText("Votre avis (en attente de validation)")).toBeVisible();
  await expect(own(page)).toContainText("Une théière qui ne goutte pas.");
  await expect(own(page)).toContainText("Élodie D.");
  await expect(own(page)).toContainText("Acheté le 03/02/2026");
  await expect(form(page)).toBeHidden();
  await expect(section(page).getByText("Aucun avis pour le moment.")).toBeVisible();

  await arrange((db) =>
    moderate({ db: db as Database, productId: product.id, status: "VALIDATED" }),
  );
  await page.reload();
  await expect(section(page).getByText("4,0 / 5")).toBeVisible();
  await expect(section(page).getByText("(1 avis)")).toBeVisible();
  await expect(own(page).getByText("Votre avis", { exact: true })).toBeVisible();
  await expect(section(page).getByText("Une théière qui ne goutte pas.")).toHaveCount(1);

  await own(page).getByRole("button", { name: "Modifier" }).click();
  await expect(form(page).getByLabel("Commentaire")).toHaveValue("Une théière qui ne goutte pas.");
  await expect(form(page).getByRole("radio", { name: "4 étoiles" })).toBeChecked();
  await form(page).getByRole("button", { name: "Annuler" }).click();
  await expect(own(page)).toContainText("Une théière qui ne goutte pas.");
  await expectFocusKept(page);
  await own(page).getByRole("button", { name: "Modifier" }).click();
  await form(page).getByLabel("Commentaire").fill("Finalement, elle goutte un peu.");
  await form(page).getByRole("radio", { name: "2 étoiles" }).check();
  await form(page).getByRole("button", { name: "Enregistrer" }).click();
  await expect(
    section(page).getByText(
      "Votre avis a été modifié avec succès et sera visible après modération.",
    ),
  ).toBeVisible();
  await expect(own(page).getByText("Votre avis (en attente de validation)")).toBeVisible();
  // The average no longer includes the review.
  await expect(section(page).getByText("Aucun avis pour le moment.")).toBeVisible();

  await arrange((db) =>
    moderate({
      db: db as Database,
      productId: product.id,
      status: "REJECTED",
      rejectionReason: "Il parle d'une autre théière.",
    }),
  );
  await page.reload();
  await expect(own(page).getByText("Rejeté", { exact: true })).toBeVisible();
  await expect(own(page)).toContainText("Il parle d'une autre théière.");

  await own(page).getByRole("button", { name: "Supprimer" }).click();
  const dialog = page.getByRole("dialog", { name: "Supprimer votre avis" });
  await expect(dialog.getByRole("button", { name: "Annuler" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(own(page).getByRole("button", { name: "Supprimer" })).toBeFocused();
  await own(page).getByRole("button", { name: "Supprimer" }).click();
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await expect(section(page).getByText("Avis supprimé avec succès")).toBeVisible();
  await expect(own(page)).toBeHidden();
  await expect(form(page).getByRole("button", { name: "Envoyer" })).toBeVisible();
  // The focus moves from the button to the result.
  await expect(page.locator(":focus")).toContainText("Avis supprimé avec succès");
  expect(await trackedBy(page)).toContainEqual([
    "trackEvent",
    "Compte",
    "Suppression",
    "avis",
    undefined,
  ]);
});

test("a review can be written and sent by keyboard alone, and the focus stays on it", async ({
  page,
  arrange,
}) => {
  await openAsBuyer({ page, arrange });
  const stars = form(page).getByRole("radiogroup", { name: "Note" });
  await expect(stars.getByRole("radio")).toHaveCount(5);
  await expect(stars.getByRole("radio", { checked: true })).toHaveCount(0);
  await stars.getByRole("radio", { name: "1 étoile", exact: true }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowLeft");
  await expect(stars.getByRole("radio", { name: "3 étoiles" })).toBeChecked();
  await page.keyboard.press("Tab");
  await expect(form(page).getByLabel("Commentaire")).toBeFocused();
  await page.keyboard.type("Correcte, sans plus.");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(own(page)).toContainText("Correcte, sans plus.");
  await page.keyboard.press("Tab");
  await expect(own(page).getByRole("button", { name: "Modifier" })).toBeFocused();
});

test.describe("by touch", () => {
  test.use({ hasTouch: true });

  test("a finger chooses the stars, and the message after sending is visible", async ({
    page,
    arrange,
  }) => {
    await page.setViewportSize({ width: WIDTHS.phone, height: 640 });
    await openAsBuyer({ page, arrange });
    const stars = form(page).getByRole("radiogroup", { name: "Note" });
    for (const label of ["5 étoiles", "2 étoiles"]) {
      await stars.locator("label", { hasText: label }).tap();
      await expect(stars.getByRole("radio", { name: label })).toBeChecked();
    }
    const sizes = await stars
      .locator("label")
      .evaluateAll((all) => all.map((label) => label.getBoundingClientRect().width));
    for (const size of sizes) expect(size).toBeGreaterThanOrEqual(24);
    await form(page).getByLabel("Commentaire").fill("Une théière qui ne goutte pas.");
    const send = form(page).getByRole("button", { name: "Envoyer" });
    await send.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await send.click();
    await expect(
      page.getByText("Votre avis a été soumis et sera visible après modération. Merci !"),
    ).toBeInViewport({ ratio: 1 });
  });
});

test("missing fields, and a missing user id, show errors before anything is sent", async ({
  page,
  arrange,
}) => {
  const sent = watchRequests(page, "/api/reviews_create");
  await openAsBuyer({ page, arrange });
  await form(page).getByLabel("Commentaire").fill("Trop bref");
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(form(page).getByText("Veuillez attribuer une note")).toBeVisible();
  await expect(
    form(page).getByText("Veuillez saisir un commentaire d'au moins 10 caractères"),
  ).toBeVisible();
  await expect(form(page).getByLabel("Commentaire")).toHaveValue("Trop bref");
  await expectAccessible(page);
  await form(page).getByRole("radio", { name: "5 étoiles" }).check();
  await expect(form(page).getByText("Veuillez attribuer une note")).toBeHidden();
  await form(page).getByLabel("Commentaire").fill("Un texte de personne.");
  await page.evaluate(() => localStorage.removeItem("userId"));
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(form(page).getByRole("alert")).toHaveText(
    "Erreur d'authentification. Veuillez vous reconnecter.",
  );
  expect(sent).toEqual([]);
});

test("each refusal has its message, and the text is kept", async ({ page, arrange, problems }) => {
  problems.allow(422, 500, 503, /ERR_FAILED/);
  await openAsBuyer({ page, arrange });
  await rate(page, "3 étoiles", "Un texte qui doit rester.");
  const violations = [
    { propertyPath: "content", message: "Non." },
    { propertyPath: "rating", message: "Jamais." },
  ];
  for (const { status, json, text } of [
    { status: 422, json: { violations }, text: "content: Non.\nrating: Jamais." },
    {
      status: 500,
      json: { error: "Une erreur interne est survenue." },
      text: "Erreur lors de la soumission de l'avis. Veuillez réessayer.",
    },
  ]) {
    await page.route("**/api/reviews_create", (route) => route.fulfill({ status, json }));
    await form(page).getByRole("button", { name: "Envoyer" }).click();
    await expect(form(page).getByRole("alert")).toHaveText(text, { useInnerText: true });
    await expect(form(page).getByLabel("Commentaire")).toHaveValue("Un texte qui doit rester.");
    await expect(form(page).getByRole("radio", { name: "3 étoiles" })).toBeChecked();
    await page.unroute("**/api/reviews_create");
  }
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(own(page)).toContainText("Un texte qui doit rester.");

  await page.route("**/api/reviews_edit/*", (route) => route.abort());
  await own(page).getByRole("button", { name: "Modifier" }).click();
  await form(page).getByRole("button", { name: "Enregistrer" }).click();
  await expect(form(page).getByRole("alert")).toHaveText(
    "Erreur lors de la modification de l'avis.",
  );
  await form(page).getByRole("button", { name: "Annuler" }).click();
  await page.route(/\/api\/reviews\/\d+$/, (route) => route.fulfill({ status: 503, json: {} }));
  await own(page).getByRole("button", { name: "Supprimer" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await expect(dialog.getByRole("alert")).toHaveText("Erreur lors de la suppression de l'avis");
});

test("a review that a moderator deletes can be written anew", async ({
  page,
  arrange,
  database: db,
  problems,
}) => {
  problems.allow(404);
  const { product, buyer } = await arrange((db) => createReviewedProduct({ db }));
  const written = { db, productId: product.id, userId: buyer.id, status: "PENDING" } as const;
  const { id } = await createReview({ ...written, content: "Mon premier avis." });
  await openSession(page, buyer);
  await page.goto(`/product/${product.id}`);
  await own(page).getByRole("button", { name: "Modifier" }).click();
  await form(page).getByLabel("Commentaire").fill("Un texte qui doit rester.");
  await db.delete(reviews).where(eq(reviews.id, id));
  await form(page).getByRole("button", { name: "Enregistrer" }).click();
  await expect(form(page).getByRole("heading")).toHaveText("Donner votre avis");
  await expect(form(page).getByRole("alert")).toHaveText("404 – Élément introuvable.");
  await expect(form(page).getByLabel("Commentaire")).toHaveValue("Un texte qui doit rester.");
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(own(page)).toContainText("Un texte qui doit rester.");

  // Deleting a review that is already deleted succeeds.
  await db.delete(reviews).where(eq(reviews.productId, product.id));
  await own(page).getByRole("button", { name: "Supprimer" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Supprimer" }).click();
  await expect(section(page).getByText("Avis supprimé avec succès")).toBeVisible();
  await expect(own(page)).toHaveCount(0);
  await expect(form(page).getByLabel("Commentaire")).toHaveValue("");
});

test("a review that was written in another tab meanwhile is shown", async ({
  page,
  arrange,
  database: db,
  problems,
}) => {
  problems.allow(409);
  const { product, buyer } = await openAsBuyer({ page, arrange });
  await rate(page, "3 étoiles", "Un texte de trop.");
  const content = "Celui de l’autre onglet.";
  const written = { productId: product.id, userId: buyer.id, status: "PENDING" } as const;
  await createReview({ db, ...written, content });
  await form(page).getByRole("button", { name: "Envoyer" }).click();
  await expect(own(page)).toContainText(content);
  await expect(form(page)).toHaveCount(0);
  await expect(section(page).getByRole("alert")).toHaveText(
    "409 – Vous avez déjà laissé un avis sur ce produit.",
  );
  await expect(page.locator(":focus")).toContainText(content);
  await own(page).getByRole("button", { name: "Modifier" }).click();
  await expect(form(page).getByLabel("Commentaire")).toHaveValue(content);
});

test("only those who are logged in and bought it get the form", async ({
  page,
  arrange,
  database: db,
  problems,
}) => {
  const { product } = await arrange((tx) => createReviewedProduct({ db: tx, ratings: [4] }));
  const asked = watchRequests(page, `/api/check-purchase/${product.id}`);
  await page.goto(`/product/${product.id}`);
  const invitation = section(page).getByRole("link", {
    name: "Connectez-vous pour laisser un avis sur ce produit.",
  });
  await expect(invitation).toHaveAttribute("href", `/login?retour=/product/${product.id}`);
  const review = await comments(section(page)).first().boundingBox();
  const below = await invitation.boundingBox();
  expect(below?.y, "invitation after the reviews").toBeGreaterThan(review?.y ?? Infinity);
  await expect(form(page)).toHaveCount(0);
  expect(asked).toEqual([]);

  await openSession(page, await createUser({ db }));
  await page.goto(`/product/${product.id}?category=1`);
  await expect(
    section(page).getByText("Vous devez acheter ce produit avant de pouvoir laisser un avis."),
  ).toBeVisible();
  await expect(section(page).getByText("Connectez-vous pour laisser un avis")).toHaveCount(0);
  await expect(form(page)).toHaveCount(0);

  // An invalid token does not redirect from the page.
  problems.allow(401);
  await page.evaluate(() => localStorage.setItem("token", "abc.def.ghi"));
  await page.reload();
  await expect(
    section(page)
      .getByText("Connectez-vous pour laisser un avis sur ce produit.")
      .filter({ visible: true }),
  ).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/product/${product.id}`));
});

test("a failed load shows an error, and can be retried", async ({ page, arrange, problems }) => {
  problems.allow(/ERR_FAILED/);
  const { product, buyer } = await arrange((db) => createReviewedProduct({ db, ratings: [5] }));
  await openSession(page, buyer);
  await page.route("**/api/reviews?product=*", (route) => route.abort());
  await page.goto(`/product/${product.id}`);
  await expect(section(page).getByRole("alert")).toHaveText(
    "Impossible de charger les avis. Veuillez réessayer plus tard.",
  );
  await page.unroute("**/api/reviews?product=*");
  await section(page).getByRole("button", { name: "Réessayer" }).click();
  await expect(form(page)).toBeVisible();
});

test("a response after the logout does not change the list", async ({ page, arrange }) => {
  const { product, buyer } = await arrange((db) =>
    createReviewedProduct({ db, ratings: [5, 4], ownRating: 3 }),
  );
  const release = await holdRequests(page, "**/api/check-purchase/*");
  await openSession(page, buyer);
  const asked = page.waitForRequest("**/api/check-purchase/*");
  await page.goto(`/product/${product.id}`);
  await asked;
  await page.evaluate(() => {
    localStorage.removeItem("token");
    window.dispatchEvent(new Event("auth-changed"));
  });
  await expect(section(page).getByText("Connectez-vous pour laisser un avis")).toBeVisible();
  await releaseAndSettle({ page, url: "**/api/check-purchase/*", release });
  await expect(comments(section(page))).toHaveCount(3);
});

test("the visitor chooses the order of the reviews, with their own always first", async ({
  page,
  arrange,
}) => {
  const { product, buyer } = await arrange(async (db) => {
    const made = await createReviewedProduct({ db, ratings: [5, 1, 3, 5, 2, 4], ownRating: 3 });
    for (const status of ["PENDING", "REJECTED"] as const) {
      const { id: userId } = await createUser({ db });
      const content = "Un avis que personne ne voit.";
      await createReview({ db, productId: made.product.id, userId, status, content });
    }
    return made;
  });
  await page.goto(`/product/${product.id}`);
  await expect(page.getByText(/que personne ne voit|Durand/)).toHaveCount(0);
  const list = section(page);
  const shown = async () =>
    (await comments(list).allTextContents()).map((text) => /numéro (\d)/.exec(text)?.[1] ?? "own");
  const order = list.getByLabel("Trier les avis");
  await expect.poll(shown).toEqual(["own", "5", "4", "3", "2"]);
  await order.selectOption("Les meilleurs");
  await expect.poll(shown).toEqual(["3", "0", "5", "own", "2"]);
  await order.selectOption("Les moins bons");
  await expect.poll(shown).toEqual(["1", "4", "own", "2", "5"]);
  await expect(
    list.getByRole("button", { name: "Voir plus (2 avis supplémentaires)" }),
  ).toBeVisible();

  await openSession(page, buyer);
  await page.goto(`/product/${product.id}`);
  await expect(own(page)).toContainText(OWN_CONTENT);
  await expect.poll(shown).toEqual(["5", "4", "3", "2"]);
  await expect(
    list.getByRole("button", { name: "Voir plus (2 avis supplémentaires)" }),
  ).toBeVisible();
  await list.getByLabel("Trier les avis").selectOption("Les moins bons");
  await expect.poll(shown).toEqual(["1", "4", "2", "5"]);
  await expect(list.getByText(OWN_CONTENT)).toHaveCount(1);
});

test("a bar lists the reviews with its rating, and is undone by keyboard", async ({
  page,
  arrange,
}) => {
  const { product } = await arrange((db) =>
    createReviewedProduct({ db, ratings: [5, 5, 1, 5, 3, 5, 5, 5, 5] }),
  );
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  const bars = list.getByRole("group", { name: "Avis par note" });
  const counts = await bars
    .getByRole("button")
    .evaluateAll((all) => all.map((bar) => [bar.textContent, (bar as HTMLButtonElement).disabled]));
  expect(counts).toEqual([
    ["5 étoiles7 avis", false],
    ["4 étoiles0 avis", true],
    ["3 étoiles1 avis", false],
    ["2 étoiles0 avis", true],
    ["1 étoile1 avis", false],
  ]);
  const bar = (stars: string) => bars.getByRole("button", { name: stars });
  await bar("1 étoile").press("Enter");
  await expect(comments(list)).toHaveText(["Le numéro 2 a 1 étoiles."]);
  await expect(list.getByText("1 avis avec 1 étoile")).toBeVisible();
  await expect(bar("1 étoile")).toHaveAttribute("aria-pressed", "true");
  await expect(list.getByRole("button", { name: /Voir plus/ })).toHaveCount(0);
  await expectAccessible(page);
  await bar("5 étoiles").press("Enter");
  await expect(comments(list)).toHaveCount(5);
  await expect(
    list.getByRole("button", { name: "Voir plus (2 avis supplémentaires)" }),
  ).toBeVisible();
  await list.getByLabel("Trier les avis").selectOption("Les moins bons");
  await expect(comments(list).first()).toHaveText("Le numéro 8 a 5 étoiles.");
  await bar("5 étoiles").press("Enter");
  await expect(comments(list).first()).toHaveText("Le numéro 2 a 1 étoiles.");
  await expect(
    list.getByRole("button", { name: "Voir plus (4 avis supplémentaires)" }),
  ).toBeVisible();
});

test("an order that cannot be loaded changes nothing, and a bar finds reviews not loaded yet", async ({
  page,
  arrange,
  problems,
}) => {
  problems.allow(/ERR_FAILED/);
  const ratings = [2, 1, ...Array(60).fill(5)];
  const { product } = await arrange((db) => createReviewedProduct({ db, ratings }));
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  const { promise: mayAnswer, resolve: fail } = deferred();
  await page.route("**/api/reviews?product=*", async (route) => {
    await mayAnswer;
    await route.abort();
  });
  const order = list.getByLabel("Trier les avis");
  await order.selectOption("Les moins bons");
  await expect(order).toHaveAttribute("aria-busy", "true");
  await expect(order).toHaveValue("worst");
  fail();
  await expect(list.getByRole("alert")).toHaveText(
    "Impossible de charger les avis. Veuillez réessayer plus tard.",
  );
  await expect(order).toHaveValue("newest");
  await expect(comments(list)).toHaveCount(5);
  await page.unroute("**/api/reviews?product=*");

  await list.getByRole("button", { name: /^2 étoiles\s*1 avis$/ }).click();
  await expect(comments(list)).toHaveText(["Le numéro 0 a 2 étoiles."]);
  await list.getByRole("button", { name: "Voir tous les avis" }).click();
  await expect(comments(list).first()).toHaveText("Le numéro 61 a 5 étoiles.");
  await expect(
    list.getByRole("button", { name: "Voir plus (57 avis supplémentaires)" }),
  ).toBeVisible();
});

test("all of many reviews can be read, in any order", async ({ page, arrange }) => {
  const ratings = Array.from({ length: 120 }, (_, i) => (i === 0 ? 1 : i === 1 ? 2 : 3 + (i % 3)));
  const { product } = await arrange((db) => createReviewedProduct({ db, ratings }));
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  await expect(comments(list)).toHaveCount(5);
  // The worst reviews are the oldest ones, which the page does not contain yet.
  await list.getByLabel("Trier les avis").selectOption("Les moins bons");
  await expect(comments(list).first()).toHaveText("Le numéro 0 a 1 étoiles.");
  await expect(comments(list).nth(1)).toHaveText("Le numéro 1 a 2 étoiles.");
  await list.getByRole("button", { name: "Voir plus (115 avis supplémentaires)" }).click();
  await expect(comments(list)).toHaveCount(50);
  const more = list.getByRole("button", { name: "Afficher les avis suivants" });
  await more.click();
  await expect(comments(list)).toHaveCount(100);
  await more.click();
  await expect(comments(list)).toHaveCount(120);
  await expect(more).toBeHidden();
  const texts = await comments(list).allTextContents();
  expect(new Set(texts).size).toBe(120);
  const stars = texts.map((text) => Number(/a (\d)/.exec(text)?.[1]));
  expect(stars).toEqual(stars.toSorted((a, b) => a - b));
  await list.getByRole("button", { name: "Voir moins" }).click();
  await expect(comments(list)).toHaveCount(5);
  expect(await trackedBy(page)).toContainEqual(["trackEvent", "Avis", "Voir plus", undefined, 115]);
});

test("all reviews can be read while others are published", async ({
  page,
  arrange,
  database: db,
}) => {
  const ratings = Array(120).fill(4);
  const { product } = await arrange((db) => createReviewedProduct({ db, ratings }));
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  await list.getByRole("button", { name: "Voir plus (115 avis supplémentaires)" }).click();
  await expect.poll(() => comments(list).count()).toBeGreaterThan(5);
  const known = await comments(list).count();
  // Enough new reviews that the page knows the whole next page already.
  for (let i = 0; i < known + 5; i++) {
    const author = await createUser({ db });
    const content = `Paru entre-temps, le numéro ${i}.`;
    await createReview({ db, productId: product.id, userId: author.id, rating: 4, content });
  }
  const more = list.getByRole("button", { name: "Afficher les avis suivants" });
  await expect(async () => {
    // The button may disappear as soon as its reviews are shown.
    if (await more.isVisible()) await more.click({ timeout: 2_000 });
    await expect(comments(list).filter({ hasText: /^Le numéro/ })).toHaveCount(120, {
      timeout: 500,
    });
    await expect(more).toBeHidden({ timeout: 500 });
  }).toPass({ timeout: 20_000 });
});

test("a visitor's own review that is deleted does not come back among those already loaded", async ({
  page,
  arrange,
}) => {
  const { product, buyer } = await arrange((db) =>
    createReviewedProduct({ db, ratings: Array(60).fill(5), ownRating: 1 }),
  );
  await openSession(page, buyer);
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  await expect(own(page)).toContainText(OWN_CONTENT);
  const more = list.getByRole("button", { name: "Voir plus (56 avis supplémentaires)" });
  await expect(more).toBeVisible();
  const order = list.getByLabel("Trier les avis");
  await order.selectOption("Les moins bons");
  await expect(order).toHaveValue("worst");
  await expect(order).toHaveAttribute("aria-busy", "false");
  await own(page).getByRole("button", { name: "Supprimer" }).click();
  const dialog = page.getByRole("dialog", { name: "Supprimer votre avis" });
  await dialog.getByRole("button", { name: "Supprimer" }).click();
  await expect(list.getByText("Avis supprimé avec succès")).toBeVisible();
  await expect(own(page)).toBeHidden();
  await expect(list.getByText("(60 avis)")).toBeVisible();
  await expect(list.getByText(OWN_CONTENT)).toHaveCount(0);
  await expect(comments(list)).toHaveCount(5);
  await list.getByRole("button", { name: "Voir plus (55 avis supplémentaires)" }).click();
  // The next review has moved up to the deleted review's page.
  for (const count of [50, 60]) {
    await list.getByRole("button", { name: "Afficher les avis suivants" }).click();
    await expect(comments(list)).toHaveCount(count);
  }
  await expect(list.getByText(OWN_CONTENT)).toHaveCount(0);
});

test("the legal notice and the dates of publication and purchase are shown with the reviews", async ({
  page,
  arrange,
}) => {
  const product = await arrange(async (db) => {
    const product = await createProduct({ db });
    for (const purchasedAt of [new Date(BOUGHT), null]) {
      const { id: userId } = await createUser({ db });
      const publishedAt = new Date("2026-02-20T12:00:00Z");
      await createReview({ db, productId: product.id, userId, publishedAt, purchasedAt });
    }
    return product;
  });
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  await expect(list.getByText("Publié le 20/02/2026 · Acheté le 03/02/2026")).toBeVisible();
  await expect(list.getByText("Publié le 20/02/2026 · Achat non vérifié")).toBeVisible();
  await expect(list.getByText(/Seuls les clients qui ont acheté ce produit/)).toBeVisible();
  const more = list.getByText("Comment nous recueillons les avis");
  await more.click();
  for (const words of [
    /lu par notre équipe avant d’être publié/,
    /classés du plus récent au plus ancien/,
    /Aucune contrepartie/,
    /Aucun délai maximal/,
    /modifier ou supprimer son avis/,
  ])
    await expect(list.getByText(words)).toBeVisible();
  await expect(list.getByRole("link", { name: "Signalez-le-nous" })).toHaveAttribute(
    "href",
    "/contact",
  );
});

const WILD = [
  "Anticonstitutionnellement".repeat(60),
  `نص عربي جميل جدا ${"\u202e"} 日本語のとても長いレビュー ${"👩‍👩‍👧‍👦".repeat(20)}`,
  `Z${"\u0351\u036b\u0343\u036a".repeat(40)}algo qui monte et qui descend`,
  "<img src=x onerror='window.broken=1'></script><b>&amp;",
  `Ligne\n\n${"une autre ligne\n".repeat(30)}fin`,
];

for (const width of [WIDTHS.phone, WIDTHS.desktop])
  test(`any text fits into the page, which is accessible and does not shift, at ${width} px`, async ({
    page,
    arrange,
  }) => {
    const { product, author } = await arrange(async (db) => {
      const { product, buyer: author } = await createReviewedProduct({ db, ratings: [2] });
      for (const content of WILD) {
        const { id: userId } = await createUser({ db, firstName: content.slice(0, 200) });
        await createReview({ db, productId: product.id, userId, content });
      }
      await createReview({
        db,
        productId: product.id,
        userId: author.id,
        status: "REJECTED",
        content: WILD.join(" "),
        rejectionReason: WILD[0] ?? null,
      });
      return { product, author };
    });
    await page.setViewportSize({ width, height: 900 });
    const shifts = await watchLayoutShifts(page);
    await openSession(page, author);
    await page.goto(`/product/${product.id}`);
    await settled(page);
    await expect(own(page)).toBeVisible();
    expect(await shifts.list(), "layout shifts").toEqual([]);
    await section(page)
      .getByRole("button", { name: /Voir plus/ })
      .click();
    await expect(comments(section(page))).toHaveCount(6);
    await expectNoSidewaysScroll(page);
    expect(await page.evaluate(() => "broken" in window)).toBe(false);
    const spill = await comments(section(page)).evaluateAll(
      (all) => all.filter((text) => getComputedStyle(text).overflowY === "visible").length,
    );
    expect(spill).toBe(0);
    await expectAccessible(page);
    await own(page).getByRole("button", { name: "Modifier" }).click();
    await expect(form(page).getByLabel("Commentaire")).toHaveValue(/Anticonstitutionnellement/);
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
    await form(page).getByRole("button", { name: "Annuler" }).click();
    await own(page).getByRole("button", { name: "Supprimer" }).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await expectAccessible(page);
  });

test("a visitor without an account does not load the review form's code", async ({ page }) => {
  const loading: Promise<string>[] = [];
  page.on("response", (response) => {
    if (!/\/_next\/static\/.*\.js/.test(response.url())) return;
    loading.push(response.text().catch(() => ""));
  });
  await page.goto("/product/34");
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
  await settled(page);
  const scripts = await Promise.all(loading);
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((text) => text.includes("reviews_create"))).toEqual([]);
});
