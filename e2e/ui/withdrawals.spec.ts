import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { addDays, formatDate } from "@/lib/dates";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf, unique } from "../backoffice";
import { expectFits } from "../fit";
import { expect, test } from "../fixtures";
import { buy, rowsOf } from "../refunding";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

// The screen of withdrawals, and the tasks on the dashboard that lead to it.

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

test("staff see the days left, refuse by keyboard, and are warned before shipping", async ({
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
  await openScreen({ page, database: db, path: "/backoffice" });
  await test.step("the dashboard starts with pending work, each kind linked to its list", async () => {
    const tasks = page.getByRole("main").getByRole("region").first();
    await expect(tasks).toHaveAccessibleName("À faire");
    await expect(tasks.getByRole("link")).toHaveText([
      /^\d+ À préparer/,
      /^\d+ À expédier/,
      /^\d+ Rétractations à régler En retard de \d+\sjours/,
      /^\d+ Remboursements échoués/,
      /^\d+ Paiements contestés/,
      /^\d+ Stock bas/,
      /^\d+ Épuisés/,
      /^\d+ Sans poids/,
    ]);
    await expectNoSidewaysScroll(page);
    await tasks.getByRole("link", { name: /Rétractations/ }).press("Enter");
    await expect(page).toHaveURL("/backoffice/withdrawals?state=received&order[refundBy]=asc");
    await expect(page).toHaveTitle("Rétractations - Mini Ecommerce");
    await expect(rowOf(page, /En retard de/).first()).toBeVisible();
  });
  await page.goto(`/backoffice/withdrawals?search=${lastName}`);
  const row = ({ order }: { order: { number: string } }) => rowOf(page, order.number);
  const button = (of: typeof fresh, name: string) => row(of).getByRole("button", { name });
  const dialog = dialogOf(page);
  for (const [withdrawal, text] of [
    [fresh, "2 × Lampe Aube"],
    [fresh, /Encore 3\sjours/],
    [today, "Dernier jour"],
    [late, /En retard de 2\sjours/],
  ] as const)
    await expect(row(withdrawal)).toContainText(text);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  // Nothing is added, changed or deleted here.
  await expect(page.getByRole("button", { name: /^(Ajouter|Modifier|Supprimer)/ })).toHaveCount(0);
  await expect(page.getByRole("checkbox")).toHaveCount(0);

  // Its order says so before it is shipped.
  const day = formatDate(fresh.withdrawal.createdAt);
  const link = row(fresh).getByRole("link", { name: `Rétractation reçue le ${day}` });
  await page.goto(`/backoffice/orders?search=${fresh.order.number}`);
  await button(fresh, "Expédier").click();
  await expect(dialog).toContainText(
    `Rétractation reçue le ${day}. Vérifiez ce qui est rendu avant d’expédier.`,
  );
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await link.click();
  await expect(page).toHaveURL(`/backoffice/withdrawals?search=${fresh.order.number}`);

  await button(fresh, "Refuser").press("Enter");
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
  await expect(button(fresh, "Rembourser")).toHaveCount(0);
  await button(fresh, "Historique").press("Enter");
  await expect(dialog).toContainText("Motif du refus");
  await expect(dialog).toContainText("Reçue");
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();

  await page.goto(`/backoffice/orders?search=${fresh.order.number}`);
  await expect(row(fresh)).toContainText("Payée");
  await expect(link).toHaveCount(0);

  await page.goto(`/backoffice/withdrawals?search=${lastName}`);
  await button(late, "Remboursée autrement").press("Enter");
  await confirmDialogOf(page).getByRole("button", { name: "Oui, remboursée" }).press("Enter");
  await expect(page.getByText("Rétractation marquée comme remboursée.")).toBeVisible();
  await expect(row(late)).toContainText("Remboursée");

  // Another member of staff was faster.
  problems.allow(409);
  await button(today, "Refuser").press("Enter");
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
  await expect(button(erased, "Rembourser")).toHaveCount(0);
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
  await pieces.fill("0");
  await expect(amount).toBeHidden();
  await pieces.fill("1");
  await expect(amount).toHaveValue("42,90");
  await expect(amount).toHaveAccessibleDescription(/Baissez-le pour déduire/);
  await amount.fill("43");
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
