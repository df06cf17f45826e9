import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";
import { downloadPdf, textOfPdf } from "../pdf";

test("an invoice is a PDF, until it is archived", async ({ api, shop, database: db }) => {
  const user = await createUser({ db, firstName: "Zoë", lastName: "Œuvrard" });
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, vatRateBp: 2000 });
  const items = [{ product: lamp, quantity: 2 }];
  const { order, invoice } = await createOrder({ db, user, items });
  const [owner, admin] = [await tokenOf(user), await tokenOf(await createAdmin({ db }))];
  const path = `/api/invoices/${invoice?.id}/download`;
  expect((await api.get(path, { token: owner })).headers).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="facture-${invoice?.id}.pdf"`,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
  });
  const pdf = await downloadPdf({ shop, path, token: owner });
  expect(await downloadPdf({ shop, path, token: admin })).toEqual(pdf);
  const text = await textOfPdf(pdf);
  for (const part of [
    `N° ${invoice?.number}`,
    `Commande : ${order.number}`,
    "Zoë Œuvrard",
    user.email,
    "12 rue des Lilas 69003 Lyon",
    "Lampe Aube 2 35,75 € 20 % 42,90 € 85,80 €",
    "Total TTC 85,80 €",
    String(order.paymentIntentId),
    "SIREN",
  ])
    expect(text).toContain(part);

  await db
    .update(invoices)
    .set({ archivedAt: new Date() })
    .where(eq(invoices.id, Number(invoice?.id)));
  for (const token of [owner, admin]) {
    const { status, json } = await api.get<Refusal>(path, { token });
    expect([status, json.error]).toEqual([404, "Cette facture n'existe pas."]);
  }
});
