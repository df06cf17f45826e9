import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { refunds } from "@/db/schema/refunds";
import { withdrawals } from "@/db/schema/withdrawals";
import { addDays, formatDate } from "@/lib/dates";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { openSession } from "../browser-session";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { buy, rowsOf } from "../refunding";
import { expectNoSidewaysScroll, plainSpaces, WIDTHS } from "../storefront";

// The screen of withdrawals, and the tasks on the dashboard.

async function createReceived(
  db: Database,
  { lastName, dueIn = 3 }: { lastName: string; dueIn?: number },
) {
  const user = await createUser({ db, lastName });
  const product = await createProduct({ db, name: "Lampe Aube" });
  const { order, lines } = await createOrder({ db, user, items: [{ product, quantity: 2 }] });
  const refundBy = addDays(new Date(), dueIn);
  return { user, order, withdrawal: await createWithdrawal({ db, order, lines, refundBy }) };
}

test("staff see the days left, and refuse by keyboard, on a phone too", async ({
  page,
  database: db,
  problems,
}) => {
  const lastName = unique("Oeuvrard");
  const fresh = await createReceived(db, { lastName });
  const today = await createReceived(db, { lastName, dueIn: 0 });
  const late = await createReceived(db, { lastName, dueIn: -2 });
  const erased = await createReceived(db, { lastName, dueIn: 1 });
  await db
    .update(withdrawals)
    .set({ userId: null, buyerFirstName: null, buyerLastName: null, buyerEmail: null, items: null })
    .where(eq(withdrawals.id, erased.withdrawal.id));
  await db.delete(orders).where(eq(orders.id, erased.order.id));

  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await openScreen({ page, database: db, path: `/backoffice/withdrawals?search=${lastName}` });
  await expect(page).toHaveTitle("Rétractations - Mini Ecommerce");
  const row = ({ order }: { order: { number: string } }) => rowOf(page, order.number);
  await expect(row(fresh)).toContainText(/Encore 3\sjours/);
  await expect(row(today)).toContainText("Dernier jour");
  await expect(row(late)).toContainText(/En retard de 2\sjours/);
  await expect(row(fresh)).toContainText("2 × Lampe Aube");
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  // Nothing is added, changed or deleted here.
  await expect(page.getByRole("button", { name: /^(Ajouter|Modifier|Supprimer)/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);

  await row(fresh).getByRole("button", { name: "Refuser" }).press("Enter");
  const dialog = dialogOf(page);
  const reason = dialog.getByLabel("Motif du refus");
  await expect(reason).toBeFocused();
  await dialog.getByRole("button", { name: "Refuser" }).press("Enter");
  await expect(dialog).toContainText("Veuillez indiquer le motif du refus.");
  await expect(reason).toBeFocused();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  await reason.fill("L’abat-jour est fendu.");
  await dialog.getByRole("button", { name: "Refuser" }).press("Enter");
  await expect(page.getByText("Rétractation refusée. Le client en est informé.")).toBeVisible();
  await expect(row(fresh)).toContainText(/Motif\s: L’abat-jour est fendu\./);
  await expect(row(fresh)).not.toContainText(/Encore/);
  await expect(row(fresh).getByRole("button", { name: "Rembourser" })).toHaveCount(0);
  await row(fresh).getByRole("button", { name: "Historique" }).press("Enter");
  await expect(dialog).toContainText("Motif du refus");
  await expect(dialog).toContainText("Reçue");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await row(late).getByRole("button", { name: "Remboursée autrement" }).press("Enter");
  await confirmDialogOf(page).getByRole("button", { name: "Oui, remboursée" }).press("Enter");
  await expect(page.getByText("Rétractation marquée comme remboursée.")).toBeVisible();
  await expect(row(late)).toContainText("Remboursée");

  // Another member of staff was faster.
  problems.allow(409);
  await row(today).getByRole("button", { name: "Refuser" }).press("Enter");
  await db
    .update(withdrawals)
    .set({ state: "refunded", settledAt: sql`now()` })
    .where(eq(withdrawals.id, today.withdrawal.id));
  await reason.fill("Trop tard.");
  await dialog.getByRole("button", { name: "Refuser" }).press("Enter");
  await expect(dialog).toContainText("Cette rétractation est déjà réglée.");
  await expect(reason).toHaveValue("Trop tard.");

  await page.goto(`/backoffice/withdrawals?search=${erased.order.number}`);
  await expect(row(erased)).toContainText("Compte effacé");
  await expect(row(erased)).toContainText("supprimée");
  await expect(row(erased).getByRole("button", { name: "Rembourser" })).toHaveCount(0);
});

test("the refund dialog opens with the objects; staff choose, deduct, and settle the withdrawal", async ({
  problems,
  page,
  api,
  database: db,
  cards,
}) => {
  problems.allow(422);
  const order = await buy({
    api,
    db,
    cards,
    items: [
      { name: "Lampe Aube", priceCents: 4290, pieces: 2 },
      { name: "Guide des thés", priceCents: 900, type: "digital" },
    ],
  });
  const { token } = order.buyer;
  await api.post(`/api/orders/${order.id}/withdrawal`, { token, json: { items: "une des deux" } });
  const number = (await rowsOf(db, order.id)).order?.number ?? "";
  const path = `/backoffice/withdrawals?search=${number}&state=received`;
  await openScreen({ page, database: db, path });
  const menu = page.getByRole("navigation", { name: "Menu du back office" });
  await expect(menu.getByRole("link", { name: /^Rétractations \d+ à régler$/ })).toBeVisible();
  await rowOf(page, number).getByRole("button", { name: "Rembourser" }).click();
  const dialog = dialogOf(page);
  const pieces = dialog.getByLabel("Quantité à rembourser : Lampe Aube");
  const amount = dialog.getByLabel("Montant remboursé");
  const total = dialog.getByRole("paragraph").filter({ hasText: /Total à rembourser/ });
  await expect(pieces).toHaveValue("2");
  await expect(dialog.getByLabel("Quantité à rembourser : Guide des thés")).toHaveValue("0");
  await expect(total).toHaveText(/85,80\s€/);
  await pieces.fill("1");
  await expect(amount).toHaveValue("42,90");
  await expect(amount).toHaveAccessibleDescription(/Baissez-le pour déduire/);
  await amount.fill("43");
  await pieces.fill("0");
  await expect(amount).toBeHidden();
  await pieces.fill("1");
  await expect(total).toHaveText(/43,00\s€Plus que le prix de ce qui est choisi \(42,90\s€\)\./);
  await dialog.getByLabel("Motif").fill("Lampe usée");
  const submit = dialog.getByRole("button", { name: /^Rembourser/ });
  await submit.click();
  await expect(amount).toHaveAccessibleDescription(/Le montant ne peut pas dépasser le prix/);
  await pieces.fill("2");
  await expect(amount).not.toHaveAccessibleDescription(/Le montant ne peut pas dépasser/);
  await amount.fill("70,5");
  await expect(total).toHaveText(/Total à rembourser\s: 70,50\s€$/);
  await expect(amount).toHaveAccessibleDescription(/moins une déduction de 15,30\s€/);
  await expectFits(page);
  await submit.click();
  await expect(dialog.getByRole("status")).toContainText("est envoyé au client.");
  await expect(
    dialog.getByRole("listitem").filter({ hasText: /2\s×\sLampe Aube – Déduction de 15,30\s€/ }),
  ).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByText("Rétractation remboursée.")).toBeVisible();
  await expect(page.getByText("Aucune rétractation trouvée.")).toBeVisible();
});

test("the dashboard starts with pending work, each kind linked to its list", async ({
  page,
  shopWith,
}) => {
  const { baseURL, database: db } = await shopWith();
  const user = await createUser({ db });
  const product = await createProduct({ db, stock: 5, lowStockThreshold: 7 });
  await createProduct({ db, stock: 0, lowStockThreshold: 3 });
  const items = [{ product }];
  const paid = await createOrder({ db, user, items });
  await createOrder({
    db,
    user,
    items: [{ product: await createProduct({ db, type: "digital" }) }],
  });
  await createOrder({ db, user, items, status: "preparing" });
  await createReceived(db, { lastName: "Martin", dueIn: -40 });
  const disputed = await createOrder({ db, user, items });
  const begun = { paymentIntentId: "pi_a", amountCents: 100, reason: "Essai" };
  await db.insert(refunds).values([
    { ...begun, orderId: paid.order.id, origin: "staff", status: "failed" },
    { ...begun, orderId: disputed.order.id, origin: "dispute", status: "pending" },
  ]);
  const count = async (query: string) => {
    const [row] = await db.execute<{ n: number }>(sql.raw(`select count(*)::int as n ${query}`));
    return row?.n ?? 0;
  };
  await openSession(page, await createAdmin({ db }));
  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await page.goto(`${baseURL}/backoffice`);
  const region = page.getByRole("region", { name: "À faire" });
  const expected = [
    [await count("from orders where status = 'paid'"), "À préparer"],
    [await count("from orders where status = 'preparing'"), "À expédier"],
    [await count("from withdrawals where state = 'received'"), "Rétractations à régler"],
    [1, "Remboursements échoués"],
    [1, "Paiements contestés"],
    [await count("from products where stock > 0 and stock <= low_stock_threshold"), "Stock bas"],
    [await count("from products where stock = 0"), "Épuisés"],
  ] as const;
  for (const [n, label] of expected) {
    expect(n, label).toBeGreaterThan(0);
    await expect(region.getByRole("link", { name: new RegExp(`^${n} ${label}`) })).toBeVisible();
  }
  const urgent = region.getByRole("link", { name: /Rétractations/ });
  expect(plainSpaces((await urgent.textContent()) ?? "")).toContain("En retard de 40 jours");
  // The tasks come before the figures of the day.
  const sections = page.getByRole("main").getByRole("region");
  await expect(sections.first()).toHaveAccessibleName("À faire");
  await expectNoSidewaysScroll(page);
  await urgent.press("Enter");
  await expect(page).toHaveURL(
    `${baseURL}/backoffice/withdrawals?state=received&order[refundBy]=asc`,
  );
  await expect(rowOf(page, /En retard de 40/)).toBeVisible();
  await page.goto(`${baseURL}/backoffice`);
  await region.getByRole("link", { name: /À préparer/ }).click();
  await expect(rowOf(page, paid.order.number)).toBeVisible();
  // The shop ends with the test, so the page must send no further requests.
  await page.close();
});

test("an order with a withdrawal says so before it is shipped", async ({ page, database: db }) => {
  const { order, withdrawal } = await createReceived(db, { lastName: unique("Oeuvrard") });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${order.number}` });
  const day = formatDate(withdrawal.createdAt);
  const link = rowOf(page, order.number).getByRole("link", {
    name: `Rétractation reçue le ${day}`,
  });
  await rowOf(page, order.number).getByRole("button", { name: "Expédier" }).click();
  await expect(dialogOf(page)).toContainText(
    `Rétractation reçue le ${day}. Vérifiez ce qui est rendu avant d’expédier.`,
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");

  await link.click();
  await expect(page).toHaveURL(`/backoffice/withdrawals?search=${order.number}`);
  await rowOf(page, order.number).getByRole("button", { name: "Refuser" }).click();
  await dialogOf(page).getByLabel("Motif du refus").fill("Le délai est passé.");
  await dialogOf(page).getByRole("button", { name: "Refuser" }).click();
  await expect(page.getByText("Rétractation refusée. Le client en est informé.")).toBeVisible();
  await page.goto(`/backoffice/orders?search=${order.number}`);
  await expect(rowOf(page, order.number)).toContainText("Payée");
  await expect(link).toHaveCount(0);
});
