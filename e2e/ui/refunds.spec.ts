import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { invoices } from "@/db/schema/invoices";
import { formatLongDate } from "@/lib/dates";
import { expectAccessible } from "../axe";
import { confirmDialogOf, dialogOf, openScreen, rowOf, saveForm } from "../backoffice";
import { expect, test } from "../fixtures";
import { buy, requestRefund, rowsOf } from "../refunding";
import { expectNoSidewaysScroll, WIDTHS } from "../storefront";

// The refund dialog, and the screen of credit notes.

/** Over the form of an invoice, which is a dialog, too. */
const refundDialogOf = (page: Page) =>
  page.getByRole("dialog", { name: /^Rembourser la commande/ });

test("a paid invoice offers a credit note; staff refund by keyboard, on a phone too", async ({
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
      { name: "Théière d’été", priceCents: 1055, vatRateBp: 550 },
    ],
  });
  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await openScreen({ page, database: db, path: `/backoffice/invoices?search=${order.paymentId}` });
  await rowOf(page, order.paymentId).getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await expect(form).toContainText(
    /Cette facture est payée\s: l’argent se rend par un remboursement, qui établit un avoir\./,
  );
  await expectNoSidewaysScroll(page);
  await form.getByRole("button", { name: "Établir un avoir" }).press("Enter");

  const dialog = refundDialogOf(page);
  const total = dialog.getByRole("paragraph").filter({ hasText: "Total à rembourser" });
  await expect(dialog).toContainText(/Il reste 96,35\s€ à rembourser au plus\./);
  await expect(total).toHaveText(/0,00\s€/);
  await dialog.getByLabel("Quantité à rembourser : Lampe Aube").focus();
  await page.keyboard.press("ArrowUp");
  await expect(total).toHaveText(/Total à rembourser\s: 42,90\s€/);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);

  const submit = dialog.getByRole("button", { name: /^Rembourser/ });
  await expect(submit).toHaveText(/Rembourser 42,90\s€/);
  await submit.press("Enter");
  await expect(dialog.getByText("Indiquez le motif du remboursement.")).toBeVisible();
  await expect(dialog.getByLabel("Motif")).toBeFocused();
  await page.keyboard.type("Abat-jour fendu");
  await page.keyboard.press("Enter");
  const message = dialog.getByRole("status");
  await expect(message).toContainText(/L’avoir AV-\S+ est envoyé au client\./);
  await expect(message).toBeInViewport({ ratio: 1 });
  const [note] = (await rowsOf(db, order.id)).creditNotes;
  await expect(message).toContainText(String(note?.number));
  await expect(dialog).toContainText(/Déjà rendu\s: 42,90\s€\. Il reste 53,45\s€ à rembourser/);
  const refundItem = dialog.getByRole("listitem").filter({ hasText: "Remboursé" });
  await expect(refundItem).toContainText(/1\s×\sLampe Aube – Abat-jour fendu/);
  const download = page.waitForEvent("download");
  await refundItem.getByRole("button", { name: /Télécharger l’avoir/ }).click();
  expect((await download).suggestedFilename()).toBe(`avoir-${note?.id}.pdf`);

  await dialog.getByLabel("Un montant, sans article").check();
  await dialog.getByLabel("Montant", { exact: true }).fill("60");
  await expect(dialog).toContainText(/Plus que ce qui reste \(53,45\s€\)\./);
  await dialog.getByLabel("Motif").fill("Retard");
  // Escape asks before it discards the input.
  await page.keyboard.press("Escape");
  await confirmDialogOf(page).getByRole("button", { name: "Continuer la saisie" }).click();
  await expect(dialog.getByLabel("Motif")).toHaveValue("Retard");
  await page.keyboard.press("Escape");
  await confirmDialogOf(page).getByRole("button", { name: "Abandonner" }).click();
  // The invoice's form is still there, and was not sent with the refund's form.
  await expect(form.getByLabel("Montant")).toHaveValue("96.35");
  await form.getByRole("button", { name: "Annuler" }).click();
  await expect(form).toBeHidden();
  expect(
    await db
      .select({ version: invoices.version })
      .from(invoices)
      .where(eq(invoices.orderId, order.id)),
  ).toEqual([{ version: 1 }]);

  await page.setViewportSize({ width: WIDTHS.desktop, height: 900 });
  await page.getByRole("link", { name: "Avoirs" }).click();
  await expect(page).toHaveTitle("Avoirs - Mini Ecommerce");
  const row = rowOf(page, String(note?.number));
  await expect(row).toContainText("Abat-jour fendu");
  await expect(row).toContainText(/dont TVA 20\s%\s: 7,15\s€/);
  await expectAccessible(page);

  await page.goto(`/backoffice/orders?search=${order.buyer.email}`);
  const listed = rowOf(page, order.buyer.email);
  await expect(listed).toContainText(/96,35 €Remboursé\s: 42,90\s€/);
  await listed.getByRole("button", { name: "Historique" }).click();
  const entries = dialogOf(page).locator("ol > li");
  await expect(entries).toHaveText([
    /^Demande de remboursement .*ArticlesLampe Aube × 1.*Montant42,90\s€MotifAbat-jour fendu/,
  ]);
  await expect(entries).not.toContainText(/item|undefined|T\d\d:/);
});

test("editing a paid invoice makes a corrected version, with the former one in its history", async ({
  page,
  api,
  database: db,
  cards,
}) => {
  const order = await buy({ api, db, cards });
  await openScreen({ page, database: db, path: `/backoffice/invoices?search=${order.paymentId}` });
  const row = rowOf(page, order.paymentId);
  const dialog = dialogOf(page);
  const today = formatLongDate(new Date());
  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(dialog).toContainText(
    `La modifier établit une facture rectificative, qui annule et remplace la version du ${today} sans rendre d’argent.`,
  );
  await expect(dialog.getByLabel("Payée")).toBeChecked();
  await expect(dialog.getByLabel("Payée")).toBeDisabled();
  await dialog.getByLabel("Montant").fill("40");
  await saveForm(dialog);
  await expect(row).toContainText(/40 €.*Rectifiée le \d\d\/\d\d\/\d{4}/);

  await page.setViewportSize({ width: WIDTHS.phone, height: 800 });
  await row.getByRole("button", { name: "Historique" }).click();
  const versions = dialog.getByRole("region", { name: "Versions antérieures" });
  await expect(versions.getByRole("listitem")).toHaveText([
    new RegExp(`^Version du ${today}42,90\\s€.*Remplacée le .* par `),
  ]);
  await expect(dialog.locator("ol > li")).toHaveText([
    /^Modification .*Montant42,90\s€ → 40,00\s€/,
  ]);
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const download = page.waitForEvent("download");
  await versions.getByRole("button", { name: "Télécharger cette version" }).click();
  expect((await download).suggestedFilename()).toMatch(/^facture-\d+-version-1\.pdf$/);
});

test("the dialog refunds what a goodwill left, and shows that a colleague was faster", async ({
  problems,
  page,
  api,
  database: db,
  cards,
}) => {
  problems.allow(409);
  const order = await buy({ api, db, cards });
  await requestRefund({ api, order, amount: 0.01 });
  await openScreen({ page, database: db, path: `/backoffice/orders?search=${order.buyer.email}` });
  await rowOf(page, order.buyer.email).getByRole("button", { name: "Rembourser" }).click();
  const dialog = dialogOf(page);
  await dialog.getByRole("button", { name: "Tout sélectionner" }).click();
  await expect(dialog).toContainText(
    /C’est tout ce qui reste à rendre sur 42,90\s€\s: la différence de 0,01\s€ est déjà rendue ou en cours de remboursement\./,
  );
  await expect(dialog.getByRole("button", { name: /^Rembourser 42,89\s€/ })).toBeVisible();
  await dialog.getByLabel("Motif").fill("Colis perdu");
  const items = [{ item: order.lines[0]?.id, quantity: 1 }];
  expect((await requestRefund({ api, order, items })).json).toMatchObject({ amount: 42.89 });
  await page.keyboard.press("Enter");
  await expect(dialog.getByRole("alert")).toContainText("Il ne reste rien à rembourser");
  await expect(dialog).toContainText(/Déjà rendu\s: 42,90\s€/);
  await expect(dialog.getByRole("button", { name: /^Rembourser/ })).toHaveCount(0);
  await expectAccessible(page);
});

test("pending and failed refunds are shown; a failed one can be retried", async ({
  page,
  api,
  database: db,
  cards,
}) => {
  const order = await buy({ api, db, cards, card: "pm_card_pendingRefund" });
  await openScreen({ page, database: db, path: `/backoffice/invoices?search=${order.paymentId}` });
  const open = async () => {
    await rowOf(page, order.paymentId).getByRole("button", { name: "Modifier" }).click();
    await dialogOf(page).getByRole("button", { name: "Établir un avoir" }).click();
  };
  await open();
  const dialog = refundDialogOf(page);
  await dialog.getByRole("button", { name: "Tout sélectionner" }).click();
  await expect(dialog.getByLabel("Remettre les articles en stock")).toBeChecked();
  await dialog.getByLabel("Motif").fill("Annulée");
  await dialog.getByRole("button", { name: /^Rembourser/ }).click();
  await expect(dialog.getByRole("status")).toContainText(
    /Le remboursement de 42,90\s€ est enregistré et en attente/,
  );
  await expect(dialog.getByRole("listitem").filter({ hasText: "En attente" })).toBeVisible();
  const [first] = (await rowsOf(db, order.id)).refunds;
  await cards.settleRefund(first?.providerId ?? "", "failed");
  await expect.poll(async () => (await rowsOf(db, order.id)).refunds[0]?.status).toBe("failed");
  await page.reload();
  await open();
  await expect(dialog).toContainText("La carte du client a expiré ou a été annulée.");
  await dialog.getByRole("button", { name: "Reprendre ce remboursement" }).click();
  await expect(dialog.getByLabel("Motif")).toHaveValue("Annulée");
  await dialog.getByRole("button", { name: /^Rembourser 42,90/ }).click();
  await expect.poll(async () => (await rowsOf(db, order.id)).refunds.length).toBe(2);
});
