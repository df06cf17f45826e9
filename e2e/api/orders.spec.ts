import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { orderLines } from "@/db/schema/orders";
import { isoDateTime } from "@/lib/dates";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";

interface Summary {
  id: number;
  invoiceId: number | null;
  invoiceNumber: string | null;
}

interface Order extends Summary {
  total: number;
  items: { product: { "@type"?: string; downloadLink: string | null } }[];
}

const LIST = "/api/my-orders";
const accept = "application/json";

/** What the list says of an order that was just paid. */
const JUST_PAID = {
  vatIncluded: true,
  refundedTotal: 0,
  status: "paid",
  shippedItems: 0,
  filesCount: 0,
  shippingMethod: null,
  shippingTotal: 0,
};

test("the list is an array of one's own orders, newest first", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  expect((await api.get(LIST, { token })).json).toEqual([]);

  const lamp = await createProduct({ db, priceCents: 1990 });
  const chair = await createProduct({ db, priceCents: 115 });
  const old = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: chair }],
    orderedAt: new Date("2026-03-01T10:00:00Z"),
  });
  const recent = await createOrder({ db, user, items: [{ product: chair }], invoiced: false });
  await createOrder({ db, user: await createUser({ db }), items: [{ product: lamp }] });

  const expected = [
    {
      ...JUST_PAID,
      id: recent.order.id,
      number: recent.order.number,
      date: isoDateTime(recent.order.orderedAt),
      total: 1.15,
      itemsCount: 1,
      invoiceId: null,
      invoiceNumber: null,
    },
    {
      ...JUST_PAID,
      id: old.order.id,
      number: old.order.number,
      date: "2026-03-01T10:00:00+00:00",
      total: 40.95,
      itemsCount: 3,
      invoiceId: old.invoice?.id,
      invoiceNumber: old.invoice?.number,
    },
  ];
  for (const format of [{}, { accept }])
    expect((await api.get(LIST, { token, ...format })).json).toEqual(expected);
  const part = await api.get(`${LIST}?page=2&itemsPerPage=1`, { token });
  expect(part.json).toEqual(expected.slice(1));
  expect((await api.get(`${LIST}?page=1000000`, { token })).json).toEqual([]);
  expect((await api.get(`${LIST}?page=0`, { token })).status).toBe(400);
});

test("an order has its items as bought, under both paths", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, priceCents: 4290, image: "lampe.webp" });
  const downloadLink = "https://fichiers.exemple.fr/guide.pdf";
  const guide = await createProduct({ db, type: "digital", priceCents: 900, downloadLink });
  const shippingAddress = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };
  const billingAddress = { street: "1 place Bellecour", city: "Lyon", postalCode: "69002" };
  const { order, lines, invoice } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }],
    shipping: shippingAddress,
    billing: billingAddress,
  });
  // The product changes after the sale.
  await db
    .update(products)
    .set({ name: "Autre nom", priceCents: 1, image: null })
    .where(eq(products.id, lamp.id));

  const date = isoDateTime(order.orderedAt);
  const expected = {
    ...JUST_PAID,
    id: order.id,
    number: order.number,
    date,
    total: 94.8,
    itemsCount: 3,
    // Files count as shipped as soon as they are paid.
    shippedItems: 1,
    filesCount: 1,
    invoiceId: invoice?.id,
    invoiceNumber: invoice?.number,
    shippingAddress,
    billingAddress,
    items: [
      {
        id: lines[0]?.id,
        quantity: 2,
        shippedQuantity: 0,
        refundedQuantity: 0,
        toSend: 2,
        product: {
          id: lamp.id,
          productType: "physical",
          name: lamp.name,
          image: "lampe.webp",
          price: 42.9,
          downloadLink: null,
          defaultCategory: { id: lamp.defaultCategoryId },
        },
      },
      {
        id: lines[1]?.id,
        quantity: 1,
        shippedQuantity: 1,
        refundedQuantity: 0,
        toSend: 0,
        product: {
          id: guide.id,
          productType: "digital",
          name: guide.name,
          image: guide.image,
          price: 9,
          downloadLink,
          defaultCategory: { id: guide.defaultCategoryId },
        },
      },
    ],
    refunds: [],
    withdrawal: null,
    shipments: [],
    history: [{ status: "paid", date }],
  };
  const token = await tokenOf(user);
  const admin = await tokenOf(await createAdmin({ db }));
  const other = await tokenOf(await createUser({ db }));
  for (const path of ["/api/orders_details", "/api/orders"]) {
    for (const caller of [token, admin])
      expect((await api.get(`${path}/${order.id}`, { token: caller, accept })).json).toEqual(
        expected,
      );
    const { json } = await api.get<Order>(`${path}/${order.id}`, { token });
    expect(json).toMatchObject({
      "@context": "/api/contexts/MyOrder",
      "@id": `/api/orders_details/${order.id}`,
      "@type": "MyOrder",
    });
    expect(json.items.map(({ product }) => product["@type"])).toEqual([
      "PhysicalProduct",
      "DigitalProduct",
    ]);
    for (const id of [order.id, 2_147_483_647, "0", "abc", "99999999999"]) {
      const refused = await api.get<Refusal>(`${path}/${id}`, { token: other });
      expect(refused.status, `${path}/${id}`).toBe(404);
      expect(refused.text).not.toContain(order.number);
    }
  }
  const refused = await api.get<Refusal>(`/api/orders/${order.id}`, { token: other });
  expect(refused.json.error).toBe("Cette commande n'existe pas.");
});

test("deleting a product leaves its orders intact", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, priceCents: 4290 });
  const file = await createProduct({ db, type: "digital", downloadLink: "/downloads/parti.pdf" });
  const { order } = await createOrder({ db, user, items: [{ product }, { product: file }] });
  for (const { id } of [product, file]) await db.delete(products).where(eq(products.id, id));
  const token = await tokenOf(user);
  const { json } = await api.get<Order>(`/api/orders_details/${order.id}`, { token, accept });
  const gone = { id: null, defaultCategory: null };
  expect(json).toMatchObject({
    total: 62.8,
    items: [
      { product: { ...gone, productType: "physical", name: product.name, price: 42.9 } },
      { product: { ...gone, productType: "digital", name: file.name, price: 19.9 } },
    ],
  });
  expect(json.items[1]?.product.downloadLink).toContain("/parti.pdf?");
});

test("a link is null if invalid, and current if moved", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const product = await createProduct({ db, type: "digital", downloadLink: null });
  const { order } = await createOrder({ db, user, items: [{ product }] });
  const linkAfter = async (downloadLink: string | null) => {
    await db.update(products).set({ downloadLink }).where(eq(products.id, product.id));
    const { json } = await api.get<Order>(`/api/orders/${order.id}`, { token, accept });
    return json.items[0]?.product.downloadLink;
  };
  for (const none of [null, "javascript:alert(1)"]) expect(await linkAfter(none)).toBeNull();
  const moved = "https://fichiers.exemple.fr/a.pdf";
  expect(await linkAfter(moved)).toBe(moved);
  await db
    .update(orderLines)
    .set({ downloadLink: "/downloads/de-l-achat.pdf" })
    .where(eq(orderLines.orderId, order.id));
  expect(await linkAfter(null)).toContain("/de-l-achat.pdf?");
});

test("an invoice is offered to its own customer alone", async ({ api, database: db }) => {
  const [buyer, other] = [await createUser({ db }), await createUser({ db })];
  const items = [{ product: await createProduct({ db }) }];
  const { order, invoice } = await createOrder({ db, user: buyer, items });
  const token = await tokenOf(await createAdmin({ db }));
  const ofOrder = (path: string, caller: string) =>
    api.get<Summary>(`${path}/${order.id}`, { token: caller });
  const offered = async (user: typeof buyer) => {
    const own = await tokenOf(user);
    const { json } = await ofOrder("/api/orders", own);
    const [listed] = (await api.get<Summary[]>(LIST, { token: own })).json;
    expect(listed?.invoiceId).toBe(json.invoiceId);
    return [json.invoiceId, json.invoiceNumber];
  };
  const giveTo = (user: typeof buyer) =>
    api.put(`/api/admin_orders/${order.id}`, { token, json: { user: user.id } });
  const bill = async (user: typeof buyer) => {
    const made = await api.post<{ id: number; number: string }>("/api/admin/invoices_create", {
      token,
      json: { totalAmount: 5, user: user.id, pdfPath: "-", paymentId: "-", order: order.id },
    });
    expect(made.status, made.text).toBe(201);
    return made.json;
  };
  // An invoice by hand replaces no paid one.
  await bill(buyer);
  const paid = [invoice?.id, invoice?.number];
  expect(await offered(buyer)).toEqual(paid);
  const { json } = await ofOrder("/api/admin_orders", token);
  expect([json.invoiceId, json.invoiceNumber]).toEqual(paid);

  await giveTo(other);
  const made = await bill(other);
  await giveTo(buyer);
  expect(await offered(buyer)).toEqual(paid);
  await giveTo(other);
  expect(await offered(other)).toEqual([made.id, made.number]);
  await api.delete(`/api/admin/invoices_delete/${made.id}`, { token });
  expect(await offered(other)).toEqual([null, null]);
});
