import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { shipments } from "@/db/schema/shipments";
import type { OrderStatus } from "@/lib/shop/order-status";
import { newAdmin } from "../admin";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { queuedMails } from "../mailbox";
import { WIDTHS } from "../storefront";

const TRACKING = "6A12345678901";

/** A buyer, and orders of two lamps in these states. */
async function arrangeOrders(db: Database, states: readonly OrderStatus[]) {
  const user = await createUser({ db, lastName: unique("Colis") });
  const product = await createProduct({ db, name: "Lampe Aube" });
  const written = [];
  for (const status of states)
    written.push(await createOrder({ db, user, items: [{ product, quantity: 2 }], status }));
  return { user, orders: written.map(({ order }) => order) };
}

async function stateOf(db: Database, order: { id: number } | undefined) {
  const [row] = await db
    .select()
    .from(orders)
    .where(eq(orders.id, Number(order?.id)));
  return row?.status;
}

test("staff prepare, ship with a scanner and deliver by keyboard alone, and no label goes to two buyers", async ({
  page,
  database: db,
  arrange,
}) => {
  const { user, orders: all } = await arrange((tx) => arrangeOrders(tx, ["paid", "paid"]));
  // The list begins with the newest.
  const [later, order] = all;
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const row = rowOf(page, String(order?.number));
  await expect(row).toContainText("Payée");
  await row.getByRole("button", { name: "Préparer" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("Commande en préparation.")).toBeVisible();
  await expect(row).toContainText("En préparation");

  await row.getByRole("button", { name: "Expédier" }).focus();
  await page.keyboard.press("Enter");
  const dialog = dialogOf(page);
  const number = dialog.getByLabel("Numéro de suivi");
  await expect(number).toBeFocused();
  await expect(dialog.getByLabel("Transporteur")).toHaveValue("Colissimo");
  await expect(dialog.getByLabel("Lampe Aube")).toHaveValue("2");
  await expectFits(page);
  // Enter without a number sends nothing.
  await number.press("Enter");
  await expect(dialog.getByText("Veuillez saisir le numéro de suivi")).toBeVisible();
  await expect(number).toBeFocused();
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
  expect(await stateOf(db, order)).toBe("delivered");

  // The scanner reads the same label again, for the other order.
  await rowOf(page, String(later?.number)).getByRole("button", { name: "Expédier" }).click();
  await expect(number).toBeFocused();
  await page.keyboard.type(TRACKING);
  await page.keyboard.press("Enter");
  const question = confirmDialogOf(page);
  await expect(question).toContainText(`Vous avez déjà expédié la commande ${order?.number} (`);
  await expectAccessible(page);
  // The scanner's next Enter sends nothing either, and another number replaces the wrong one.
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(number).toBeFocused();
  await page.keyboard.type(`${TRACKING.toLowerCase()} `);
  await expect(number).toHaveValue(`${TRACKING.toLowerCase()} `);
  await page.keyboard.press("Enter");
  await question.getByRole("button", { name: "Corriger le numéro" }).click();
  expect(await stateOf(db, later)).toBe("paid");
  expect(await queuedMails(db, user.email)).toHaveLength(1);
  // One parcel may hold both orders of a buyer.
  await dialog.getByRole("button", { name: "Expédier" }).click();
  await question.getByRole("button", { name: "Expédier quand même" }).click();
  await expect(dialog).toBeHidden();
  await expect(rowOf(page, String(later?.number))).toContainText("Expédiée");
  expect(await queuedMails(db, user.email)).toHaveLength(2);
});

test("staff ship a part and correct its number; a conflict or a refusal loses no typed text", async ({
  page,
  api,
  database: db,
  arrange,
  problems,
}) => {
  problems.allow(422, 409);
  const { user, order, lines } = await arrange(async (tx) => {
    const user = await createUser({ db: tx, lastName: unique("Colis") });
    const items = [];
    for (let i = 1; i <= 6; i++)
      items.push({ product: await createProduct({ db: tx, name: `Bol ${i}` }), quantity: 2 });
    return { user, ...(await createOrder({ db: tx, user, items })) };
  });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const row = rowOf(page, user.email);
  const dialog = dialogOf(page);
  const number = dialog.getByLabel("Numéro de suivi");
  const ship = dialog.getByRole("button", { name: "Expédier" });
  await row.getByRole("button", { name: "Expédier" }).click();
  await dialog.getByLabel("Transporteur").selectOption("Chronopost");
  await number.fill(TRACKING);
  await page.keyboard.press("Escape");
  await expect(confirmDialogOf(page)).toContainText("Abandonner les modifications");
  await confirmDialogOf(page).getByRole("button", { name: "Continuer la saisie" }).click();

  // A piece of the first bowl is sent elsewhere.
  await api.post(`/api/admin_orders/${order.id}/shipments`, {
    token: (await newAdmin(db)).token,
    json: { carrier: "DPD", items: [{ item: lines[0]?.id, quantity: 1 }] },
  });
  await ship.click();
  await expect(dialog.getByRole("alert")).toContainText("modifié entre-temps");
  await expect(dialog.getByRole("alert")).toBeInViewport({ ratio: 1 });
  await expect(dialog.getByText("1 pièce reste à envoyer.")).toBeVisible();
  await expect(number).toHaveValue(TRACKING);
  await dialog.getByLabel("Bol 2").fill("3");
  await ship.click();
  await expect(
    dialog.getByText("Il ne reste que 2 pièces de cet article à envoyer."),
  ).toBeVisible();
  await expect(dialog.getByLabel("Bol 2")).toBeFocused();
  await dialog.getByLabel("Bol 2").fill("1");
  await ship.click();
  await expect(dialog).toBeHidden();
  await expect(row).toContainText("En préparation");
  await expect(row).toContainText("11 objets expédiés sur 12");

  await row.getByRole("button", { name: "Colis" }).click();
  const parcel = dialog.getByRole("listitem").filter({ hasText: "Bol 2" });
  const corrected = parcel.getByLabel("Numéro de suivi");
  // Copied text may contain a zero-width space.
  await corrected.fill("XY\u200B123");
  await parcel.getByRole("button", { name: "Enregistrer" }).click();
  await expect(corrected).toBeFocused();
  await expect(corrected).toHaveAttribute("aria-invalid", "true");
  await corrected.fill("XY123");
  await parcel.getByRole("button", { name: "Enregistrer" }).click();
  await expect(dialog).toBeHidden();
  await expect(row.getByRole("link", { name: "Suivre le colis Chronopost XY123" })).toBeVisible();

  // The rest goes with a carrier that is not in the list, and without a number.
  await row.getByRole("button", { name: "Expédier" }).click();
  await expect(dialog.getByRole("spinbutton")).toHaveCount(1);
  await expect(dialog.getByLabel("Bol 2")).toHaveValue("1");
  await dialog.getByLabel("Transporteur").selectOption("Autre");
  await dialog.getByLabel("Nom du transporteur").fill("Vélo du quartier");
  await ship.click();
  await expect(row).toContainText("Expédiée");
  const sent = await db.select().from(shipments).where(eq(shipments.orderId, order.id));
  expect(sent.map(({ carrier, trackingNumber }) => [carrier, trackingNumber]).sort()).toEqual([
    ["Chronopost", "XY123"],
    ["DPD", null],
    ["Vélo du quartier", null],
  ]);
});

test("on a phone the shop's message is visible wherever the list is scrolled to", async ({
  page,
  api,
  database: db,
  arrange,
  problems,
}) => {
  problems.allow(409);
  const { user } = await arrange((tx) => arrangeOrders(tx, Array(6).fill("shipped")));
  await page.setViewportSize({ width: WIDTHS.phone, height: 740 });
  const path = `/backoffice/orders?status=shipped&user=${user.id}`;
  await openScreen({ page, database: db, path });
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
  const { user, orders: all } = await arrange((tx) =>
    arrangeOrders(tx, ["paid", "paid", "preparing", "shipped", "delivered", "cancelled"]),
  );
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${user.email}` });
  const rows = rowOf(page, user.email);
  const selectAll = page.getByLabel("Tout sélectionner");
  // The badges are readable on a selected row.
  await selectAll.check();
  await expect(page.getByText("6 sélectionnés")).toBeVisible();
  for (const label of ["Payée", "En préparation", "Expédiée", "Livrée", "Annulée"]) {
    const badge = rows.getByText(label, { exact: true }).first();
    const [own, row] = await badge.evaluate((element) =>
      [element, element.closest("tr")].map(
        (each) => each && getComputedStyle(each).backgroundColor,
      ),
    );
    expect([own, row], label).toEqual(["rgb(255, 255, 255)", "rgb(228, 240, 234)"]);
  }
  await expectAccessible(page);
  await selectAll.uncheck();

  const filter = (name: string) => page.getByRole("button", { name });
  await filter("À préparer").click();
  await expect(page).toHaveURL(/todo=prepare/);
  await expect(filter("À préparer")).toHaveAttribute("aria-pressed", "true");
  await expect(rows).toHaveCount(2);
  await selectAll.check();
  const sent = page.waitForRequest("**/api/packing_slips");
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Imprimer les bons de préparation" }).click();
  expect((await sent).postDataJSON().orders).toHaveLength(2);
  expect((await download).suggestedFilename()).toBe("bons-de-preparation.pdf");
  const prepare = page.getByRole("button", { name: "Préparer la sélection" });
  await prepare.press("Enter");
  await expect(page.getByText("2 éléments traités.")).toBeVisible();
  await expect(page.getByRole("cell", { name: "Aucune commande trouvée." })).toBeVisible();
  await expect(page.getByRole("region", { name: "Gestion des commandes (CRUD)" })).toBeFocused();
  for (const order of all.slice(0, 2)) expect(await stateOf(db, order)).toBe("preparing");
  await filter("À expédier").click();
  await expect(rows).toHaveCount(3);
  await filter("À expédier").click();
  await page.getByLabel("État", { exact: true }).selectOption("Livrée");
  await expect(rows).toHaveCount(1);
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
  const take = (step: string, json?: object) =>
    api.post(`/api/admin_orders/${order.id}/${step}`, { token, json });
  const items = [{ item: Number(lines[0]?.id), quantity: 1 }];
  await take("shipments", { carrier: "Colissimo", trackingNumber: TRACKING, items });
  await openSession(page, user);
  await page.goto("/orders");
  const row = page.getByRole("row").nth(1);
  await expect(row).toContainText("En préparation");
  await expect(row).toContainText("1 objet expédié sur 2");
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
  await expectFits(page);

  await take("shipments", { carrier: "autre", trackingNumber: "6A2" });
  await take("deliver");
  // The order is in the URL, and opens again.
  await page.reload();
  await expect(row).toContainText("Livrée");
  await expect(progress.getByText("Vos colis")).toBeVisible();
  await expect(progress).not.toContainText(/Reste à envoyer|À venir|Autre/);
  await expect(progress).toContainText(/Suivi\s: 6A2/);
  await expect(page.getByRole("dialog").getByText("Livré", { exact: true })).toBeVisible();
});
