import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orderLines, orders } from "@/db/schema/orders";
import { shipments } from "@/db/schema/shipments";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

const TRACKING = "6A12345678901";

async function arrangeOrders(db: Database, { count = 1 }: { count?: number } = {}) {
  const user = await createUser({ db, lastName: unique("Colis") });
  const product = await createProduct({ db, name: "Lampe Aube" });
  const written = [];
  for (let i = 0; i < count; i++)
    written.push((await createOrder({ db, user, items: [{ product, quantity: 2 }] })).order);
  return { user, orders: written };
}

const stateOf = async (db: Database, id: number) =>
  (await db.select({ status: orders.status }).from(orders).where(eq(orders.id, id)))[0]?.status;

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
    });
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to ${name}.`);
}

test("staff prepare, ship with a scanner and deliver an order by keyboard alone", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, orders: all } = await arrange((tx) => arrangeOrders(tx));
  const id = Number(all[0]?.id);
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const row = rowOf(page, user.email);
  await expect(row).toContainText("Payée");
  await tabTo(page, "Préparer");
  await page.keyboard.press("Enter");
  await expect(page.getByText("Commande en préparation.")).toBeVisible();
  await expect(row).toContainText("En préparation");

  await row.getByRole("button", { name: "Expédier" }).focus();
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page);
  await expect(dialog.getByLabel("Numéro de suivi")).toBeFocused();
  await expect(dialog.getByLabel("Transporteur")).toHaveValue("Colissimo");
  await expect(dialog.getByLabel("Lampe Aube")).toHaveValue("2");
  for (const width of [WIDTHS.phone, WIDTHS.desktop]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  // Enter without a number sends nothing.
  await dialog.getByLabel("Numéro de suivi").press("Enter");
  await expect(dialog.getByText("Veuillez saisir le numéro de suivi")).toBeVisible();
  await expect(dialog.getByLabel("Numéro de suivi")).toBeFocused();
  await page.keyboard.type(TRACKING);
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText("le client en est averti par e-mail")).toBeVisible();
  await expect(row).toContainText("Expédiée");
  await expect(
    row.getByRole("link", { name: `Suivre le colis Colissimo ${TRACKING}` }),
  ).toHaveAttribute("href", `https://www.laposte.fr/outils/suivre-vos-envois?code=${TRACKING}`);
  expect(await queuedMails(db, user.email)).toHaveLength(1);
  // A scanner's second Enter does not mark the parcel as arrived.
  await expect(row.getByRole("checkbox")).toBeFocused();
  await page.keyboard.press("Enter");

  await row.getByRole("button", { name: "Marquer comme livrée" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Commande livrée.")).toBeVisible();
  expect(await stateOf(db, id)).toBe("delivered");

  await row.getByRole("button", { name: "Historique" }).press("Enter");
  const entries = dialog.locator("ol > li");
  const moment = String.raw`\d\d/\d\d/\d{4} à \d\d:\d\d`;
  const parcel = String.raw`Colissimo ${TRACKING} \(Lampe Aube × 2\), expédié le ${moment}`;
  await expect(entries).toHaveText([
    new RegExp(`ÉtatExpédiée → LivréeColis${parcel} → ${parcel}, livré le ${moment}$`),
    new RegExp(`ÉtatEn préparation → ExpédiéeColis${parcel}Pièces expédiées0 → 2$`),
    /ÉtatPayée → En préparation$/,
  ]);
});

test("staff ship a part and correct its number, and see why the shop refuses a step", async ({
  page,
  database: db,
  arrange,
  problems,
}) => {
  problems.allow(422, 409);
  const { user, orders: all } = await arrange((tx) => arrangeOrders(tx));
  const id = Number(all[0]?.id);
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const row = rowOf(page, user.email);
  const dialog = dialogOf(page);
  await row.getByRole("button", { name: "Expédier" }).click();
  await dialog.getByLabel("Transporteur").selectOption("Chronopost");
  await dialog.getByLabel("Numéro de suivi").fill(TRACKING);
  await dialog.getByLabel("Lampe Aube").fill("3");
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await expect(
    dialog.getByText("Il ne reste que 2 pièces de cet article à envoyer."),
  ).toBeVisible();
  await expect(dialog.getByLabel("Lampe Aube")).toBeFocused();
  await dialog.getByLabel("Lampe Aube").fill("1");
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("En préparation");
  await expect(row).toContainText("1 sur 2 expédié");

  await row.getByRole("button", { name: "Colis" }).click();
  // Copied text may contain a zero-width space.
  await dialog.getByLabel("Numéro de suivi").fill("XY\u200B123");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await expect(dialog.getByLabel("Numéro de suivi")).toBeFocused();
  await expect(dialog.getByLabel("Numéro de suivi")).toHaveAttribute("aria-invalid", "true");
  await dialog.getByLabel("Numéro de suivi").fill("XY123");
  await dialog.getByRole("button", { name: "Enregistrer" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("link", { name: "Suivre le colis Chronopost XY123" })).toBeVisible();

  // The rest goes with a carrier that is not in the list, and without a number.
  await row.getByRole("button", { name: "Expédier" }).click();
  await expect(dialog.getByLabel("Lampe Aube")).toHaveValue("1");
  await dialog.getByLabel("Transporteur").selectOption("Autre");
  await dialog.getByLabel("Nom du transporteur").fill("Vélo du quartier");
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await expect(row).toContainText("Expédiée");
  const parcels = await db.select().from(shipments).where(eq(shipments.orderId, id));
  expect(parcels.map(({ carrier, trackingNumber }) => [carrier, trackingNumber]).sort()).toEqual([
    ["Chronopost", "XY123"],
    ["Vélo du quartier", null],
  ]);
});

test("a scanner that reads a label twice does not send its number to a second buyer", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, orders: all } = await arrange((tx) => arrangeOrders(tx, { count: 2 }));
  const [later, earlier] = [...all].reverse();
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const dialog = dialogOf(page);
  const scanFor = async (order: { number: string } | undefined) => {
    await rowOf(page, String(order?.number)).getByRole("button", { name: "Expédier" }).click();
    await expect(dialog.getByLabel("Numéro de suivi")).toBeFocused();
    await page.keyboard.type(TRACKING);
    await page.keyboard.press("Enter");
  };
  await scanFor(earlier);
  await expect(dialog).toBeHidden();
  await scanFor(later);
  const question = confirmDialogOf(page);
  await expect(question).toContainText(`Vous avez déjà expédié la commande ${earlier?.number} (`);
  await expectAccessible(page);
  expect(await queuedMails(db, user.email)).toHaveLength(1);
  // The scanner's next Enter sends nothing either, and another number replaces the wrong one.
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(dialog.getByLabel("Numéro de suivi")).toBeFocused();
  await page.keyboard.type(`${TRACKING.toLowerCase()} `);
  await expect(dialog.getByLabel("Numéro de suivi")).toHaveValue(`${TRACKING.toLowerCase()} `);
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Corriger le numéro" }).click();
  expect(await stateOf(db, Number(later?.id))).toBe("paid");
  expect(await queuedMails(db, user.email)).toHaveLength(1);

  // One parcel may hold both orders of a buyer.
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await question.getByRole("button", { name: "Expédier quand même" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, String(later?.number))).toContainText("Expédiée");
  expect(await queuedMails(db, user.email)).toHaveLength(2);
});

test("the status badges are readable on a selected row", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user } = await arrange(async (tx) => {
    const user = await createUser({ db: tx, lastName: unique("Colis") });
    const product = await createProduct({ db: tx });
    for (const status of ["paid", "preparing", "shipped", "delivered", "cancelled"] as const)
      await createOrder({ db: tx, user, items: [{ product }], status });
    return { user };
  });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  await page.getByLabel("Tout sélectionner").check();
  await expect(page.getByText("5 sélectionnés")).toBeVisible();
  for (const label of ["Payée", "En préparation", "Expédiée", "Livrée", "Annulée"]) {
    const badge = rowOf(page, user.email).getByText(label, { exact: true });
    const [own, row] = await badge.evaluate((element) =>
      [element, element.closest("tr")].map(
        (each) => each && getComputedStyle(each).backgroundColor,
      ),
    );
    expect([own, row], label).toEqual(["rgb(255, 255, 255)", "rgb(228, 240, 234)"]);
  }
  await expectAccessible(page);
});

test("staff who ship a partly shipped order see what is left, and lose no typed text", async ({
  page,
  api,
  database: db,
  arrange,
  problems,
}) => {
  problems.allow(409);
  const { user, order } = await arrange(async (tx) => {
    const user = await createUser({ db: tx, lastName: unique("Colis") });
    const items = [];
    for (let i = 1; i <= 6; i++)
      items.push({ product: await createProduct({ db: tx, name: `Bol ${i}` }), quantity: 2 });
    return { user, ...(await createOrder({ db: tx, user, items })) };
  });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const row = rowOf(page, user.email);
  const dialog = dialogOf(page);
  const ship = dialog.getByRole("button", { name: "Expédier" });
  await row.getByRole("button", { name: "Expédier" }).click();

  const { token } = await newAdmin(db);
  const [line] = await db.select().from(orderLines).where(eq(orderLines.orderId, order.id));
  const sendOneElsewhere = (trackingNumber: string) =>
    api.post(`/api/admin_orders/${order.id}/shipments`, {
      token,
      json: { carrier: "DPD", trackingNumber, items: [{ item: line?.id, quantity: 1 }] },
    });
  await sendOneElsewhere("D1");
  await dialog.getByLabel("Numéro de suivi").fill(TRACKING);
  await ship.click();
  await expect(dialog.getByRole("alert")).toContainText("modifié entre-temps");
  await expect(dialog.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText("1 pièce reste à envoyer.")).toBeVisible();
  await expect(dialog.getByLabel("Numéro de suivi")).toHaveValue(TRACKING);
  await page.keyboard.press("Escape");
  await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications");
  await confirmDialogOf(page).getByRole("button", { name: "Abandonner" }).click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("1 sur 12 expédié");

  await row.getByRole("button", { name: "Expédier" }).click();
  await sendOneElsewhere("D2");
  await dialog.getByLabel("Numéro de suivi").fill(TRACKING);
  await ship.click();
  await expect(dialog.getByRole("alert")).toContainText("modifié entre-temps");
  await expect(dialog.getByRole("spinbutton")).toHaveCount(5);
  await ship.click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("Expédiée");
});

test("on a phone the shop's message is visible wherever the list is scrolled to", async ({
  page,
  api,
  database: db,
  arrange,
  problems,
}) => {
  problems.allow(409);
  const { user } = await arrange(async (tx) => {
    const user = await createUser({ db: tx, lastName: unique("Colis") });
    const product = await createProduct({ db: tx });
    for (let i = 0; i < 6; i++)
      await createOrder({ db: tx, user, items: [{ product }], status: "shipped" });
    return { user };
  });
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  await openScreen({
    page,
    database: db,
    path: `/backoffice/orders?status=shipped&user=${user.id}`,
  });
  const rows = rowOf(page, user.email);
  await expect(rows).toHaveCount(6);
  const buttonOf = (place: number) =>
    rows.nth(place).getByRole("button", { name: "Marquer comme livrée" });
  const numberOf = async (place: number) =>
    (await rows.nth(place).textContent())?.match(/CMD-\d+-\d+/)?.[0] ?? "";
  const [taken, next] = [await numberOf(3), await numberOf(4)];
  const [order] = await db.select().from(orders).where(eq(orders.number, taken));
  const { token } = await newAdmin(db);
  await api.post(`/api/admin_orders/${order?.id}/deliver`, { token });
  await buttonOf(3).focus();
  await page.keyboard.press("Enter");
  const refusal = page.getByRole("main").getByRole("alert");
  await expect(refusal).toHaveText("Cette commande est déjà livrée.");
  await expect(refusal).toBeInViewport({ ratio: 1 });
  // The row has left the list, and the row in its place has the focus.
  await expect(rows).toHaveCount(5);
  expect(await numberOf(3)).toBe(next);
  await expect(buttonOf(3)).toBeFocused();
  await expectUncovered(page);

  await page.keyboard.press("Enter");
  const answer = page.getByRole("main").getByRole("status");
  await expect(answer).toHaveText("Commande livrée.");
  await expect(answer).toBeInViewport({ ratio: 1 });
  await expect(rows).toHaveCount(4);
  // That was the last row but one.
  await expect(buttonOf(3)).toBeFocused();
  // The focus is not covered on the way back up either.
  for (let i = 0; i < 12; i++) {
    await page.keyboard.press("Shift+Tab");
    await expectUncovered(page);
  }
});

/** Expects that nothing covers the focused element. */
const expectUncovered = (page: Page) =>
  expect
    .poll(() =>
      page.evaluate(() => {
        const { activeElement } = document;
        const box = activeElement?.getBoundingClientRect();
        if (!box) return "nothing has the focus";
        const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        return above && activeElement?.contains(above) ? "" : (above?.outerHTML ?? "out of sight");
      }),
    )
    .toBe("");

test("several orders are prepared at once, and their slips printed as one PDF", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, orders: all } = await arrange((tx) => arrangeOrders(tx, { count: 3 }));
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  await page.getByRole("button", { name: "À préparer" }).click();
  await expect(page).toHaveURL(/todo=prepare/);
  await expect(page.getByRole("button", { name: "À préparer" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect(rowOf(page, user.email)).toHaveCount(3);
  await page.getByLabel("Tout sélectionner").check();
  const sent = page.waitForRequest("**/api/packing_slips");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Imprimer les bons de préparation" }).click();
  expect((await sent).postDataJSON().orders).toHaveLength(3);
  expect((await download).suggestedFilename()).toBe("bons-de-preparation.pdf");
  await page.getByRole("button", { name: "Préparer la sélection" }).click();
  await expect(page.getByText("3 éléments traités.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Aucune commande trouvée." })).toBeVisible();
  await expect(page.getByRole("region", { name: "Gestion des commandes (CRUD)" })).toBeFocused();
  for (const { id } of all) expect(await stateOf(db, id)).toBe("preparing");
  await page.getByRole("button", { name: "À expédier" }).click();
  await expect(rowOf(page, user.email)).toHaveCount(3);
  await page.getByRole("button", { name: "À expédier" }).click();
  await page.getByLabel("État", { exact: true }).selectOption("Livrée");
  await expect(page.getByRole("cell", { name: "Aucune commande trouvée." })).toBeVisible();
});

test("the focus moves to the list when the step's button disappears", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user } = await arrange((tx) => arrangeOrders(tx, { count: 2 }));
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  await page.getByLabel("Tout sélectionner").check();
  const prepare = page.getByRole("button", { name: "Préparer la sélection" });
  await prepare.press("Enter");
  await expect(page.getByText("2 éléments traités.")).toBeVisible();
  await expect(prepare).toBeDisabled();
  await expect(page.getByRole("region", { name: "Gestion des commandes (CRUD)" })).toBeFocused();
});

test("a buyer sees the states with their days, the parcel's link, and what is left", async ({
  page,
  api,
  database: db,
}) => {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, name: "Lampe Aube" });
  const { order, lines } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }],
    status: "preparing",
    orderedAt: new Date("2026-03-01T23:30:00Z"),
    preparedAt: new Date("2026-03-02T08:00:00Z"),
  });
  const { token } = await newAdmin(db);
  const take = async (step: string, json?: unknown) => {
    const { status, text } = await api.post(`/api/admin_orders/${order.id}/${step}`, {
      token,
      json,
    });
    expect(status, text).toBeLessThan(300);
  };
  const items = [{ item: Number(lines[0]?.id), quantity: 1 }];
  await take("shipments", { carrier: "Colissimo", trackingNumber: TRACKING, items });
  await openSession(page, user);
  await page.goto("/orders");
  const row = page.getByRole("row").nth(1);
  await expect(row).toContainText("En préparation");
  await expect(row).toContainText("1 sur 2 expédié");
  await page.getByRole("button", { name: "Détails" }).click();
  const progress = page.getByRole("dialog").getByRole("region", { name: "Suivi de la commande" });
  const states = progress.getByRole("listitem");
  await expect(states.filter({ hasText: "Payée" })).toContainText("le 2 mars 2026");
  await expect(states.filter({ hasText: "En préparation" })).toContainText("le 2 mars 2026");
  await expect(states.filter({ hasText: "Livrée" })).toContainText("À venir");
  await expect(
    progress.getByRole("link", { name: `Suivre le colis Colissimo ${TRACKING}` }),
  ).toHaveAttribute("href", `https://www.laposte.fr/outils/suivre-vos-envois?code=${TRACKING}`);
  await expect(progress).toContainText(/Reste à envoyer\s:\s1\s×\u00a0Lampe Aube/);
  for (const width of [WIDTHS.desktop, WIDTHS.phone]) {
    await page.setViewportSize({ width, height: 800 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }

  await take("shipments", { carrier: "autre", trackingNumber: "6A2" });
  await take("deliver");
  // The order is in the URL, and opens again.
  await page.reload();
  await expect(row).toContainText("Livrée");
  await expect(progress.getByText("Vos colis")).toBeVisible();
  await expect(progress).not.toContainText(/Reste à envoyer|À venir|Autre/);
  await expect(progress).toContainText(/Suivi\s: 6A2/);
  await expect(page.getByRole("dialog").getByText("Expédié", { exact: true })).toBeVisible();
});
