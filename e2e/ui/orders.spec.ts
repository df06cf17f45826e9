import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { downloadLinkFor } from "@/lib/downloads/link";
import { expectAccessible } from "../axe";
import { openSession, submitLogin } from "../browser-session";
import { deferred } from "../deferred";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import {
  expectFocusKept,
  expectNoSidewaysScroll,
  plainSpaces,
  trackedBy,
  WIDTHS,
} from "../storefront";

const CONTENT = "Le guide que seuls ses acheteurs lisent.";

/** A logged-in customer who has bought a lamp, a guide and a video without a file. */
async function customerWithOrder({ page, db }: { page: Page; db: Database }) {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290 });
  const guide = await createProduct({
    db,
    name: "Guide des thés",
    type: "digital",
    priceCents: 900,
    downloadLink: "/downloads/guide-des-thes.pdf",
  });
  const video = await createProduct({
    db,
    name: "Vidéo perdue",
    type: "digital",
    priceCents: 500,
    downloadLink: null,
  });
  const bought = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }, { product: video }],
    billing: { street: "1 place Bellecour", city: "Lyon", postalCode: "69002" },
    orderedAt: new Date("2026-03-01T23:30:00Z"),
  });
  await openSession(page, user);
  return { user, ...bought };
}

const details = (page: Page) => page.getByRole("button", { name: "Détails" });
const dialog = (page: Page) => page.getByRole("dialog");

test("the list shows the orders, the newest first, and downloads their invoices", async ({
  page,
  database: db,
}) => {
  const { user, order, invoice } = await customerWithOrder({ page, db });
  const product = await createProduct({ db, priceCents: 123_450 });
  const recent = await createOrder({ db, user, items: [{ product }], invoiced: false });
  await page.goto("/orders");
  await expect(page.getByRole("heading", { name: "Mes commandes", level: 1 })).toBeVisible();
  const rows = page.getByRole("row");
  await expect(rows).toHaveCount(3);
  const texts = (await rows.allTextContents()).map(plainSpaces);
  expect(texts[0]).toBe("NuméroDateÉtatTotalArticlesActions");
  expect(texts[1]).toContain(recent.order.number);
  expect(texts[1]).toContain("1 234,50 €");
  expect(texts[1]).not.toContain("facture");
  // The date is in the French time zone.
  expect(texts[2]).toContain(`${order.number}02/03/2026Payée99,80 €4`);
  await expectAccessible(page);
  const downloading = page.waitForEvent("download");
  await rows.nth(2).getByRole("button", { name: "Télécharger la facture" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`facture-${invoice?.id}.pdf`);
  expect((await readFile(await download.path())).subarray(0, 5).toString()).toBe("%PDF-");
  await expect
    .poll(() => trackedBy(page))
    .toContainEqual(["trackEvent", "Commandes", "Téléchargement de facture", undefined, undefined]);
});

test("'Détails' opens the addresses and the items with their status", async ({
  page,
  shop,
  database: db,
}) => {
  const folder = String(shop.env.DOWNLOADS_DIR);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "guide-des-thes.pdf"), CONTENT);
  const { order } = await customerWithOrder({ page, db });
  await page.goto("/orders");
  await details(page).click();
  const open = dialog(page);
  await expect(open.getByRole("heading", { name: `Commande ${order.number}` })).toBeVisible();
  await expect(open.getByText("12 rue des Lilas")).toBeVisible();
  await expect(open.getByText("1 place Bellecour")).toBeVisible();
  const item = (name: string) => open.getByRole("listitem").filter({ hasText: name });
  await expect(item("Lampe Aube").getByText("Préparation", { exact: true })).toBeVisible();
  await expect(item("Lampe Aube")).toContainText(/85,80\s€/);
  await expect(item("Vidéo perdue").getByText("Lien non dispo", { exact: true })).toBeVisible();
  await expectAccessible(page);

  const downloading = page.waitForEvent("download");
  await item("Guide des thés").getByRole("link", { name: "Télécharger" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe("guide-des-thes.pdf");
  expect(await readFile(await download.path(), "utf8")).toBe(CONTENT);
  await page.keyboard.press("Escape");
  await expect(open).toBeHidden();
  await expect(details(page)).toBeFocused();
});

test("an order's detail has a URL: it can be reloaded and shared, and Back closes it", async ({
  page,
  database: db,
}) => {
  const { user, order } = await customerWithOrder({ page, db });
  const url = `/orders?commande=${order.number}`;
  const open = dialog(page).getByRole("heading", { name: `Commande ${order.number}` });
  await page.goto("/orders");
  await details(page).click();
  await expect(open).toBeVisible();
  await expect(page).toHaveURL(url);
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL("/orders");
  await page.goForward();
  await expect(open).toBeVisible();
  await page.reload();
  await expect(open).toBeVisible();
  await dialog(page).getByRole("button", { name: "Fermer" }).click();
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL("/orders");

  await test.step("a link opens it, after the login too", async () => {
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.clear());
    await page.goto(url);
    await expect(page).toHaveURL("/login");
    await submitLogin({ page, email: user.email });
    await expect(page).toHaveURL(url);
    await expect(open).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toBeHidden();
    await expect(page).toHaveURL("/orders");
  });

  await test.step("a number that is not one's own opens the list, with a sentence", async () => {
    await page.goto("/orders?commande=CMD-2020-000001");
    await expect(page.getByText(/^Cette commande n’est pas parmi les vôtres\./)).toBeVisible();
    await expect(page.getByRole("rowheader", { name: order.number })).toBeVisible();
    await details(page).click();
    await expect(open).toBeVisible();
    await expect(page.getByText(/^Cette commande n’est pas/)).toHaveCount(0);
  });
});

test("a buyer withdraws from an order, which shows the withdrawal and its answer when reopened", async ({
  page,
  database: db,
  problems,
}) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, name: "Lampe Aube" });
  const { order } = await createOrder({ db, user, items: [{ product }] });
  await openSession(page, user);
  await page.goto("/orders");
  await details(page).click();
  const open = dialog(page);
  const start = open.getByRole("button", { name: "Me rétracter de cette commande" });
  await start.click();
  await expect(open.getByText("quatorze jours après avoir reçu un objet")).toBeVisible();
  await open.getByRole("button", { name: "Annuler" }).click();
  await expectFocusKept(page);
  await start.click();
  const items = open.getByLabel("Articles concernés (facultatif)");
  await items.fill("La lampe, rayée");
  await expectFits(page);

  // A failure loses no input.
  problems.allow(503);
  const path = `**/api/orders/${order.id}/withdrawal`;
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }));
  const confirm = open.getByRole("button", { name: "Confirmer la rétractation" });
  await confirm.click();
  await expect(open.getByRole("alert")).toContainText("n'a pas pu être enregistrée");
  await expect(items).toHaveValue("La lampe, rayée");
  await page.unroute(path);
  await confirm.click();
  await expect(
    open.getByRole("status").filter({ hasText: "Vous vous êtes rétracté le" }),
  ).toBeVisible();
  await expect(open.getByRole("region", { name: "Rétractation" })).toBeFocused();
  await expect(open.getByRole("alert")).toBeHidden();
  const [row] = await db.select().from(withdrawals).where(eq(withdrawals.orderId, order.id));
  expect(row?.items).toBe("La lampe, rayée");

  const reopen = async () => {
    await page.keyboard.press("Escape");
    await expect(open).toBeHidden();
    const read = page.waitForResponse("**/api/orders_details/*");
    await details(page).click();
    await (await read).finished();
  };
  await reopen();
  await expect(open.getByText("Vous vous êtes rétracté le")).toBeVisible();
  await expect(start).toHaveCount(0);
  const refusal = { state: "refused", refusalReason: "Objet abîmé." } as const;
  await db.update(withdrawals).set(refusal).where(eq(withdrawals.orderId, order.id));
  await reopen();
  await expect(open.getByText("Objet abîmé.")).toBeVisible();
  // The order is in the URL.
  await page.reload();
  await expect(open.getByText("Objet abîmé.")).toBeVisible();
});

/** Opens the withdrawal of an order, ready to be confirmed. */
async function openWithdrawalForm({ page, db }: { page: Page; db: Database }) {
  const user = await createUser({ db });
  const product = await createProduct({ db });
  const created = await createOrder({ db, user, items: [{ product }] });
  await openSession(page, user);
  await page.goto("/orders");
  const open = dialog(page);
  await details(page).click();
  await open.getByRole("button", { name: "Me rétracter de cette commande" }).click();
  const confirm = open.getByRole("button", { name: "Confirmer la rétractation" });
  return { ...created, open, confirm };
}

test("a withdrawal refused because of another tab closes the form, and says why", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(409);
  const { order, lines, open, confirm } = await openWithdrawalForm({ page, db });
  await createWithdrawal({ db, order, lines });
  await confirm.click();
  await expect(open.getByRole("alert")).toHaveText(
    "Vous vous êtes déjà rétracté de cette commande.",
  );
  await expect(open.getByText("Vous vous êtes rétracté le")).toBeVisible();
  await expect(open.getByText("L’accusé de réception vous a été envoyé par e-mail.")).toBeVisible();
  await expect(confirm).toHaveCount(0);
  await expect(open.getByRole("region", { name: "Rétractation" })).toBeFocused();
});

test("a withdrawal refused because all was refunded meanwhile still says why", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(409);
  const { order, open, confirm } = await openWithdrawalForm({ page, db });
  await db.update(orders).set({ refundedCents: order.totalCents }).where(eq(orders.id, order.id));
  await confirm.click();
  await expect(confirm).toHaveCount(0);
  await expect(open.getByRole("alert")).toHaveText(
    "Les objets de cette commande sont déjà remboursés.",
  );
});

test("an order of files offers no withdrawal", async ({ page, database: db }) => {
  const user = await createUser({ db });
  const guide = await createProduct({ db, type: "digital" });
  await createOrder({ db, user, items: [{ product: guide }] });
  await openSession(page, user);
  await page.goto("/orders");
  await details(page).click();
  await expect(dialog(page).getByText("Adresse de livraison")).toBeVisible();
  await expect(dialog(page).getByRole("button", { name: /Me rétracter/ })).toHaveCount(0);
});

test("each failure has its message, and can be retried", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(500);
  const { user } = await customerWithOrder({ page, db });
  const product = await createProduct({ db });
  for (let i = 0; i < 5; i++) await createOrder({ db, user, items: [{ product }] });
  await page.setViewportSize({ width: WIDTHS.phone, height: 640 });
  const oldest = details(page).last();
  const failing = { status: 500 };
  await page.route("**/api/my-orders", (route) => route.fulfill(failing));
  await page.goto("/orders");
  await expect(
    page.getByText("Impossible de charger vos commandes.", { exact: true }),
  ).toBeVisible();
  const { promise: mayAnswer, resolve: answer } = deferred();
  await page.unroute("**/api/my-orders");
  await page.route("**/api/my-orders", async (route) => {
    await mayAnswer;
    await route.fulfill(failing);
  });
  const alert = page.getByRole("main").getByRole("alert");
  await alert.evaluate((element) => element.setAttribute("data-former", ""));
  const retry = page.getByRole("button", { name: "Réessayer" });
  await retry.click();
  await expect(retry).toBeDisabled();
  answer();
  await expect(retry).toBeFocused();
  // The message is a new element, which screen readers announce.
  await expect(alert).toHaveText("Impossible de charger vos commandes.");
  await expect(alert).not.toHaveAttribute("data-former");
  await page.unroute("**/api/my-orders");
  await retry.click();
  await expect(oldest).toBeVisible();
  await expectFocusKept(page);

  await page.route("**/api/invoices/*/download", (route) => route.fulfill(failing));
  // The message is in sight although the list is scrolled to its end.
  await page.getByRole("button", { name: "Télécharger la facture" }).last().click();
  await expect(
    page.getByText("Erreur lors du téléchargement de la facture.", { exact: true }),
  ).toBeInViewport({ ratio: 1 });

  await page.route("**/api/orders_details/*", (route) => route.fulfill(failing));
  await oldest.click();
  await expect(
    dialog(page).getByText("Impossible de charger le détail de la commande.", { exact: true }),
  ).toBeVisible();
  await page.unroute("**/api/orders_details/*");
  await dialog(page).getByRole("button", { name: "Réessayer" }).click();
  await expect(dialog(page).getByText("Lampe Aube")).toBeVisible();
  await expectFocusKept(page);
});

test("without orders the page leads to the products", async ({ page, database: db }) => {
  await openSession(page, await createUser({ db }));
  await page.goto("/orders");
  await expect(page.getByText("Vous n’avez pas encore passé de commande.")).toBeVisible();
  await expect(
    page.getByRole("main").getByRole("link", { name: "Parcourir le catalogue" }),
  ).toHaveAttribute("href", "/products");
  await expectAccessible(page);
});

test("an expired download link redirects to the orders, which say so", async ({
  page,
  database: db,
}) => {
  const { user, lines } = await customerWithOrder({ page, db });
  const old = downloadLinkFor({
    link: "/downloads/guide-des-thes.pdf",
    lineId: Number(lines[1]?.id),
    viewer: user,
    now: Date.now() - 2 * 3_600_000,
  });
  await page.goto(String(old));
  await expect(page).toHaveURL("/orders?lien=expire");
  await expect(page.getByText("Ce lien de téléchargement a expiré.")).toBeVisible();
  await expect(details(page)).toBeVisible();
});

test("another customer's browser gets no file by the link", async ({ page, database: db }) => {
  const { lines, user } = await customerWithOrder({ page, db });
  const link = downloadLinkFor({
    link: "/downloads/guide-des-thes.pdf",
    lineId: Number(lines[1]?.id),
    viewer: user,
  });
  await page.context().clearCookies();
  await openSession(page, await createUser({ db }));
  const answer = await page.context().request.get(String(link));
  expect(answer.status()).toBe(404);
});

test("narrow and wide windows show the list and an order without scrolling sideways", async ({
  page,
  database: db,
}) => {
  await customerWithOrder({ page, db });
  for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto("/orders");
    await expect(details(page)).toBeVisible();
    await expectNoSidewaysScroll(page);
    // Shown as cards, the list is still a table for screen readers.
    await expect(page.getByRole("columnheader")).toHaveText([
      "Numéro",
      "Date",
      "État",
      "Total",
      "Articles",
      "Actions",
    ]);
    await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(1);
    const invoice = page.getByRole("button", { name: "Télécharger la facture" });
    const [one, other] = [await details(page).boundingBox(), await invoice.boundingBox()];
    expect(one?.y, `buttons beside each other at ${width} px`).toBe(other?.y);
    await details(page).click();
    await expect(dialog(page).getByText("Lampe Aube")).toBeVisible();
    await expectNoSidewaysScroll(page);
  }
});
