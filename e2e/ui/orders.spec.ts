import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
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
  onEachDevice,
  plainSpaces,
  trackedBy,
  WIDTHS,
} from "../storefront";

const CONTENT = "Le guide que seuls ses acheteurs lisent.";
const GUIDE = "/downloads/guide-des-thes.pdf";

/** An order of a lamp, a guide and a video without a file. */
async function createMixedOrder(db: Database, user: Awaited<ReturnType<typeof createUser>>) {
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290 });
  const file = { db, type: "digital" } as const;
  const guide = await createProduct({
    ...file,
    name: "Guide des thés",
    priceCents: 900,
    downloadLink: GUIDE,
  });
  const video = await createProduct({
    ...file,
    name: "Vidéo perdue",
    priceCents: 500,
    downloadLink: null,
  });
  return createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }, { product: video }],
    billing: { street: "1 place Bellecour", city: "Lyon", postalCode: "69002" },
    orderedAt: new Date("2026-03-01T23:30:00Z"),
  });
}

const details = (page: Page) => page.getByRole("button", { name: "Détails" });
const dialog = (page: Page) => page.getByRole("dialog");

/** What an action downloads. */
async function downloadBy(page: Page, act: () => Promise<void>) {
  const downloading = page.waitForEvent("download");
  await act();
  const download = await downloading;
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

test("a customer's orders are listed, opened, and give their invoice and file", async ({
  page,
  shop,
  database: db,
}) => {
  const folder = String(shop.env.DOWNLOADS_DIR);
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, "guide-des-thes.pdf"), CONTENT);
  const user = await createUser({ db });
  await openSession(page, user);
  await test.step("without orders the page leads to the products", async () => {
    await page.goto("/orders");
    await expect(page.getByText("Vous n’avez pas encore passé de commande.")).toBeVisible();
    await expect(
      page.getByRole("main").getByRole("link", { name: "Parcourir le catalogue" }),
    ).toHaveAttribute("href", "/products");
    await expectAccessible(page);
  });

  const { order, invoice } = await createMixedOrder(db, user);
  const late = await createProduct({ db, priceCents: 1_000 });
  const refunded = await createOrder({ db, user, items: [{ product: late }] });
  const reason = "Retard de livraison";
  const note = await createCreditNote({ db, orderId: refunded.order.id, reason });
  const product = await createProduct({ db, priceCents: 123_450 });
  const recent = await createOrder({ db, user, items: [{ product }], invoiced: false });
  await test.step("the list shows them, the newest first", async () => {
    await page.reload();
    await expect(page.getByRole("heading", { name: "Mes commandes", level: 1 })).toBeVisible();
    const rows = page.getByRole("row");
    await expect(rows).toHaveCount(4);
    const texts = (await rows.allTextContents()).map(plainSpaces);
    expect(texts[1]).toContain(recent.order.number);
    expect(texts[1]).toContain("1 234,50 €");
    expect(texts[1]).not.toContain("facture");
    expect(texts[2]).toContain("10,00 €Remboursée");
    // The date is in the French time zone.
    expect(texts[3]).toContain(`${order.number}02/03/2026Payée99,80 €4`);
    const button = page.getByRole("button", { name: "Télécharger la facture" }).last();
    const { name, content } = await downloadBy(page, () => button.click());
    expect(name).toBe(`facture-${invoice?.id}.pdf`);
    expect(content.subarray(0, 5).toString()).toBe("%PDF-");
    const tracked = ["Commandes", "Téléchargement de facture", undefined, undefined];
    await expect.poll(() => trackedBy(page)).toContainEqual(["trackEvent", ...tracked]);
    await onEachDevice(page, async () => {
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      // Shown as cards, the list is still a table for screen readers.
      await expect(page.getByRole("columnheader")).toHaveText([
        "Numéro",
        "Date",
        "État",
        "Total",
        "Articles",
        "Actions",
      ]);
      await expect(page.getByRole("table").getByRole("rowheader")).toHaveCount(3);
      const [one, other] = [await details(page).last().boundingBox(), await button.boundingBox()];
      expect(one?.y, "buttons are beside each other").toBe(other?.y);
    });
  });

  await test.step("'Détails' opens the addresses and the items with their status", async () => {
    await details(page).last().click();
    const open = dialog(page);
    await expect(open.getByRole("heading", { name: `Commande ${order.number}` })).toBeVisible();
    await expect(open.getByText("12 rue des Lilas")).toBeVisible();
    await expect(open.getByText("1 place Bellecour")).toBeVisible();
    const item = (name: string) => open.getByRole("listitem").filter({ hasText: name });
    await expect(item("Lampe Aube").getByText("Préparation", { exact: true })).toBeVisible();
    await expect(item("Lampe Aube")).toContainText(/85,80\s€/);
    await expect(item("Vidéo perdue").getByText("Lien non dispo", { exact: true })).toBeVisible();
    await expectFits(page);
    const link = item("Guide des thés").getByRole("link", { name: "Télécharger" });
    const { name, content } = await downloadBy(page, () => link.click());
    expect([name, content.toString()]).toEqual(["guide-des-thes.pdf", CONTENT]);
    await page.keyboard.press("Escape");
    await expect(open).toBeHidden();
    await expect(details(page).last()).toBeFocused();
  });

  await test.step("a refunded order gives its credit note", async () => {
    await details(page).nth(1).click();
    const refunds = dialog(page).getByRole("region", { name: "Remboursements" });
    for (const text of [reason, /10,00\s€ remboursés le /, `avoir ${note.number}`])
      await expect(refunds).toContainText(text);
    await expectFits(page);
    const link = refunds.getByRole("button", { name: "Télécharger l’avoir" });
    expect((await downloadBy(page, () => link.click())).name).toBe(`avoir-${note.id}.pdf`);
  });
});

test("an order's detail has a URL: it can be reloaded and shared, and Back closes it", async ({
  page,
  database: db,
}) => {
  const user = await createUser({ db });
  const { order, lines } = await createMixedOrder(db, user);
  await openSession(page, user);
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

  await test.step("an expired download link redirects to the orders, which say so", async () => {
    const lineId = Number(lines[1]?.id);
    const now = Date.now() - 2 * 3_600_000;
    await page.goto(String(downloadLinkFor({ link: GUIDE, lineId, viewer: user, now })));
    await expect(page).toHaveURL("/orders?lien=expire");
    await expect(page.getByText("Ce lien de téléchargement a expiré.")).toBeVisible();
    await expect(details(page)).toBeVisible();
  });
});

test("a buyer withdraws from an order, which shows the withdrawal and its answer", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(409, 503);
  const user = await createUser({ db });
  const items = [
    { product: await createProduct({ db, name: "Lampe Aube" }), quantity: 2 },
    { product: await createProduct({ db, name: "Vase Lune" }) },
  ];
  const guide = await createProduct({ db, type: "digital" });
  await createOrder({ db, user, items: [{ product: guide }] });
  const fromTab = await createOrder({ db, user, items });
  const refunded = await createOrder({ db, user, items });
  const { order } = await createOrder({ db, user, items });
  await openSession(page, user);
  const open = dialog(page);
  const start = open.getByRole("button", { name: "Me rétracter de cette commande" });
  const confirm = open.getByRole("button", { name: "Confirmer la rétractation" });
  const section = open.getByRole("region", { name: "Rétractation" });
  const openOrder = async (index: number) => {
    await page.goto("/orders");
    await details(page).nth(index).click();
    await expect(open.getByText("Adresse de livraison")).toBeVisible();
  };

  await openOrder(0);
  await start.click();
  await expect(open.getByText("quatorze jours après avoir reçu un objet")).toBeVisible();
  await open.getByRole("button", { name: "Annuler" }).click();
  await expectFocusKept(page);
  await start.click();
  const objects = open.getByRole("group", { name: "Articles concernés" });
  const lamp = objects.getByRole("checkbox", { name: "Lampe Aube" });
  const vase = objects.getByRole("checkbox", { name: "Vase Lune" });
  await expect(objects.getByRole("checkbox", { checked: true })).toHaveCount(2);
  const quantity = objects.getByRole("spinbutton");
  await expect(quantity).toHaveAccessibleName("Quantité de Lampe Aube");
  await lamp.uncheck();
  await vase.uncheck();
  await expect(quantity).toBeDisabled();
  await confirm.click();
  await expect(open.getByRole("alert")).toHaveText("Veuillez choisir au moins un objet.");
  await lamp.check();
  await quantity.fill("1");
  await expectFits(page);

  // A failure loses no input.
  const path = `**/api/orders/${order.id}/withdrawal`;
  await page.route(path, (route) => route.fulfill({ status: 503, json: {} }));
  await confirm.click();
  await expect(open.getByRole("alert")).toContainText("n'a pas pu être enregistrée");
  await expect(quantity).toHaveValue("1");
  await expect(vase).not.toBeChecked();
  await page.unroute(path);
  await confirm.click();
  await expect(
    open.getByRole("status").filter({ hasText: "Vous vous êtes rétracté le" }),
  ).toBeVisible();
  await expect(section).toBeFocused();
  await expect(open.getByRole("alert")).toBeHidden();
  const isOrders = eq(withdrawals.orderId, order.id);
  const [row] = await db.select().from(withdrawals).where(isOrders);
  expect(row?.items).toBe("1 × Lampe Aube");

  const reopen = async () => {
    await page.keyboard.press("Escape");
    await expect(open).toBeHidden();
    const read = page.waitForResponse("**/api/orders_details/*");
    await details(page).first().click();
    await (await read).finished();
  };
  await reopen();
  await expect(open.getByText("Vous vous êtes rétracté le")).toBeVisible();
  await expect(start).toHaveCount(0);
  await db
    .update(withdrawals)
    .set({ state: "refused", refusalReason: "Objet abîmé." })
    .where(isOrders);
  await reopen();
  await expect(open.getByText("Objet abîmé.")).toBeVisible();

  await test.step("one refused because all was refunded meanwhile says why", async () => {
    await openOrder(1);
    await start.click();
    await db
      .update(orders)
      .set({ refundedCents: refunded.order.totalCents })
      .where(eq(orders.id, refunded.order.id));
    await confirm.click();
    await expect(confirm).toHaveCount(0);
    await expect(open.getByRole("alert")).toHaveText(
      "Les objets de cette commande sont déjà remboursés.",
    );
  });

  await test.step("one refused because of another tab closes the form, and says why", async () => {
    await openOrder(2);
    await start.click();
    await createWithdrawal({ db, order: fromTab.order, lines: fromTab.lines });
    await confirm.click();
    await expect(open.getByRole("alert")).toHaveText(
      "Vous vous êtes déjà rétracté de cette commande.",
    );
    await expect(open.getByText("Vous vous êtes rétracté le")).toBeVisible();
    await expect(
      open.getByText("L’accusé de réception vous a été envoyé par e-mail."),
    ).toBeVisible();
    await expect(confirm).toHaveCount(0);
    await expect(section).toBeFocused();
  });

  await test.step("an order of files offers none", async () => {
    await openOrder(3);
    await expect(open.getByRole("button", { name: /Me rétracter/ })).toHaveCount(0);
  });
});

test("each failure has its message, and can be retried", async ({
  page,
  database: db,
  problems,
}) => {
  problems.allow(500);
  const user = await createUser({ db });
  const product = await createProduct({ db, name: "Lampe Aube" });
  for (let i = 0; i < 6; i++) await createOrder({ db, user, items: [{ product }] });
  await openSession(page, user);
  await page.setViewportSize({ width: WIDTHS.phone, height: 640 });
  const oldest = details(page).last();
  const failing = { status: 500 };
  const alert = page.getByRole("main").getByRole("alert");
  await page.route("**/api/my-orders", (route) => route.fulfill(failing));
  await page.goto("/orders");
  await expect(alert).toHaveText("Impossible de charger vos commandes.");
  const { promise: mayAnswer, resolve: answer } = deferred();
  await page.unroute("**/api/my-orders");
  await page.route("**/api/my-orders", async (route) => {
    await mayAnswer;
    await route.fulfill(failing);
  });
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
