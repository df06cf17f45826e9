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
const CANNOT_LOAD = "Impossible de charger les avis. Veuillez réessayer plus tard.";
const LIST = "**/api/reviews?product=*";

const section = (page: Page) => page.getByRole("region", { name: "Avis clients" });
const form = (page: Page) => section(page).getByRole("form");
const own = (page: Page) => section(page).getByRole("article", { name: "Votre avis" });
const comment = (page: Page) => form(page).getByLabel("Commentaire");
const button = (area: Locator, name: string | RegExp) => area.getByRole("button", { name });
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
  const productId = product.id;
  for (const [i, rating] of ratings.entries()) {
    const { id: userId } = await createUser({ db, firstName: `Ana${i}` });
    const content = `Le numéro ${i} a ${rating} étoiles.`;
    const publishedAt = new Date(Date.UTC(2026, 2, 1, 0, i));
    await createReview({ db, productId, userId, rating, content, publishedAt });
  }
  if (ownRating !== undefined) {
    const review = { userId: buyer.id, rating: ownRating, content: OWN_CONTENT };
    await createReview({ db, productId, ...review });
  }
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
  await comment(page).fill(text);
}

/** Deletes the visitor's own review, and confirms it. */
async function deleteOwn(page: Page): Promise<void> {
  await button(own(page), "Supprimer").click();
  const dialog = page.getByRole("dialog", { name: "Supprimer votre avis" });
  await button(dialog, "Supprimer").click();
}

test("a review is written, moderated, edited, refused and deleted", async ({ page, arrange }) => {
  const { product } = await openAsBuyer({ page, arrange });
  const list = section(page);
  const moderate = (values: Partial<typeof reviews.$inferInsert>) =>
    arrange((db) => db.update(reviews).set(values).where(eq(reviews.productId, product.id)));

  await test.step("written and sent by keyboard alone, with the focus staying on it", async () => {
    await expect(list.getByText("Aucun avis pour le moment.")).toBeVisible();
    const stars = form(page).getByRole("radiogroup", { name: "Note" });
    await expect(stars.getByRole("radio")).toHaveCount(5);
    await expect(stars.getByRole("radio", { checked: true })).toHaveCount(0);
    await stars.getByRole("radio", { name: "1 étoile", exact: true }).focus();
    await page.keyboard.press("Space");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowLeft");
    await expect(stars.getByRole("radio", { name: "4 étoiles" })).toBeChecked();
    await page.keyboard.press("Tab");
    await expect(comment(page)).toBeFocused();
    await page.keyboard.type("Une théière qui ne goutte pas.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(
      list.getByText("Votre avis a été soumis et sera visible après modération. Merci !"),
    ).toBeVisible();
    await expect(own(page).getByText("Votre avis (en attente de validation)")).toBeVisible();
    for (const text of ["Une théière qui ne goutte pas.", "Élodie D.", "Acheté le 03/02/2026"])
      await expect(own(page)).toContainText(text);
    await expect(form(page)).toBeHidden();
    await expect(list.getByText("Aucun avis pour le moment.")).toBeVisible();
    await page.keyboard.press("Tab");
    await expect(button(own(page), "Modifier")).toBeFocused();
  });

  await test.step("shown to all after its validation", async () => {
    await moderate({ status: "VALIDATED" });
    await page.reload();
    await expect(list.getByText("4,0 / 5")).toBeVisible();
    await expect(list.getByText("(1 avis)")).toBeVisible();
    await expect(own(page).getByText("Votre avis", { exact: true })).toBeVisible();
    await expect(list.getByText("Une théière qui ne goutte pas.")).toHaveCount(1);
  });

  await test.step("edited, which takes it from the list and the average", async () => {
    await button(own(page), "Modifier").click();
    await expect(comment(page)).toHaveValue("Une théière qui ne goutte pas.");
    await expect(form(page).getByRole("radio", { name: "4 étoiles" })).toBeChecked();
    await button(form(page), "Annuler").click();
    await expect(own(page)).toContainText("Une théière qui ne goutte pas.");
    await expectFocusKept(page);
    await button(own(page), "Modifier").click();
    await rate(page, "2 étoiles", "Finalement, elle goutte un peu.");
    await button(form(page), "Enregistrer").click();
    await expect(
      list.getByText("Votre avis a été modifié avec succès et sera visible après modération."),
    ).toBeVisible();
    await expect(own(page).getByText("Votre avis (en attente de validation)")).toBeVisible();
    await expect(list.getByText("Aucun avis pour le moment.")).toBeVisible();
  });

  await test.step("refused for a reason, and deleted", async () => {
    await moderate({ status: "REJECTED", rejectionReason: "Il parle d'une autre théière." });
    await page.reload();
    await expect(own(page).getByText("Rejeté", { exact: true })).toBeVisible();
    await expect(own(page)).toContainText("Il parle d'une autre théière.");
    await button(own(page), "Supprimer").click();
    await expect(button(page.getByRole("dialog"), "Annuler")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
    await expect(button(own(page), "Supprimer")).toBeFocused();
    await deleteOwn(page);
    await expect(list.getByText("Avis supprimé avec succès")).toBeVisible();
    await expect(own(page)).toBeHidden();
    await expect(button(form(page), "Envoyer")).toBeVisible();
    await expect(page.locator(":focus")).toContainText("Avis supprimé avec succès");
    const deletion = ["trackEvent", "Compte", "Suppression", "avis", undefined];
    expect(await trackedBy(page)).toContainEqual(deletion);
  });
});

test.describe("by touch", () => {
  test.use({ hasTouch: true, viewport: { width: WIDTHS.phone, height: 640 } });

  test("nothing is sent while a field or the user id is missing; then the message is in view", async ({
    page,
    arrange,
  }) => {
    const sent = watchRequests(page, "/api/reviews_create");
    const { buyer } = await openAsBuyer({ page, arrange });
    const send = button(form(page), "Envoyer");
    await comment(page).fill("Trop bref");
    await send.click();
    const noStars = form(page).getByText("Veuillez attribuer une note");
    await expect(noStars).toBeVisible();
    await expect(
      form(page).getByText("Veuillez saisir un commentaire d'au moins 10 caractères"),
    ).toBeVisible();
    await expect(comment(page)).toHaveValue("Trop bref");
    await expectAccessible(page);

    const labels = form(page).getByRole("radiogroup", { name: "Note" }).locator("label");
    for (const name of ["5 étoiles", "2 étoiles"]) {
      await labels.filter({ hasText: name }).tap();
      await expect(form(page).getByRole("radio", { name })).toBeChecked();
    }
    const widths = await labels.evaluateAll((all) =>
      all.map((label) => label.getBoundingClientRect().width),
    );
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(24);
    await expect(noStars).toBeHidden();

    await comment(page).fill("Une théière qui ne goutte pas.");
    await page.evaluate(() => localStorage.removeItem("userId"));
    await send.click();
    await expect(form(page).getByRole("alert")).toHaveText(
      "Erreur d'authentification. Veuillez vous reconnecter.",
    );
    expect(sent).toEqual([]);
    await page.evaluate((id) => localStorage.setItem("userId", id), String(buyer.id));
    await send.evaluate((element) => element.scrollIntoView({ block: "center" }));
    await send.click();
    await expect(page.getByText(/^Votre avis a été soumis/)).toBeInViewport({ ratio: 1 });
  });
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
    await button(form(page), "Envoyer").click();
    await expect(form(page).getByRole("alert")).toHaveText(text, { useInnerText: true });
    await expect(comment(page)).toHaveValue("Un texte qui doit rester.");
    await expect(form(page).getByRole("radio", { name: "3 étoiles" })).toBeChecked();
    await page.unroute("**/api/reviews_create");
  }
  await button(form(page), "Envoyer").click();
  await expect(own(page)).toContainText("Un texte qui doit rester.");

  await page.route("**/api/reviews_edit/*", (route) => route.abort());
  await button(own(page), "Modifier").click();
  await button(form(page), "Enregistrer").click();
  await expect(form(page).getByRole("alert")).toHaveText(
    "Erreur lors de la modification de l'avis.",
  );
  await button(form(page), "Annuler").click();
  await page.route(/\/api\/reviews\/\d+$/, (route) => route.fulfill({ status: 503, json: {} }));
  await deleteOwn(page);
  await expect(page.getByRole("dialog").getByRole("alert")).toHaveText(
    "Erreur lors de la suppression de l'avis",
  );
});

test("a review written in another tab is shown; one deleted meanwhile can be written anew", async ({
  page,
  arrange,
  database: db,
  problems,
}) => {
  problems.allow(404, 409);
  const { product, buyer } = await openAsBuyer({ page, arrange });
  const deleteStored = () => db.delete(reviews).where(eq(reviews.productId, product.id));

  await rate(page, "3 étoiles", "Un texte de trop.");
  const content = "Celui de l’autre onglet.";
  const written = { productId: product.id, userId: buyer.id, status: "PENDING" } as const;
  await createReview({ db, ...written, content });
  await button(form(page), "Envoyer").click();
  await expect(own(page)).toContainText(content);
  await expect(form(page)).toHaveCount(0);
  await expect(section(page).getByRole("alert")).toHaveText(
    "409 – Vous avez déjà laissé un avis sur ce produit.",
  );
  await expect(page.locator(":focus")).toContainText(content);

  await button(own(page), "Modifier").click();
  await expect(comment(page)).toHaveValue(content);
  await comment(page).fill("Un texte qui doit rester.");
  await deleteStored();
  await button(form(page), "Enregistrer").click();
  await expect(form(page).getByRole("heading")).toHaveText("Donner votre avis");
  await expect(form(page).getByRole("alert")).toHaveText("404 – Élément introuvable.");
  await expect(comment(page)).toHaveValue("Un texte qui doit rester.");
  await button(form(page), "Envoyer").click();
  await expect(own(page)).toContainText("Un texte qui doit rester.");

  await deleteStored();
  await deleteOwn(page);
  await expect(section(page).getByText("Avis supprimé avec succès")).toBeVisible();
  await expect(own(page)).toHaveCount(0);
  await expect(comment(page)).toHaveValue("");
});

test("everybody reads the reviews and how they are collected; only buyers get the form", async ({
  page,
  arrange,
  database: db,
  problems,
}) => {
  const { id: productId } = await arrange(async (tx) => {
    const product = await createProduct({ db: tx });
    for (const purchasedAt of [new Date(BOUGHT), null]) {
      const { id: userId } = await createUser({ db: tx });
      const dates = { publishedAt: new Date("2026-02-20T12:00:00Z"), purchasedAt };
      await createReview({ db: tx, productId: product.id, userId, ...dates });
    }
    return product;
  });
  const list = section(page);
  const asked = watchRequests(page, `/api/check-purchase/${productId}`);
  const scripts: Promise<string>[] = [];
  page.on("response", (response) => {
    if (/\/_next\/static\/.*\.js/.test(response.url()))
      scripts.push(response.text().catch(() => ""));
  });
  const INVITATION = "Connectez-vous pour laisser un avis sur ce produit.";

  await test.step("a visitor, without the form's code", async () => {
    await page.goto(`/product/${productId}`);
    const invitation = list.getByRole("link", { name: INVITATION });
    await expect(invitation).toHaveAttribute("href", `/login?retour=/product/${productId}`);
    const review = await comments(list).last().boundingBox();
    const below = await invitation.boundingBox();
    expect(below?.y, "invitation after the reviews").toBeGreaterThan(review?.y ?? Infinity);
    await expect(form(page)).toHaveCount(0);
    expect(asked).toEqual([]);

    await expect(list.getByText("Publié le 20/02/2026 · Acheté le 03/02/2026")).toBeVisible();
    await expect(list.getByText("Publié le 20/02/2026 · Achat non vérifié")).toBeVisible();
    await expect(list.getByText(/Seuls les clients qui ont acheté ce produit/)).toBeVisible();
    await list.getByText("Comment nous recueillons les avis").click();
    for (const words of [
      /lu par notre équipe avant d’être publié/,
      /classés du plus récent au plus ancien/,
      /Aucune contrepartie/,
      /Aucun délai maximal/,
      /modifier ou supprimer son avis/,
    ])
      await expect(list.getByText(words)).toBeVisible();
    const report = list.getByRole("link", { name: "Signalez-le-nous" });
    await expect(report).toHaveAttribute("href", "/contact");

    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    await settled(page);
    const texts = await Promise.all(scripts);
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.filter((text) => text.includes("reviews_create"))).toEqual([]);
  });

  await test.step("a customer who has not bought the product", async () => {
    await openSession(page, await createUser({ db }));
    await page.goto(`/product/${productId}?category=1`);
    const notice = list.getByText(
      "Vous devez acheter ce produit avant de pouvoir laisser un avis.",
    );
    await expect(notice).toBeVisible();
    const review = await comments(list).last().boundingBox();
    const below = await notice.boundingBox();
    expect(below?.y, "notice after the reviews").toBeGreaterThan(review?.y ?? Infinity);
    await expect(list.getByText(INVITATION)).toHaveCount(0);
    await expect(form(page)).toHaveCount(0);
  });

  await test.step("a visitor with an invalid token, who is not redirected", async () => {
    problems.allow(401);
    await page.evaluate(() => localStorage.setItem("token", "abc.def.ghi"));
    await page.reload();
    await expect(list.getByText(INVITATION).filter({ visible: true })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/product/${productId}`));
  });
});

test("a failed load can be retried, and a response after the logout changes nothing", async ({
  page,
  arrange,
  problems,
}) => {
  problems.allow(/ERR_FAILED/);
  const { product, buyer } = await arrange((db) =>
    createReviewedProduct({ db, ratings: [5, 4], ownRating: 3 }),
  );
  await openSession(page, buyer);
  await page.route(LIST, (route) => route.abort());
  await page.goto(`/product/${product.id}`);
  await expect(section(page).getByRole("alert")).toHaveText(CANNOT_LOAD);
  await page.unroute(LIST);
  await button(section(page), "Réessayer").click();
  await expect(own(page)).toContainText(OWN_CONTENT);

  const url = "**/api/check-purchase/*";
  const release = await holdRequests(page, url);
  const asked = page.waitForRequest(url);
  await page.reload();
  await asked;
  await page.evaluate(() => {
    localStorage.removeItem("token");
    window.dispatchEvent(new Event("auth-changed"));
  });
  await expect(section(page).getByText("Connectez-vous pour laisser un avis")).toBeVisible();
  await releaseAndSettle({ page, url, release });
  await expect(comments(section(page))).toHaveCount(3);
});

test("the list has an order and a rating, one's own review first", async ({ page, arrange }) => {
  const { product, buyer } = await arrange(async (db) => {
    const ratings = [5, 5, 1, 5, 3, 5, 5, 5, 5];
    const made = await createReviewedProduct({ db, ratings, ownRating: 3 });
    for (const status of ["PENDING", "REJECTED"] as const) {
      const { id: userId } = await createUser({ db });
      const content = "Un avis que personne ne voit.";
      await createReview({ db, productId: made.product.id, userId, status, content });
    }
    return made;
  });
  const list = section(page);
  const order = list.getByLabel("Trier les avis");
  const more = button(list, "Voir plus (5 avis supplémentaires)");
  const shown = async () =>
    (await comments(list).allTextContents()).map((text) => /numéro (\d)/.exec(text)?.[1] ?? "own");

  await page.goto(`/product/${product.id}`);
  await expect(page.getByText(/que personne ne voit|Durand/)).toHaveCount(0);
  await test.step("in each order", async () => {
    await expect.poll(shown).toEqual(["own", "8", "7", "6", "5"]);
    await order.selectOption("Les meilleurs");
    await expect.poll(shown).toEqual(["8", "7", "6", "5", "3"]);
    await order.selectOption("Les moins bons");
    await expect.poll(shown).toEqual(["2", "own", "4", "8", "7"]);
    await expect(more).toBeVisible();
  });

  await test.step("with a rating, by keyboard", async () => {
    const bars = list.getByRole("group", { name: "Avis par note" });
    const counts = await bars
      .getByRole("button")
      .evaluateAll((all) =>
        all.map((bar) => [bar.textContent, (bar as HTMLButtonElement).disabled]),
      );
    expect(counts).toEqual([
      ["5 étoiles7 avis", false],
      ["4 étoiles0 avis", true],
      ["3 étoiles2 avis", false],
      ["2 étoiles0 avis", true],
      ["1 étoile1 avis", false],
    ]);
    const shares = await bars
      .locator("[style]")
      .evaluateAll((all) => all.map(({ style }) => (style as CSSStyleDeclaration).width));
    expect(shares).toEqual(["70%", "0%", "20%", "0%", "10%"]);
    await button(bars, "1 étoile").press("Enter");
    await expect(comments(list)).toHaveText(["Le numéro 2 a 1 étoiles."]);
    await expect(list.getByText("1 avis avec 1 étoile")).toBeVisible();
    await expect(button(bars, "1 étoile")).toHaveAttribute("aria-pressed", "true");
    await expect(button(list, /Voir plus/)).toHaveCount(0);
    await expectAccessible(page);
    await button(bars, "5 étoiles").press("Enter");
    await expect(button(list, "Voir plus (2 avis supplémentaires)")).toBeVisible();
    await order.selectOption("Les plus récents");
    await expect.poll(shown).toEqual(["8", "7", "6", "5", "3"]);
    await button(bars, "5 étoiles").press("Enter");
    await expect.poll(shown).toEqual(["own", "8", "7", "6", "5"]);
    await expect(more).toBeVisible();
  });

  await test.step("with one's own first", async () => {
    await openSession(page, buyer);
    await page.goto(`/product/${product.id}`);
    await expect(own(page)).toContainText(OWN_CONTENT);
    await expect.poll(shown).toEqual(["8", "7", "6", "5"]);
    await expect(more).toBeVisible();
    await order.selectOption("Les moins bons");
    await expect.poll(shown).toEqual(["2", "4", "8", "7"]);
    await expect(list.getByText(OWN_CONTENT)).toHaveCount(1);
  });
});

test("all of many reviews can be read, in any order", async ({ page, arrange, problems }) => {
  problems.allow(/ERR_FAILED/);
  const ratings = Array.from({ length: 120 }, (_, i) => (i < 2 ? i + 1 : 3 + (i % 3)));
  const { product } = await arrange((db) => createReviewedProduct({ db, ratings }));
  const list = section(page);
  const order = list.getByLabel("Trier les avis");
  const more = button(list, "Afficher les avis suivants");
  await page.goto(`/product/${product.id}`);

  await test.step("an order that cannot be loaded changes nothing", async () => {
    const { promise: mayAnswer, resolve: fail } = deferred();
    await page.route(LIST, async (route) => {
      await mayAnswer;
      await route.abort();
    });
    await order.selectOption("Les moins bons");
    await expect(order).toHaveAttribute("aria-busy", "true");
    await expect(order).toHaveValue("worst");
    fail();
    await expect(list.getByRole("alert")).toHaveText(CANNOT_LOAD);
    await expect(order).toHaveValue("newest");
    await expect(comments(list)).toHaveCount(5);
    await page.unroute(LIST);
  });

  await test.step("a bar finds reviews that are not loaded yet", async () => {
    await button(list, /^2 étoiles\s*1 avis$/).click();
    await expect(comments(list)).toHaveText(["Le numéro 1 a 2 étoiles."]);
    await button(list, "Voir tous les avis").click();
    await expect(comments(list).first()).toHaveText("Le numéro 119 a 5 étoiles.");
  });

  await test.step("the worst first, which are the oldest", async () => {
    await order.selectOption("Les moins bons");
    await expect(comments(list).first()).toHaveText("Le numéro 0 a 1 étoiles.");
    await button(list, "Voir plus (115 avis supplémentaires)").click();
    await expect(comments(list)).toHaveCount(50);
    await more.click();
    await expect(comments(list)).toHaveCount(100);
    await more.click();
    await expect(comments(list)).toHaveCount(120);
    await expect(more).toBeHidden();
    const texts = await comments(list).allTextContents();
    expect(new Set(texts).size).toBe(120);
    const stars = texts.map((text) => Number(/a (\d)/.exec(text)?.[1]));
    expect(stars).toEqual(stars.toSorted((a, b) => a - b));
    await button(list, "Voir moins").click();
    await expect(comments(list)).toHaveCount(5);
    const seen = ["trackEvent", "Avis", "Voir plus", undefined, 115];
    expect(await trackedBy(page)).toContainEqual(seen);
  });
});

test("a deleted review is not among those loaded later", async ({ page, arrange }) => {
  const { product, buyer } = await arrange((db) =>
    createReviewedProduct({ db, ratings: Array(60).fill(5), ownRating: 1 }),
  );
  await openSession(page, buyer);
  await page.goto(`/product/${product.id}`);
  const list = section(page);
  await expect(own(page)).toContainText(OWN_CONTENT);
  await expect(button(list, "Voir plus (56 avis supplémentaires)")).toBeVisible();
  const order = list.getByLabel("Trier les avis");
  await order.selectOption("Les moins bons");
  await expect(order).toHaveValue("worst");
  await expect(order).toHaveAttribute("aria-busy", "false");
  await deleteOwn(page);
  await expect(own(page)).toBeHidden();
  await expect(list.getByText("(60 avis)")).toBeVisible();
  await expect(comments(list)).toHaveCount(5);
  await button(list, "Voir plus (55 avis supplémentaires)").click();
  // The next review has moved up to the deleted review's page.
  for (const count of [50, 60]) {
    await button(list, "Afficher les avis suivants").click();
    await expect(comments(list)).toHaveCount(count);
  }
  await expect(list.getByText(OWN_CONTENT)).toHaveCount(0);
});

const WILD = [
  "Anticonstitutionnellement".repeat(60),
  `نص عربي جميل جدا ${"\u202e"} 日本語のとても長いレビュー ${"👩‍👩‍👧‍👦".repeat(20)}`,
  `Z${"\u0351\u036b\u0343\u036a".repeat(40)}algo qui monte et qui descend`,
  "<img src=x onerror='window.broken=1'></script><b>&amp;",
  `Ligne\n\n${"une autre ligne\n".repeat(30)}fin`,
];

test("any text fits into the page, accessible and without shifts", async ({ page, arrange }) => {
  const { product, buyer } = await arrange(async (db) => {
    const made = await createReviewedProduct({ db, ratings: [2] });
    const productId = made.product.id;
    for (const content of WILD) {
      const { id: userId } = await createUser({ db, firstName: content.slice(0, 200) });
      await createReview({ db, productId, userId, content });
    }
    const refused = { status: "REJECTED", rejectionReason: WILD[0] ?? null } as const;
    const content = WILD.join(" ");
    await createReview({ db, productId, userId: made.buyer.id, ...refused, content });
    return made;
  });
  const shifts = await watchLayoutShifts(page);
  await openSession(page, buyer);
  for (const width of [WIDTHS.phone, WIDTHS.desktop])
    await test.step(`at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`/product/${product.id}`);
      await settled(page);
      await expect(own(page)).toBeVisible();
      expect(await shifts.list(), "layout shifts").toEqual([]);
      await button(section(page), /Voir plus/).click();
      await expect(comments(section(page))).toHaveCount(6);
      await expectNoSidewaysScroll(page);
      expect(await page.evaluate(() => "broken" in window)).toBe(false);
      const spill = await comments(section(page)).evaluateAll(
        (all) => all.filter((text) => getComputedStyle(text).overflowY === "visible").length,
      );
      expect(spill).toBe(0);
      await expectAccessible(page);
      await button(own(page), "Modifier").click();
      await expect(comment(page)).toHaveValue(/Anticonstitutionnellement/);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await button(form(page), "Annuler").click();
      await button(own(page), "Supprimer").click();
      await expect(page.getByRole("dialog")).toBeVisible();
      await expectAccessible(page);
    });
});
