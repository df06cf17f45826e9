import { eq } from "drizzle-orm";
import { createProduct } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { orderLines } from "@/db/schema/orders";
import { isoDateTime } from "@/lib/dates";
import { type Refusal, tokenOf } from "../accounts";
import { expect, test } from "../fixtures";
import { withTableLock } from "../table-lock";

interface Summary {
  id: number;
  number: string;
  date: string;
  total: number;
  itemsCount: number;
  invoiceId: number | null;
}

interface Item {
  "@type"?: string;
  id: number;
  quantity: number;
  product: {
    "@type"?: string;
    id: number | null;
    productType: string;
    name: string;
    image: string | null;
    price: number;
    downloadLink: string | null;
    defaultCategory: { id: number } | null;
  };
}

interface Order extends Summary {
  "@id"?: string;
  "@type"?: string;
  invoiceNumber: string | null;
  shippingAddress: { street: string; postalCode: string; city: string };
  billingAddress: { street: string; postalCode: string; city: string };
  items: Item[];
}

const LIST = "/api/my-orders";
const JSON_ONLY = "application/json";

test("the list is an array of one's own orders, newest first", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const other = await createUser({ db });
  const token = await tokenOf(user);
  expect((await api.get<Summary[]>(LIST, { token })).json).toEqual([]);

  const lamp = await createProduct({ db, priceCents: 1990 });
  const chair = await createProduct({ db, priceCents: 115 });
  const old = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: chair }],
    orderedAt: new Date("2026-03-01T10:00:00Z"),
  });
  const recent = await createOrder({ db, user, items: [{ product: chair }], invoiced: false });
  await createOrder({ db, user: other, items: [{ product: lamp }] });

  for (const accept of [undefined, JSON_ONLY]) {
    const { status, json } = await api.get<Summary[]>(LIST, {
      token,
      ...(accept && { accept }),
    });
    expect(status).toBe(200);
    expect(json).toEqual([
      {
        id: recent.order.id,
        number: recent.order.number,
        date: isoDateTime(recent.order.orderedAt),
        total: 1.15,
        vatIncluded: true,
        refundedTotal: 0,
        status: "paid",
        itemsCount: 1,
        shippedItems: 0,
        filesCount: 0,
        shippingMethod: null,
        shippingTotal: 0,
        invoiceId: null,
        invoiceNumber: null,
      },
      {
        id: old.order.id,
        number: old.order.number,
        date: "2026-03-01T10:00:00+00:00",
        total: 40.95,
        vatIncluded: true,
        refundedTotal: 0,
        status: "paid",
        itemsCount: 3,
        shippedItems: 0,
        filesCount: 0,
        shippingMethod: null,
        shippingTotal: 0,
        invoiceId: old.invoice?.id,
        invoiceNumber: old.invoice?.number,
      },
    ]);
  }
  const part = await api.get<Summary[]>(`${LIST}?page=2&itemsPerPage=1`, { token });
  expect(part.json.map(({ id }) => id)).toEqual([old.order.id]);
  // A page beyond the end does not read the orders' lines.
  const beyond = await withTableLock(db, "order_lines", () =>
    api.get(`${LIST}?page=1000000`, { token }),
  );
  expect([beyond.status, beyond.json]).toEqual([200, []]);
  expect((await api.get(`${LIST}?page=0`, { token })).status).toBe(400);
});

test("an order has its items as bought, under both paths", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const lamp = await createProduct({ db, priceCents: 4290, image: "lampe.webp" });
  const guide = await createProduct({
    db,
    type: "digital",
    priceCents: 900,
    downloadLink: "https://fichiers.exemple.fr/guide.pdf",
  });
  const { order, lines, invoice } = await createOrder({
    db,
    user,
    items: [{ product: lamp, quantity: 2 }, { product: guide }],
    shipping: { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" },
    billing: { street: "1 place Bellecour", city: "Lyon", postalCode: "69002" },
  });
  // The product changes after the sale.
  await db
    .update(products)
    .set({ name: "Autre nom", priceCents: 1, image: null })
    .where(eq(products.id, lamp.id));

  const expected = {
    id: order.id,
    number: order.number,
    date: isoDateTime(order.orderedAt),
    total: 94.8,
    vatIncluded: true,
    refundedTotal: 0,
    status: "paid",
    itemsCount: 3,
    // Files count as shipped as soon as they are paid.
    shippedItems: 1,
    filesCount: 1,
    shippingMethod: null,
    shippingTotal: 0,
    invoiceId: invoice?.id,
    invoiceNumber: invoice?.number,
    shippingAddress: { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" },
    billingAddress: { street: "1 place Bellecour", city: "Lyon", postalCode: "69002" },
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
          downloadLink: "https://fichiers.exemple.fr/guide.pdf",
          defaultCategory: { id: guide.defaultCategoryId },
        },
      },
    ],
    refunds: [],
    withdrawal: null,
    shipments: [],
    history: [{ status: "paid", date: isoDateTime(order.orderedAt) }],
  };
  const token = await tokenOf(user);
  const admin = await tokenOf(await createAdmin({ db }));
  for (const path of [`/api/orders_details/${order.id}`, `/api/orders/${order.id}`]) {
    for (const caller of [token, admin]) {
      const plain = await api.get<Order>(path, { token: caller, accept: JSON_ONLY });
      expect(plain.status).toBe(200);
      expect(plain.json).toEqual(expected);
    }
    const { json } = await api.get<Order>(path, { token });
    expect(json).toMatchObject({
      "@context": "/api/contexts/MyOrder",
      "@id": `/api/orders_details/${order.id}`,
      "@type": "MyOrder",
    });
    expect(json.items.map(({ product }) => product["@type"])).toEqual([
      "PhysicalProduct",
      "DigitalProduct",
    ]);
  }
});

test("deleting a product leaves its orders intact", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const product = await createProduct({ db, priceCents: 4290 });
  const file = await createProduct({ db, type: "digital", downloadLink: "/downloads/parti.pdf" });
  const { order } = await createOrder({ db, user, items: [{ product }, { product: file }] });
  for (const { id } of [product, file]) await db.delete(products).where(eq(products.id, id));
  const { json } = await api.get<Order>(`/api/orders_details/${order.id}`, {
    token: await tokenOf(user),
    accept: JSON_ONLY,
  });
  expect(json.total).toBe(62.8);
  expect(json.items.map(({ product: bought }) => bought)).toMatchObject([
    { id: null, productType: "physical", name: product.name, price: 42.9, defaultCategory: null },
    { id: null, productType: "digital", name: file.name, price: 19.9, defaultCategory: null },
  ]);
  expect(json.items[1]?.product.downloadLink).toContain("/parti.pdf?");
});

test("a link is null if invalid, and current if moved", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const product = await createProduct({ db, type: "digital", downloadLink: null });
  const { order } = await createOrder({ db, user, items: [{ product }] });
  const link = async () =>
    (await api.get<Order>(`/api/orders/${order.id}`, { token, accept: JSON_ONLY })).json.items[0]
      ?.product.downloadLink;
  expect(await link()).toBeNull();
  for (const [stored, shown] of [
    ["javascript:alert(1)", null],
    ["https://fichiers.exemple.fr/a.pdf", "https://fichiers.exemple.fr/a.pdf"],
  ] as const) {
    await db.update(products).set({ downloadLink: stored }).where(eq(products.id, product.id));
    expect(await link()).toBe(shown);
  }
  await db.update(products).set({ downloadLink: null }).where(eq(products.id, product.id));
  await db
    .update(orderLines)
    .set({ downloadLink: "/downloads/de-l-achat.pdf" })
    .where(eq(orderLines.orderId, order.id));
  expect(await link()).toContain("/de-l-achat.pdf?");
});

test("an invoice by hand does not replace the paid one", async ({ api, database: db }) => {
  const user = await createUser({ db });
  const items = [{ product: await createProduct({ db }) }];
  const { order, invoice } = await createOrder({ db, user, items });
  const admin = await tokenOf(await createAdmin({ db }));
  const made = await api.post("/api/admin/invoices_create", {
    token: admin,
    json: { totalAmount: 5, user: user.id, pdfPath: "-", paymentId: "-", order: order.id },
  });
  expect(made.status, made.text).toBe(201);
  const paid = { invoiceId: invoice?.id, invoiceNumber: invoice?.number };
  const token = await tokenOf(user);
  expect((await api.get(`/api/orders/${order.id}`, { token })).json).toMatchObject(paid);
  expect((await api.get<Summary[]>(LIST, { token })).json[0]).toMatchObject(paid);
  expect((await api.get(`/api/admin_orders/${order.id}`, { token: admin })).json).toMatchObject(
    paid,
  );
});

test("an invoice is offered to its own customer alone", async ({ api, database: db }) => {
  const [buyer, other] = [await createUser({ db }), await createUser({ db })];
  const { order, invoice } = await createOrder({
    db,
    user: buyer,
    items: [{ product: await createProduct({ db }) }],
  });
  const offered = async (user: typeof buyer) => {
    const token = await tokenOf(user);
    const { json } = await api.get<Order>(`/api/orders/${order.id}`, { token });
    const [listed] = (await api.get<Summary[]>(LIST, { token })).json;
    expect(listed?.invoiceId).toBe(json.invoiceId);
    return [json.invoiceId, json.invoiceNumber];
  };
  const token = await tokenOf(await createAdmin({ db }));
  const giveTo = (user: typeof buyer) =>
    api.put(`/api/admin_orders/${order.id}`, { token, json: { user: user.id } });
  await giveTo(other);
  const made = await api.post<{ id: number; number: string }>("/api/admin/invoices_create", {
    token,
    json: { totalAmount: 5, user: other.id, pdfPath: "-", paymentId: "-", order: order.id },
  });
  expect(made.status, made.text).toBe(201);
  await giveTo(buyer);
  expect(await offered(buyer)).toEqual([invoice?.id, invoice?.number]);

  await giveTo(other);
  expect(await offered(other)).toEqual([made.json.id, made.json.number]);
  await api.delete(`/api/admin/invoices_delete/${made.json.id}`, { token });
  expect(await offered(other)).toEqual([null, null]);
});

test("another's order and an unknown one are 404", async ({ api, database: db }) => {
  const owner = await createUser({ db });
  const { order } = await createOrder({
    db,
    user: owner,
    items: [{ product: await createProduct({ db }) }],
  });
  const token = await tokenOf(await createUser({ db }));
  for (const id of [order.id, 2_147_483_647, "0", "abc", "99999999999"])
    for (const path of ["orders_details", "orders"]) {
      const refused = await api.get<Refusal>(`/api/${path}/${id}`, { token });
      expect(refused.status, `${path}/${id}`).toBe(404);
      expect(refused.text).not.toContain(order.number);
    }
  const refused = await api.get<Refusal>(`/api/orders/${order.id}`, { token });
  expect(refused.json.error).toBe("Cette commande n'existe pas.");
});
