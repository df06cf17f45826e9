import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { invoices } from "@/db/schema/invoices";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { paymentIdOf } from "../cards";
import { expect, test } from "../fixtures";

const PATH = "/api/admin_orders";

/** The ids of the orders that a search finds, newest first. */
const searchWith =
  ({ api, token }: { api: Api; token: string }) =>
  async (search: string, path = PATH) => {
    const query = new URLSearchParams({ search });
    const answer = await api.get<{ id: number }[]>(`${path}?${query}`, {
      token,
      accept: "application/json",
    });
    expect(answer.status, answer.text).toBe(200);
    return answer.json.map(({ id }) => id);
  };

/** An order of two products, and another one of the same buyer. */
async function createSearched(db: Database) {
  const word = "Quorvande";
  const user = await createUser({ db, lastName: word });
  const lamp = await createProduct({ db, name: `Lampe ${word} dorée`, priceCents: 123_456 });
  const vase = await createProduct({ db, name: `Vase d'${word}, 1,5 l`, priceCents: 4_290 });
  const { order } = await createOrder({
    db,
    user,
    items: [{ product: lamp }, { product: vase }],
    shipping: { street: `7 bis quai ${word}`, city: `Saint-${word}`, postalCode: "01234" },
    billing: { street: `9 cours ${word}`, city: `Mont${word}`, postalCode: "98765" },
    paymentIntentId: `pi_3${word}Abc`,
  });
  const bowl = await createProduct({ db, name: "Bol" });
  const other = await createOrder({ db, user, items: [{ product: bowl }] });
  return { word, order, other: other.order };
}

test("an order is found by all that names it", async ({ api, database: db }) => {
  const search = searchWith({ api, ...(await newAdmin(db)) });
  const { word, order, other } = await createSearched(db);
  expect(order.totalCents).toBe(127_746);
  const [invoice] = await db.select().from(invoices).where(eq(invoices.orderId, order.id));
  const number = invoice?.number ?? "";
  const creditNote = await createCreditNote({ db, orderId: order.id });
  const transfer = `VIR-${other.number}`;
  await db.update(invoices).set({ paymentId: transfer }).where(eq(invoices.orderId, other.id));
  expect(await search(word)).toEqual([other.id, order.id]);
  for (const text of [
    `lampe ${word}`,
    `LAMPE doree ${word}`,
    // Words of two lines.
    `lampe vase ${word}`,
    `vase 1,5 ${word}`,
    `quai ${word}`,
    `saint-${word}`,
    `${word} 01234`,
    `cours mont${word}`,
    `98765 ${word}`,
    `lampe quai ${word} saint`,
    `${word} 1277,46`,
    `${word} 1277.46`,
    `1 277,46 € ${word}`,
    `1\u202f277,46\u00a0€ lampe ${word}`,
    number,
    number.toLowerCase(),
    ` ${number.replaceAll("-", " ")} `,
    `FA-${number.slice(3, 7)}-${Number(number.slice(8))}`,
    creditNote.number,
    order.paymentIntentId ?? "",
    order.number,
    order.number.toLowerCase().replaceAll("-", " "),
  ])
    expect(await search(text), text).toEqual([order.id]);
  for (const text of ["1277,46", "1 277,46", "1277,46 €", "01234", "98765"])
    expect(await search(text), text).toContain(order.id);
  for (const text of [`${word} 1277,47`, `${word} fauteuil`, `${word} 01235`, `lampe ${word} 1277`])
    expect(await search(text), text).not.toContain(order.id);
  for (const text of ["FA-2026-999999", "pi_3unknown1"])
    expect(await search(text), text).toEqual([]);
  expect(await search(transfer)).toEqual([other.id]);
  // The chart's list is searched in the same way.
  expect(await search(`lampe ${word}`, "/api/orders")).toEqual([order.id]);
});

test("an order is found at once after each change", async ({ api, database: db, cards }) => {
  const { token } = await newAdmin(db);
  const search = searchWith({ api, token });
  const word = "Brisquel";
  const buyer = await createBuyer(db);
  const lamp = await createProduct({ db, name: `Lampe ${word}` });
  await addToCart({ api, buyer, productId: lamp.id });
  const secret = await payCart({ api, buyer, cards });
  const { orderId: id } = (await confirm({ api, buyer, secret })).json;
  for (const text of [`lampe ${word}`, paymentIdOf(secret)])
    expect(await search(text), text).toEqual([id]);
  const chair = await createProduct({ db, name: `Fauteuil ${word}` });
  const change = (body: object) => api.put(`${PATH}/${id}`, { token, json: body });
  const both = [lamp, chair].map(({ id: product }) => ({ product, quantity: 1 }));
  expect((await change({ orderItems: both })).status).toBe(200);
  expect(await search(`fauteuil ${word}`)).toEqual([id]);
  expect((await change({ orderItems: both.slice(1) })).status).toBe(200);
  expect(await search(`lampe ${word}`)).toEqual([]);
  expect((await change({ shippingCity: `Ville${word}` })).status).toBe(200);
  expect(await search(`ville${word}`)).toEqual([id]);

  const trackingNumber = `6A${String(id).padStart(9, "0")}`;
  const shipment = await api.post(`${PATH}/${id}/shipments`, {
    token,
    json: { carrier: "Colissimo", trackingNumber },
  });
  expect(shipment.status, shipment.text).toBe(201);
  expect(await search(trackingNumber)).toEqual([id]);
});

test("wildcard characters are searched as they are", async ({ api, database: db }) => {
  const search = searchWith({ api, ...(await newAdmin(db)) });
  const word = "Tolvimar";
  const items = [{ product: await createProduct({ db, name: `100 % ${word}_coton` }) }];
  const { order } = await createOrder({ db, user: await createUser({ db }), items });
  for (const text of [`100 % ${word}_coton`, `${word} %`])
    expect(await search(text), text).toEqual([order.id]);
  expect(await search("%")).toEqual([]);
});
