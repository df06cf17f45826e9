import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";

const pathOf = (id: number | undefined) => `/api/invoices/${id}/download`;

test("the owner and administrators download the invoice as PDF", async ({ shop, database: db }) => {
  const user = await createUser({ db, firstName: "Zoë", lastName: "Œuvrard" });
  const book = await createProduct({
    db,
    name: "Théières d’été",
    priceCents: 1055,
    vatRateBp: 550,
  });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, vatRateBp: 2000 });
  const { order, invoice } = await createOrder({
    db,
    user,
    items: [{ product: book }, { product: lamp, quantity: 2 }],
  });
  const answers = [];
  for (const caller of [user, await createAdmin({ db })]) {
    const response = await fetch(`${shop.baseURL}${pathOf(invoice?.id)}`, {
      headers: { Authorization: `Bearer ${await tokenOf(caller)}` },
    });
    expect(response.status).toBe(200);
    const pdf = new Uint8Array(await response.arrayBuffer());
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/pdf",
      "content-disposition": `attachment; filename="facture-${invoice?.id}.pdf"`,
      "cache-control": "private, no-store",
      "x-content-type-options": "nosniff",
    });
    answers.push(pdf);
  }
  expect(answers[1]).toEqual(answers[0]);
  const text = await textOfPdf(answers[0] ?? new Uint8Array());
  for (const part of [
    `N° ${invoice?.number}`,
    `Commande : ${order.number}`,
    "Zoë Œuvrard",
    user.email,
    "12 rue des Lilas",
    "69003 Lyon",
    "Théières d’été 1 10,00 € 5,5 % 10,55 € 10,55 €",
    "Lampe Aube 2 35,75 € 20 % 42,90 € 85,80 €",
    "5,5 % 10,00 € 0,55 € 10,55 €",
    "20 % 71,50 € 14,30 € 85,80 €",
    "Total HT 81,50 €",
    "Total TVA 14,85 €",
    "Total TTC 96,35 €",
    String(order.paymentIntentId),
    "SIREN",
    "page 1 / 1",
  ])
    expect(text).toContain(part);
});

test("an invoice is immutable, unless an admin edits it", async ({ shop, database: db }) => {
  const user = await createUser({ db });
  const { invoice } = await createOrder({
    db,
    user,
    items: [{ product: await createProduct({ db, name: "Lampe Aube", priceCents: 1000 }) }],
  });
  const token = await tokenOf(user);
  const read = async () => textOfPdf(await downloadPdf({ shop, path: pathOf(invoice?.id), token }));
  expect(await read()).toContain("Total TTC 10,00 €");
  await db
    .update(invoices)
    .set({ totalCents: 900, paymentId: "virement" })
    .where(eq(invoices.id, Number(invoice?.id)));
  const corrected = await read();
  expect(corrected).toContain("Correction −1,00 €");
  expect(corrected).toContain("Total TTC 9,00 €");
  expect(corrected).toContain("virement");
});

test("another's, an archived and an unknown invoice are 404", async ({ api, database: db }) => {
  const owner = await createUser({ db });
  const { invoice } = await createOrder({
    db,
    user: owner,
    items: [{ product: await createProduct({ db }) }],
  });
  const stranger = await tokenOf(await createUser({ db }));
  for (const id of [invoice?.id, 2_147_483_647]) {
    const refused = await api.get<Refusal>(pathOf(id), { token: stranger });
    expect(refused.status).toBe(404);
    expect(refused.json.error).toBe("Cette facture n'existe pas.");
  }
  expect((await api.get(pathOf(invoice?.id))).status).toBe(401);
  await db
    .update(invoices)
    .set({ archivedAt: new Date() })
    .where(eq(invoices.id, Number(invoice?.id)));
  for (const caller of [owner, await createAdmin({ db })])
    expect((await api.get(pathOf(invoice?.id), { token: await tokenOf(caller) })).status).toBe(404);
});
