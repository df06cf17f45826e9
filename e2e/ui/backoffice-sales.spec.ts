import type { Page } from "@playwright/test";
import { eq } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { invoices } from "@/db/schema/invoices";
import { mailOutbox } from "@/db/schema/mail";
import { orders } from "@/db/schema/orders";
import { isoDay } from "@/lib/dates";
import { expectAccessible } from "../axe";
import {
  choose,
  confirmDialogOf,
  deleteRow,
  dialogOf,
  expectFailedSave,
  headingsOf,
  openScreen,
  rowOf,
  saveForm,
  search,
  unique,
} from "../backoffice";
import { expect, test } from "../fixtures";
import { plainSpaces } from "../storefront";

// Carts, orders, invoices, and the dashboard.

test("a cart is added, changed and deleted", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const user = await createUser({ db: database, lastName: unique("Panier") });
  const product = await arrange((db) =>
    createProduct({ db, name: unique("Vase à deux anses en terre "), priceCents: 123_450 }),
  );
  await openScreen({ page, database, path: "/backoffice/cart" });
  await expect(page).toHaveTitle("Gestion des paniers - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe("ID, Utilisateur, Contenu du panier, Actions");
  await page.getByRole("button", { name: "Ajouter un panier" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await choose({ within: form, label: "Utilisateur", search: user.email, option: user.lastName });
  await form.getByRole("button", { name: "Ajouter un article" }).click();
  await expect(form.getByLabel("Quantité")).toHaveValue("1");
  await submit.click();
  await expect(form.getByRole("alert")).toBeVisible();
  await choose({ within: form, label: "Produit", search: product.name, option: product.name });
  await form.getByLabel("Quantité").fill("3");
  await expectAccessible(page);
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, user.email);
  await expect(row).toContainText(user.lastName);
  await expect(row).toContainText(product.name);
  await expect(row).toContainText(/1\s?234,50/);
  await expect(row).toContainText("Quantité : 3");
  const stored = async () => {
    const [cart] = await database.select().from(carts).where(eq(carts.userId, user.id));
    if (!cart) return null;
    return database.select().from(cartItems).where(eq(cartItems.cartId, cart.id));
  };
  expect(await stored()).toMatchObject([{ productId: product.id, quantity: 3 }]);

  await test.step("in the folded table the product's name has room", async () => {
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 900 });
      const box = await row.getByText(product.name).boundingBox();
      expect(box?.width, `at ${width} px`).toBeGreaterThan(90);
      expect(box?.height, `at ${width} px`).toBeLessThan(70);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  // A user with a cart is not offered for another cart.
  await page.getByRole("button", { name: "Ajouter un panier" }).click();
  await form.getByRole("combobox", { name: "Utilisateur" }).fill(user.email);
  await expect(form.getByText("Aucun résultat.")).toBeVisible();
  // The first Escape closes the list, the second one the dialog.
  await page.keyboard.press("Escape");
  await expect(form.getByText("Aucun résultat.")).toBeHidden();
  await page.keyboard.press("Escape");
  await expect(form).toBeHidden();

  await row.getByRole("button", { name: "Modifier" }).click();
  await form.getByRole("button", { name: "Retirer l’article 1" }).click();
  await saveForm(form);
  await expect(row).toContainText("Aucun article");
  expect(await stored()).toEqual([]);

  await expectFailedSave({
    page,
    row,
    path: "**/api/carts/*",
    sentence: "Erreur lors de la sauvegarde du panier.",
  });

  await deleteRow({ page, row, question: "Supprimer ce panier ?" });
  expect(await stored()).toBeNull();

  await search(page, "introuvablexyz");
  await expect(page.getByRole("cell", { name: "Aucun panier trouvé." })).toBeVisible();
});

async function fillOrder(
  page: Page,
  { email, lastName, product }: { email: string; lastName: string; product: string },
): Promise<void> {
  const form = dialogOf(page);
  await choose({ within: form, label: "Utilisateur", search: email, option: lastName });
  await form.getByRole("button", { name: "Ajouter un article" }).click();
  await choose({ within: form, label: "Produit", search: product, option: product });
  await form.getByLabel("Quantité").fill("2");
  await form.getByLabel("Total").fill("25.5");
  for (const kind of ["livraison", "facturation"]) {
    await form.getByLabel(`Rue (${kind})`).fill("3 rue Haute");
    await form.getByLabel(`Code postal (${kind})`).fill("44000");
    await form.getByLabel(`Ville (${kind})`).fill("Nantes");
  }
}

test("an order is added, changed and deleted", async ({ page, database, arrange, problems }) => {
  problems.allow(404, 500);
  const user = await createUser({ db: database, lastName: unique("Commande") });
  const product = await arrange((db) =>
    createProduct({ db, name: unique("Cadre "), priceCents: 1250 }),
  );
  await openScreen({ page, database, path: "/backoffice/orders" });
  await expect(page).toHaveTitle("Gestion des commandes - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Utilisateur, Articles, Total, Date, Adresse livraison, Adresse facturation, Facture, Actions",
  );
  await page.getByRole("button", { name: "Ajouter une commande" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await fillOrder(page, { ...user, product: product.name });
  await submit.click();
  await expect(form.getByRole("alert")).toHaveText("Tous les champs sont obligatoires.");
  await expect(form.getByLabel("Chemin du PDF de la facture")).toBeFocused();
  await form.getByLabel("Chemin du PDF de la facture").fill("/factures/a.pdf");
  const sent = page.waitForRequest((request) => request.method() === "POST");
  await submit.click();
  expect((await sent).postDataJSON()).toEqual({
    user: String(user.id),
    orderItems: [{ product: String(product.id), quantity: 2 }],
    total: 25.5,
    shippingStreet: "3 rue Haute",
    shippingCity: "Nantes",
    shippingPostalCode: "44000",
    billingStreet: "3 rue Haute",
    billingCity: "Nantes",
    billingPostalCode: "44000",
    invoice_pdf_path: "/factures/a.pdf",
  });
  await expect(form).toBeHidden();
  const row = rowOf(page, user.email);
  await expect(row).toContainText(`${product.name} × 2`);
  await expect(row).toContainText("25,50");
  await expect(row).toContainText("3 rue Haute, 44000 Nantes");
  const stored = async () =>
    (await database.select().from(orders).where(eq(orders.userId, user.id)))[0];
  // The order has no invoice in the shop. Its link does not request another order's invoice.
  const download = row.getByRole("link", { name: "Télécharger" });
  await expect(download).toHaveAttribute("href", "/api/invoices/0/download");
  await download.click();
  await expect(row.getByRole("alert")).toHaveText("Erreur lors du téléchargement du PDF");

  await row.getByRole("button", { name: "Modifier" }).click();
  await form.getByLabel("Ville (livraison)").fill("Rezé");
  const lines = form.getByRole("group", { name: "Adresse livraison" });
  await lines.getByText("Destinataire, société, complément, téléphone").click();
  await lines.getByLabel("Complément d’adresse").fill("Bât. B, 3e étage");
  // The items' sum is shown if the total differs.
  const sum = form.getByRole("paragraph").filter({ hasText: "Articles" });
  await expect(sum).toHaveText(/Articles\s: 25,00\s€/);
  await form.getByLabel("Quantité").fill("3");
  await expect(sum).toHaveText(/Articles\s: 37,50\s€/);
  const adopt = form.getByRole("button", { name: "Reprendre comme total" });
  await adopt.press("Enter");
  await expect(form.getByLabel("Total")).toHaveValue("37.5");
  await expect(adopt).toBeHidden();
  await expect(sum).toBeFocused();
  await saveForm(form);
  await expect(row).toContainText("44000 Rezé");
  expect((await stored())?.shippingComplement).toBe("Bât. B, 3e étage");
  await expect(row).toContainText("37,50");
  await expectFailedSave({
    page,
    row,
    path: "**/api/admin_orders/*",
    sentence: "Erreur lors de la sauvegarde de la commande.",
  });

  await deleteRow({ page, row, question: "Supprimer cette commande ?" });
  expect(await stored()).toBeUndefined();
});

test("an invoice is added, changed and deleted", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const user = await createUser({ db: database, lastName: unique("Client") });
  const other = await createUser({ db: database });
  const [{ order }, { order: ofAnother }, invoiced] = await arrange(async (db) => {
    const items = [{ product: await createProduct({ db }) }];
    return [
      await createOrder({ db, user, items, invoiced: false }),
      await createOrder({ db, user: other, items, invoiced: false }),
      await createOrder({ db, user, items }),
    ];
  });
  const paymentId = unique("pi_main_");
  await openScreen({ page, database, path: "/backoffice/invoices" });
  await expect(page).toHaveTitle("Gestion des factures - Mini Ecommerce");
  expect((await headingsOf(page)).join(", ")).toBe(
    "ID, Montant, Utilisateur, Commande, PDF, ID Paiement, Actions",
  );
  await page.getByRole("button", { name: "Ajouter une facture" }).click();
  const form = dialogOf(page);
  const submit = form.getByRole("button", { name: "Ajouter", exact: true });
  await form.getByLabel("Montant").fill("49.9");
  await choose({ within: form, label: "Utilisateur", search: user.email, option: user.lastName });
  const ownOrders = form.getByRole("combobox", { name: "Commande" });
  await ownOrders.fill(ofAnother.number);
  await expect(form.getByText("Aucun résultat.")).toBeVisible();
  const chooseOrder = ({ id, number }: { id: number; number: string }) =>
    choose({ within: form, label: "Commande", search: number, option: new RegExp(`#${id} `) });
  await chooseOrder(invoiced.order);
  await expect(
    form.getByText(
      `Cette commande a déjà la facture ${invoiced.invoice?.number}\u00a0: la TVA compterait deux fois.`,
    ),
  ).toBeVisible();
  await chooseOrder(order);
  await expect(form.getByText("Facultative, par son numéro ou id.")).toBeVisible();
  await form.getByLabel("Chemin du PDF").fill("/api/invoices/1/download");
  await form.getByLabel("ID Paiement").fill(paymentId);
  await submit.click();
  await expect(form).toBeHidden();
  const row = rowOf(page, paymentId);
  await expect(row).toContainText("49.9 €");
  await expect(row).toContainText(`${user.lastName} Camille`);
  await expect(row).toContainText(`#${order.id} - 19.9 €`);
  const stored = async () =>
    (await database.select().from(invoices).where(eq(invoices.paymentId, paymentId)))[0];
  expect(await stored()).toMatchObject({ totalCents: 4990, orderId: order.id });

  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form.getByRole("combobox", { name: "Commande" })).toBeDisabled();
  await form.getByLabel("Montant").fill("50");
  await saveForm(form);
  await expect(row).toContainText("50 €");

  await expectFailedSave({
    page,
    row,
    path: "**/api/admin/invoices_update/*",
    sentence: "Erreur lors de la sauvegarde de la facture.",
  });

  await page.unroute("**/api/admin/invoices_update/*");
  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form).not.toContainText("Cette facture est payée");
  await form.getByLabel("Payée").check();
  await form.getByRole("button", { name: "Enregistrer" }).click();
  await expect(row).toContainText("Payée");
  await row.getByRole("button", { name: "Modifier" }).click();
  await expect(form).toContainText("Cette facture est payée\u00a0: l’argent se rend par");
  await expect(form.getByLabel("Payée")).toBeDisabled();
  await form.getByRole("button", { name: "Annuler" }).click();

  await deleteRow({ page, row, question: "Supprimer cette facture ?" });
  // The invoice is no longer listed, but kept as the law requires.
  expect(await stored()).toBeDefined();

  await search(page, "introuvablexyz");
  await expect(page.getByRole("cell", { name: "Aucune facture trouvée." })).toBeVisible();
});

test("the dashboard shows figures and work", async ({ page, database, arrange, problems }) => {
  problems.allow(500);
  const name = unique("À traiter, n° ");
  const content = unique("À modérer ");
  await arrange(async (db) => {
    const user = await createUser({ db });
    const other = await createProduct({ db });
    const publishedAt = new Date("2001-06-01");
    const product = await createProduct({ db, name, image: null });
    const review = { db, userId: user.id, status: "PENDING", publishedAt } as const;
    await createReview({ ...review, productId: product.id, content });
    await createReview({ ...review, productId: other.id, publishedAt: new Date() });
  });
  await openScreen({ page, database, path: "/backoffice" });
  await expect(page).toHaveTitle("Tableau de bord - Mini Ecommerce");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Bienvenue sur le panneau d'administration",
  );
  await expect(page.getByText("menu de gauche")).toBeVisible();
  const menu = page.getByRole("navigation", { name: "Menu du back office" });
  const hrefs = await menu
    .getByRole("link")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).pathname));
  const screens =
    "products orders withdrawals invoices cart users addresses category reviews tags shipping";
  expect(hrefs.map((href) => href.replace(/(?<=.)\/$/, ""))).toEqual([
    "/backoffice",
    ...screens.split(" ").map((screen) => `/backoffice/${screen}`),
    "/",
  ]);
  await expect(menu.getByRole("link", { name: "Tableau de bord" })).toHaveAttribute(
    "aria-current",
    "page",
  );

  const evolution = page.getByRole("region", { name: "Évolution des Commandes" });
  await expect(evolution.getByText("Montant des Commandes")).toBeVisible();
  const line = evolution.locator(".recharts-line-curve");
  await expect(line).toHaveAttribute("stroke-width", "2");
  const cells = evolution.getByRole("table").getByRole("cell");
  await expect.poll(() => cells.count()).toBeGreaterThan(1);
  const amounts = await cells.allTextContents();
  for (const amount of amounts) expect(plainSpaces(amount)).toMatch(/^[\d ]+,\d\d €$/);
  // The axis starts at zero.
  await expect(evolution.locator("svg text").filter({ hasText: /^0\s€$/ })).toHaveCount(1);
  await expect(page.getByRole("region", { name: "Aujourd’hui" })).toContainText("Avis en attente");
  await expect(page.getByRole("region", { name: "Dernières commandes" })).toContainText("CMD-");

  await page.getByRole("button", { name: "12 mois" }).click();
  await expect(page).toHaveURL(/period=12m/);
  await expect(page.getByRole("button", { name: "12 mois" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  await expect
    .poll(() => evolution.getByRole("table").getByRole("rowheader").last().textContent())
    .toMatch(/20\d\d$/);

  await test.step("only figures of the chosen period", async () => {
    const period = page.getByRole("region", { name: "Sur la période" });
    await expect(period.getByText("Panier moyen")).toBeVisible();
    await page.route("**/api/admin/dashboard?period=90d", (route) =>
      route.fulfill({ status: 500, json: {} }),
    );
    await page.getByRole("button", { name: "90 jours" }).click();
    await expect(period.getByText("Panier moyen")).toHaveCount(0);
    await expect(page.getByRole("region", { name: "Aujourd’hui" })).toBeVisible();
    await page.getByRole("button", { name: "7 jours" }).click();
    await expect(period.getByText("Panier moyen")).toBeVisible();
  });

  await test.step("links", async () => {
    await page.getByRole("link", { name: "Toutes les commandes" }).click();
    await expect(page).toHaveURL("/backoffice/orders?order[date]=desc");
    await page.goto("/backoffice");
    await page.getByRole("region", { name: "Avis à modérer" }).getByRole("link", { name }).click();
    await expect(page).toHaveURL(/\/backoffice\/reviews\?status=PENDING/);
    await expect(rowOf(page, content)).toHaveCount(1);
    await expect(rowOf(page, /En attente/)).toHaveCount(1);
    await page.goto("/backoffice");
    const pictureless = page.getByRole("region", { name: /^Produits sans image/ });
    await pictureless.getByRole("link", { name }).click();
    await expect(page).toHaveURL(/\/backoffice\/products\?withoutImage=true/);
    await expect(rowOf(page, name)).toHaveCount(1);
  });

  await test.step("the menu of a small screen", async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await expect(menu).toBeHidden();
    await page.getByRole("button", { name: "Menu", exact: true }).click();
    await expect(menu).toBeVisible();
    await expectAccessible(page);
    await menu.getByRole("link", { name: "Avis" }).click();
    await expect(page).toHaveURL("/backoffice/reviews");
    await expect(menu).toBeHidden();
  });
});

test("the chart is shown as soon as there is an order", async ({ page, database, problems }) => {
  problems.allow(500);
  const evolution = page.getByRole("region", { name: "Évolution des Commandes" });
  const answerOrders = (answer: { status?: number; json: unknown }) =>
    page.route("**/api/orders?*", (route) => route.fulfill(answer));
  const expectNoChart = async () => {
    await expect(page.getByRole("region", { name: "Aujourd’hui" })).toBeVisible();
    await expect(page.getByText("Chargement", { exact: true })).toHaveCount(0);
    await expect(evolution).toHaveCount(0);
    await expect(page.getByRole("main").getByRole("alert")).toHaveCount(0);
  };
  await answerOrders({ status: 500, json: {} });
  const answered = page.waitForResponse(/api\/orders\?/);
  await openScreen({ page, database, path: "/backoffice" });
  await answered;
  await expectNoChart();
  await answerOrders({ json: [] });
  await page.reload();
  await expectNoChart();

  // The only order is older than the period.
  const older = { id: 1, date: "2024-02-10T12:00:00+01:00", total: 25 };
  await page.route("**/api/orders?*", (route) =>
    route.fulfill({ json: route.request().url().includes("interval=") ? [] : [older] }),
  );
  await page.reload();
  await expect(evolution.getByText("Montant des Commandes")).toBeVisible();
  const cells = evolution.getByRole("table").getByRole("cell");
  await expect(cells).toHaveText(Array(30).fill(/^0,00\s€$/));
});

test("staff delete or retry mails that were given up", async ({ page, database, problems }) => {
  problems.allow(500);
  const deleted = `${unique("perdu")}@exemple.test`;
  const retried = `${unique("revenu")}@exemple.test`;
  const data = { name: "Camille", email: "camille@exemple.test", message: "Bonjour" };
  const mail = { template: "contact", data, status: "failed" as const };
  // The newest mails, so that mails of other tests do not displace them.
  const createdAt = new Date(Date.now() + 60_000);
  await database.insert(mailOutbox).values([
    { ...mail, recipient: deleted, createdAt, lastError: "Unknown recipient" },
    { ...mail, recipient: retried, createdAt },
  ]);
  await openScreen({ page, database, path: "/backoffice" });
  const mails = page.getByRole("region", { name: /^E-mails non remis/ });
  await expect(mails.getByRole("listitem").filter({ hasText: deleted })).toContainText(
    "Message de contact, à",
  );
  await expect(mails).toContainText("réponse du fournisseur\u00a0: Unknown recipient");
  await mails.getByRole("button", { name: `Supprimer l’e-mail à ${deleted}` }).click();
  const question = confirmDialogOf(page);
  await expect(question).toContainText(`${deleted} ne le recevra pas.`);
  await question.getByRole("button", { name: "Supprimer", exact: true }).click();
  await expect(mails.getByText(deleted)).toHaveCount(0);
  await expect(mails.getByText(retried)).toBeVisible();
  const fail = { status: 500, json: {} };
  await page.route("**/api/admin/mails_retry", (route) => route.fulfill(fail), { times: 1 });
  await mails.getByRole("button", { name: "Tout réessayer" }).click();
  await expect(mails.getByRole("alert")).toHaveText(
    "Les e-mails n’ont pas pu être modifiés. Réessayez.",
  );
  await mails.getByRole("button", { name: "Tout réessayer" }).click();
  await expect(page.getByText(retried)).toHaveCount(0);
  const statusOf = async () =>
    (await database.select().from(mailOutbox).where(eq(mailOutbox.recipient, retried)))[0]?.status;
  await expect.poll(statusOf).toBe("sent");
  expect(await database.$count(mailOutbox, eq(mailOutbox.recipient, deleted))).toBe(0);
});

test("an order of an erased account is found and changed", async ({ page, database, arrange }) => {
  const user = await createUser({ db: database, lastName: unique("Parti") });
  const buyer = `${user.lastName} Camille`;
  const { order, invoice } = await arrange(async (db) =>
    createOrder({ db, user, items: [{ product: await createProduct({ db }) }] }),
  );
  await database.update(orders).set({ userId: null }).where(eq(orders.id, order.id));
  await openScreen({ page, database, path: "/backoffice" });
  const latest = page.getByRole("region", { name: "Dernières commandes" });
  await expect(latest.getByRole("listitem").filter({ hasText: buyer })).toHaveCount(1);
  await latest.getByRole("link", { name: order.number }).click();
  await expect(page).toHaveURL(`/backoffice/orders?search=${order.number}`);
  const row = rowOf(page, buyer);
  const download = page.waitForEvent("download");
  await row.getByRole("link", { name: "Télécharger" }).click();
  expect((await download).suggestedFilename()).toBe(`facture-${invoice?.id}.pdf`);

  await row.getByRole("button", { name: "Modifier" }).click();
  const form = dialogOf(page);
  await expect(form.getByLabel("Utilisateur")).toHaveAccessibleDescription(
    `Compte supprimé : ${buyer}. Laisser vide pour ne rien changer.`,
  );
  await form.getByLabel("Total").fill("7");
  await saveForm(form);
  await expect(row).toContainText("7,00 €");

  const day = isoDay(order.orderedAt);
  await page.getByLabel("Du", { exact: true }).fill(day);
  await expect(page).toHaveURL(new RegExp(`date\\[after\\]=${day}`));
  await expect(row).toHaveCount(1);
  await page.getByLabel("Au", { exact: true }).fill("2024-02-10");
  await expect(page).toHaveURL(/date\[before\]=2024-02-10/);
  await expect(page.getByRole("cell", { name: "Aucune commande trouvée." })).toBeVisible();
});

test("a line of a deleted product is kept", async ({ page, database, arrange }) => {
  const user = await createUser({ db: database, lastName: unique("Reste") });
  const gone = await arrange(async (db) => {
    const [gone, there] = [await createProduct({ db }), await createProduct({ db })];
    const items = [{ product: gone, quantity: 3 }, { product: there }];
    await createOrder({ db, user, items });
    const lines = items.map(({ product, ...line }) => ({ ...line, productId: product.id }));
    await createCart({ db, userId: user.id, items: lines });
    await db.delete(products).where(eq(products.id, gone.id));
    return gone;
  });
  const form = dialogOf(page);
  const line = (number: number) => form.getByRole("group", { name: `Article ${number}` });
  await openScreen({ page, database, path: `/backoffice/orders?search=${user.lastName}` });
  for (const screen of ["orders", "cart"])
    await test.step(screen, async () => {
      await page.goto(`/backoffice/${screen}?search=${user.lastName}`);
      const row = rowOf(page, user.lastName);
      await row.getByRole("button", { name: "Modifier" }).click();
      await expect(line(1).getByLabel("Produit")).toHaveValue(`${gone.name} (supprimé)`);
      // A deleted product cannot be bought.
      if (screen === "cart") await expect(line(1).getByLabel("Quantité")).toBeDisabled();
      await line(2).getByLabel("Quantité").fill("5");
      await saveForm(form);
      await expect(row).toContainText(gone.name);
      await expect(row).toContainText(screen === "cart" ? "Quantité : 3" : `${gone.name} × 3`);
      await expect(row).toContainText(screen === "cart" ? "Quantité : 5" : "× 5");
    });
});
