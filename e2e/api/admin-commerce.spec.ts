import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { invoices as invoiceTable, invoiceVersions } from "@/db/schema/invoices";
import { tokenOf } from "../accounts";
import { linesOfCsv, makeUnpaid, newAdmin, ORDER_ADDRESSES, sentencesOf } from "../admin";
import type { Api } from "../api-client";
import { addToCart, confirm, createBuyer, payCart } from "../buying";
import { expect, test } from "../fixtures";
import type { Collection } from "../representation";

// What is particular to the addresses, carts, orders, invoices and reviews of all users.
// admin-lists.spec.ts tests what they have in common.

const PLAIN = "application/json";

/** The API as a new administrator calls it. */
async function asStaff({ api, database }: { api: Api; database: Database }) {
  const { id, token } = await newAdmin(database);
  const call =
    (verb: "get" | "post" | "put" | "delete") =>
    <T = unknown>(path: string, json?: unknown) =>
      api[verb]<T>(path, { token, json });
  return {
    id,
    token,
    get: call("get"),
    post: call("post"),
    put: call("put"),
    delete: call("delete"),
  };
}

interface Person {
  id: number;
  name: string;
  lastname: string;
  email: string;
}

/** A customer as JSON-LD within another object. */
const personOf = ({ id, email }: { id: number; email: string }) => ({
  "@id": `/api/users/${id}`,
  "@type": "User",
  id,
  name: "Martin",
  lastname: "Camille",
  email,
});

/** A paid order of one new product. */
async function bought(db: Database, values: Partial<Parameters<typeof createOrder>[0]> = {}) {
  const user = values.user ?? (await createUser({ db }));
  const product = await createProduct({ db });
  return { user, product, ...(await createOrder({ db, user, items: [{ product }], ...values })) };
}

test.describe("addresses", () => {
  const PATH = "/api/addresses";
  const home = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };

  interface Address {
    id: number;
    user: Person;
    isDefault: boolean;
  }

  test("staff add one to a user's, and move it to another user's", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    const created = await staff.post<Address>(PATH, {
      ...home,
      user: `/api/users/${user.id}`,
      isDefault: true,
      isDefaultBilling: true,
    });
    expect(created.status, created.text).toBe(201);
    const { id } = created.json;
    expect(created.headers.location).toBe(`${PATH}/${id}`);
    expect(created.json).toEqual({
      "@context": "/api/contexts/Address",
      "@id": `${PATH}/${id}`,
      "@type": "Address",
      id,
      ...home,
      type: "shipping",
      isDefault: true,
      isDefaultBilling: false,
      user: personOf(user),
      version: 1,
    });
    const own = await api.get("/api/addresses_front", { token: await tokenOf(user) });
    expect(own.json).toMatchObject([{ id }]);
    const other = await createUser({ db: database });
    const json = { user: other.id, type: "billing", isDefaultBilling: true };
    const moved = await staff.put(`${PATH}/${id}`, json);
    expect(moved.json).toMatchObject({
      ...home,
      user: { id: other.id },
      isDefault: false,
      isDefaultBilling: true,
    });
  });

  test("of concurrent changes no owner and no default is lost", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const [user, other] = [await createUser({ db: database }), await createUser({ db: database })];
    const addAddress = async () =>
      `${PATH}/${(await createAddress({ db: database, userId: user.id })).id}`;
    const save = (path: string, json: object) => staff.put<Address>(path, json);
    for (let round = 0; round < 10; round++) {
      const path = await addAddress();
      const answers = await Promise.all([
        save(path, { street: "5 rue Basse" }),
        save(path, { user: `/api/users/${other.id}` }),
        save(path, { street: "7 rue Basse" }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await staff.get<Address>(path)).json.user.id).toBe(other.id);
    }
    const paths = [await addAddress(), await addAddress(), await addAddress(), await addAddress()];
    const answers = await Promise.all(paths.map((path) => save(path, { isDefault: true })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const { json } = await staff.get<Collection<Address>>(`${PATH}?user=${user.id}`);
    expect(json["hydra:member"].filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });
});

test.describe("carts", () => {
  const PATH = "/api/carts";

  interface Cart {
    id: number;
    items: { id: number; quantity: number; product: { id: number | null; name: string } }[];
    version: number;
  }

  test("staff fill one for a user, and change its lines", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    const first = await createProduct({ db: database, priceCents: 1050 });
    const second = await createProduct({ db: database, type: "digital", priceCents: 200 });
    const created = await staff.post<Cart>(PATH, {
      user: user.id,
      items: [
        { product: `/api/products/${first.id}`, quantity: 2 },
        { product: String(second.id), quantity: "1" },
        { product: first.id, quantity: 1 },
      ],
    });
    expect(created.status, created.text).toBe(201);
    const { id, items } = created.json;
    const { name, description, image } = first;
    expect(created.json).toMatchObject({
      "@id": `${PATH}/${id}`,
      "@type": "Cart",
      user: personOf(user),
      items: [
        {
          "@type": "CartItem",
          quantity: 3,
          product: {
            "@type": "PhysicalProduct",
            id: first.id,
            name,
            description,
            price: 10.5,
            image,
          },
        },
        { quantity: 1, product: { "@type": "DigitalProduct", id: second.id, price: 2 } },
      ],
      total: 33.5,
      version: 1,
    });
    const own = await api.get("/api/cart", { token: await tokenOf(user) });
    expect(own.json).toMatchObject({ id, total: 33.5 });
    const save = (json: object) => staff.put<Cart>(`${PATH}/${id}`, json);
    const changed = await save({ user: user.id, items: [{ product: second.id, quantity: 5 }] });
    expect(changed.json.items).toMatchObject([{ id: items[1]?.id, quantity: 5 }]);
    expect((await save({})).json.items).toHaveLength(1);
  });

  test("one that its customer has changed is kept", async ({ api, database, cards }) => {
    const staff = await asStaff({ api, database });
    const buyer = await createBuyer(database);
    const { id: product } = await createProduct({ db: database, priceCents: 1200 });
    const other = await createProduct({ db: database });
    const asBuyer = { token: buyer.token };
    const add = (productId: number) => addToCart({ api, buyer, productId });
    await add(product);
    const { id, items } = (await api.get<Cart>("/api/cart", asBuyer)).json;
    const line = items[0]?.id;
    const read = async () => (await staff.get<Cart>(`${PATH}/${id}`)).json;
    const save = (version: number) =>
      staff.put(`${PATH}/${id}`, { items: [{ product, quantity: 7 }], version });

    const changes: [string, () => Promise<unknown>][] = [
      ["adds", () => add(other.id)],
      ["adds to a line", () => add(product)],
      [
        "changes a quantity",
        () => api.put(`/api/cart/item/${line}`, { ...asBuyer, json: { quantity: 4 } }),
      ],
      ["removes a line", () => api.delete(`/api/cart/item/${line}`, asBuyer)],
      ["empties it", () => api.delete("/api/cart", asBuyer)],
    ];
    for (const [what, change] of changes) {
      const before = await read();
      await change();
      const now = await read();
      expect(now.version, what).toBe(before.version + 1);
      expect(await save(before.version), what).toMatchObject({
        status: 409,
        json: { current: { version: now.version } },
      });
      expect((await read()).items, what).toEqual(now.items);
    }

    // A request that changes nothing does not change the version.
    const quiet = await read();
    expect((await api.delete(`/api/cart/item/${line}`, asBuyer)).status).toBe(404);
    expect((await read()).version).toBe(quiet.version);

    // A purchase empties the cart. Staff who still see the former lines cannot put them back.
    await add(product);
    const bought = await read();
    const secret = await payCart({ api, buyer, cards });
    expect((await confirm({ api, buyer, secret })).status).toBeLessThan(300);
    expect((await save(bought.version)).status).toBe(409);
    expect((await read()).items).toEqual([]);
    expect((await save((await read()).version)).status).toBe(200);
  });

  test("a line of a deleted product is kept by its id", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const { id: userId } = await createUser({ db: database });
    const gone = await createProduct({ db: database, name: "Parti" });
    const there = await createProduct({ db: database });
    const { cart, items } = await createCart({
      db: database,
      userId,
      items: [{ productId: gone.id }, { productId: there.id }],
    });
    await database.delete(products).where(eq(products.id, gone.id));
    const { json: read } = await staff.get<Cart>(`${PATH}/${cart.id}`);
    expect(read.items[0]?.product).toMatchObject({ id: null, name: "Parti" });
    const path = `${PATH}/${cart.id}`;
    const kept = await staff.put<Cart>(path, { items: read.items });
    expect(kept.json.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    // A product that is still sold may also be named by its line, and only its quantity changes.
    const byLine = items.map(({ id }) => ({ id, quantity: 3 }));
    const named = await staff.put<Cart>(path, { items: byLine });
    expect(named.json.items).toMatchObject([{ ...byLine[0], quantity: 1 }, byLine[1]]);
    const { id: otherId } = await createUser({ db: database });
    const ofOther = { db: database, userId: otherId, items: [{ productId: there.id }] };
    const [foreign] = (await createCart(ofOther)).items;
    const stolen = { items: [{ id: foreign?.id, quantity: 1 }] };
    expect(sentencesOf(await staff.put(path, stolen))).toEqual({
      "items[0].id": "Cet article n'est pas dans ce panier.",
    });
  });
});

test.describe("orders", () => {
  const PATH = "/api/admin_orders";

  interface Order {
    id: number;
    number: string;
    user: Person | null;
    buyer: { name: string };
    orderItems: {
      id: number;
      quantity: number;
      product: { id: number | null; name: string; price: number };
    }[];
    total: number;
    date: string;
    invoice_pdf_path: string | null;
  }

  test("staff change and delete one, and the sales follow", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database, priceCents: 1050 });
    const second = await createProduct({ db: database, priceCents: 300 });
    const sales = async ({ id }: { id: number }) =>
      (await staff.get<{ sales_count: number }>(`/api/products/${id}`)).json.sales_count;
    const created = await staff.post<Order>(PATH, {
      user: String(user.id),
      orderItems: [{ product: String(product.id), quantity: 2 }],
      total: 19.99,
      ...ORDER_ADDRESSES,
      invoice_pdf_path: "https://exemple.fr/facture.pdf",
    });
    expect(created.status, created.text).toBe(201);
    const { id, number, date } = created.json;
    expect(number).toMatch(/^CMD-\d{4}-\d{6}$/);
    expect(created.headers.location).toBe(`${PATH}/${id}`);
    const { orderItems, ...rest } = created.json;
    expect(rest).toEqual({
      "@context": "/api/contexts/AdminOrder",
      "@id": `${PATH}/${id}`,
      "@type": "AdminOrder",
      id,
      number,
      user: personOf(user),
      buyer: { name: "Martin", lastname: "Camille", email: user.email },
      total: 19.99,
      shippingMethod: null,
      shippingTotal: 0,
      refundedTotal: 0,
      isRefundable: false,
      isDisputed: false,
      date,
      status: "paid",
      itemsCount: 2,
      shippedItems: 0,
      withdrawnAt: null,
      shipments: [],
      shippingAddress: {
        shippingStreet: "12 rue des Lilas",
        shippingCity: "Lyon",
        shippingPostalCode: "69003",
      },
      billingAddress: {
        billingStreet: "3 quai des Brumes",
        billingCity: "Nantes",
        billingPostalCode: "44000",
      },
      invoice_pdf_path: "https://exemple.fr/facture.pdf",
      invoiceId: null,
      invoiceNumber: null,
      version: 1,
    });
    expect(orderItems).toMatchObject([
      { quantity: 2, product: { id: product.id, name: product.name, price: 10.5 } },
    ]);
    expect(await sales(product)).toBe(2);
    // The customer sees the order too.
    const own = await api.get("/api/my-orders", { token: await tokenOf(user) });
    expect(own.json).toMatchObject([{ id }]);

    await staff.put(`/api/physical_products/${product.id}`, { price: 99 });
    const changed = await staff.put<Order>(`${PATH}/${id}`, {
      orderItems: [
        { product: product.id, quantity: 1 },
        { product: second.id, quantity: 4 },
      ],
      total: "22,50",
    });
    expect(changed.status, changed.text).toBe(200);
    // Purchased products keep their price.
    expect(changed.json).toMatchObject({
      number,
      total: 22.5,
      orderItems: [
        { id: orderItems[0]?.id, quantity: 1, product: { price: 10.5 } },
        { quantity: 4, product: { price: 3 } },
      ],
      version: 2,
    });
    expect([await sales(product), await sales(second)]).toEqual([1, 4]);
    // Lines may be named by their ids alone.
    const byLine = changed.json.orderItems.map(({ id: line }) => ({ id: line, quantity: 2 }));
    const renamed = await staff.put<Order>(`${PATH}/${id}`, { orderItems: byLine });
    expect(renamed.status, renamed.text).toBe(200);
    expect([await sales(product), await sales(second)]).toEqual([2, 2]);
    expect((await staff.delete(`${PATH}/${id}`)).status).toBe(204);
    expect([await sales(product), await sales(second)]).toEqual([0, 0]);
  });

  test("concurrent orders get numbers without gaps", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const { id: user } = await createUser({ db: database });
    const items: { product: number; quantity: number }[] = [];
    for (let count = 0; count < 2; count++)
      items.push({ product: (await createProduct({ db: database })).id, quantity: 1 });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => {
        const orderItems = index % 2 ? items : items.toReversed();
        const json = { user, orderItems, total: 1, ...ORDER_ADDRESSES, invoice_pdf_path: "a.pdf" };
        return staff.post<Order>(PATH, json);
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    const numbers = answers
      .map((answer) => Number(answer.json.number.slice(-6)))
      .sort((a, b) => a - b);
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
  });

  test("after the user's erasure it keeps its buyer", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const { user, order, invoice } = await bought(database);
    await staff.delete(`/api/users/${user.id}`);
    const { json } = await staff.get<Order>(`${PATH}/${order.id}`);
    expect(json).toMatchObject({
      user: null,
      buyer: { name: "Martin", lastname: "Camille" },
      invoice_pdf_path: `/api/invoices/${invoice?.id}/download`,
      invoiceId: invoice?.id,
      invoiceNumber: invoice?.number,
    });
    // The path as it was read, sent back, does not count as a typed path.
    const path = `${PATH}/${order.id}`;
    await staff.put(path, { invoice_pdf_path: json.invoice_pdf_path });
    const rows = await database.execute(
      sql`select invoice_pdf_path from orders where id = ${order.id}`,
    );
    expect(rows).toEqual([{ invoice_pdf_path: null }]);
    // All that was read can be sent back, even with the deleted user.
    const whole = { ...json, version: undefined };
    const kept = await staff.put<Order>(path, whole);
    expect([kept.status, kept.json.user], kept.text).toEqual([200, null]);
    await makeUnpaid(database, invoice?.id);
    const bill = await staff.get<object>(`/api/admin/invoices/${invoice?.id}`);
    const same = await staff.put<{ user: null }>(
      `/api/admin/invoices_update/${invoice?.id}`,
      bill.json,
    );
    expect([same.status, same.json.user], same.text).toEqual([200, null]);
  });

  test("a searched number is no year of a document", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const orderedAt = new Date("2013-06-01T10:00:00Z");
    const numbers = ["CMD-2013-000013", "CMD-2013-000014", "CMD-2013-654321"] as const;
    for (const number of numbers) await bought(database, { user, orderedAt, number });
    const found = async (list: string, search: string) => {
      const path = `${list}&search=${search}`;
      const { json } = await api.get<{ number: string }[]>(path, { token, accept: PLAIN });
      return json.map(({ number }) => number);
    };
    for (const list of [
      `${PATH}?user=${user.id}`,
      `/api/orders?user=${user.id}`,
      "/api/orders?date[after]=2013-01-01&date[before]=2013-12-31",
    ]) {
      expect(await found(list, "13"), list).toEqual([numbers[0]]);
      expect(await found(list, "%23000013"), list).toEqual([numbers[0]]);
      expect(await found(list, "654321"), list).toEqual([numbers[2]]);
    }
    const invoices = `/api/admin/invoices?user=${user.id}`;
    expect(await found(invoices, "13")).toEqual([]);
    const [last = ""] = await found(invoices, "");
    expect(await found(invoices, String(Number(last.slice(-6))))).toEqual([last]);
  });

  test("they are filtered by French dates, and summed", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    const at = async (iso: string, totalCents: number, invoiced = false) => {
      const values = { user, totalCents, orderedAt: new Date(iso), invoiced };
      return (await bought(database, values)).order.id;
    };
    // Midnight in Paris is 22:00 in summer and 23:00 in winter, in UTC.
    const may31 = await at("2001-05-31T21:59:59Z", 1000);
    const june1 = await at("2001-05-31T22:00:00Z", 2000);
    const june4 = await at("2001-06-03T22:30:00Z", 500);
    const winter = await at("2001-12-31T23:30:00Z", 700, true);
    for (const [query, ids] of [
      ["", [may31, june1, june4, winter]],
      ["date[after]=2001-06-01", [june1, june4, winter]],
      ["date[before]=2001-05-31", [may31]],
      ["date[after]=2001-06-01&date[before]=2001-06-04", [june1, june4]],
      ["date[before]=2001-12-31", [may31, june1, june4]],
      ["date[after]=2001-06-03T22:30:00Z", [june4, winter]],
      // Without an offset, the time is in France's time zone, wherever the server is.
      ["date[after]=2001-06-04T00:30", [june4, winter]],
      ["date[before]=2001-06-03T23:30:00", [may31, june1]],
    ] as const) {
      const path = `${PATH}?user=${user.id}&order[date]=asc&${query}`;
      const { json } = await api.get<Order[]>(path, { token: staff.token, accept: PLAIN });
      expect(
        json.map(({ id }) => id),
        query,
      ).toEqual(ids);
    }
    for (const wrong of ["2001-13-01", "2001-02-30", "2001-02-30T10:00", "demain", "2001"])
      expect((await staff.get(`${PATH}?date[after]=${wrong}`)).status, wrong).toBe(400);

    const chart = async (query: string) => {
      const range = "date[after]=2001-05-01&date[before]=2002-01-31";
      const { headers, json } = await staff.get(`/api/orders?${range}&${query}`);
      return [headers["x-total-count"], json];
    };
    const oldest = {
      id: may31,
      number: expect.stringMatching(/^CMD-/),
      date: "2001-05-31T21:59:59+00:00",
      total: 10,
      refundedTotal: 0,
      invoiceNumber: null,
    };
    expect(await chart("")).toMatchObject([
      "4",
      [
        { id: winter, invoiceNumber: expect.stringMatching(/^FA-/) },
        ...[june4, june1, may31].map((id) => ({ id, invoiceNumber: null })),
      ],
    ]);
    expect(await chart("page=2&itemsPerPage=3")).toEqual(["4", [oldest]]);
    expect(await chart("interval=day")).toMatchObject([
      expect.anything(),
      [
        { date: "2001-05-31", total: 10, count: 1 },
        { date: "2001-06-01", total: 20, count: 1 },
        { date: "2001-06-04", total: 5, count: 1 },
        { date: "2002-01-01", total: 7, count: 1 },
      ],
    ]);
    expect(await chart("interval=week")).toMatchObject([
      expect.anything(),
      [
        { date: "2001-05-28", total: 30, count: 2 },
        { date: "2001-06-04", total: 5, count: 1 },
        { date: "2001-12-31", total: 7, count: 1 },
      ],
    ]);
    expect((await staff.get("/api/orders?interval=hour")).status).toBe(400);
  });
});

test.describe("invoices", () => {
  const LIST = "/api/admin/invoices";
  const CREATE = "/api/admin/invoices_create";
  const UPDATE = "/api/admin/invoices_update";
  const REMOVE = "/api/admin/invoices_delete";

  interface Invoice {
    id: number;
    number: string;
    date: string;
  }

  test("an adjustment is told from a product of the same name", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const product = await createProduct({ db: database, name: "Ajustement", priceCents: 1990 });
    const { invoice } = await bought(database, { items: [{ product }] });
    await makeUnpaid(database, invoice?.id);
    const lines = async (totalAmount: number) => {
      const path = `${UPDATE}/${invoice?.id}`;
      expect((await staff.put(path, { totalAmount })).status).toBe(200);
      const [row] = await database
        .select()
        .from(invoiceTable)
        .where(eq(invoiceTable.id, invoice?.id ?? 0));
      return row?.snapshot.lines.map((line) => [line.name, line.unitPriceCents, line.kind]);
    };
    const sold = ["Ajustement", 1990, undefined];
    expect(await lines(15)).toEqual([sold, ["Ajustement", -490, "adjustment"]]);
    expect(await lines(25)).toEqual([sold, ["Ajustement", 510, "adjustment"]]);
    expect(await lines(19.9)).toEqual([sold]);
  });

  test("an administrator creates, reads, updates and archives one", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const { user, order } = await bought(database, { invoiced: false });
    const created = await staff.post<Invoice>(CREATE, {
      totalAmount: 12.5,
      user: `/api/users/${user.id}`,
      pdfPath: "factures/a.pdf",
      paymentId: "pi_main",
      order: order.id,
    });
    expect(created.status, created.text).toBe(201);
    const { id, number, date } = created.json;
    expect(number).toMatch(/^FA-\d{4}-\d{6}$/);
    expect(created.headers.location).toBe(`${LIST}/${id}`);
    const plain = await api.get(`${LIST}/${id}`, { token: staff.token, accept: PLAIN });
    expect(plain.json).toEqual({
      id,
      number,
      totalAmount: 12.5,
      user: { id: user.id, name: "Martin", lastname: "Camille", email: user.email },
      buyer: { name: "Martin", lastname: "Camille", email: user.email },
      order: { id: order.id, number: order.number, total: 19.9 },
      pdfPath: "factures/a.pdf",
      paymentId: "pi_main",
      isPaid: false,
      date,
      correctedAt: null,
      version: 1,
    });
    const pdf = await staff.get(`/api/invoices/${id}/download`);
    expect([pdf.status, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);

    const changed = await staff.put<Invoice>(`${UPDATE}/${id}`, {
      totalAmount: "15",
      paymentId: "pi_other",
    });
    expect(changed.json).toMatchObject({
      number,
      totalAmount: 15,
      paymentId: "pi_other",
      version: 2,
    });
    const versions = await database
      .select()
      .from(invoiceVersions)
      .where(eq(invoiceVersions.invoiceId, id));
    expect(versions).toMatchObject([
      { version: 1, replacedBy: staff.id, content: { totalCents: 1250, paymentId: "pi_main" } },
    ]);
    const removed = await staff.delete(`${REMOVE}/${id}`);
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect((await staff.get(`/api/invoices/${id}/download`)).status).toBe(404);
    expect((await staff.get(`${LIST}?search=${number}`)).json).toEqual([]);
    const rows = await database.execute(
      sql`select number, archived_at is not null as archived from invoices where id = ${id}`,
    );
    expect(rows).toEqual([{ number, archived: true }]);
    // The number is not given again.
    const json = { totalAmount: 1, user: user.id, pdfPath: "b.pdf", paymentId: "pi" };
    const next = await staff.post<Invoice>(CREATE, json);
    expect(Number(next.json.number.slice(-6))).toBeGreaterThan(Number(number.slice(-6)));
  });

  test("an order's invoice belongs to its customer", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    const other = await createUser({ db: database });
    const { order } = await bought(database, { user: other, invoiced: false });
    const whole = { totalAmount: 5, user: user.id, pdfPath: "a.pdf", paymentId: "pi" };
    const bill = () => staff.post(CREATE, { ...whole, order: order.id });
    expect(sentencesOf(await bill())).toEqual({
      order: "Cette commande est celle d'un autre client.",
    });
    await staff.delete(`/api/users/${other.id}`);
    expect((await bill()).json).toMatchObject({ user: { id: user.id }, order: { id: order.id } });
  });

  test("one is found by the number of its order", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const { order, invoice } = await bought(database);
    const found = async (search: string) => (await staff.get(`${LIST}?search=${search}`)).json;
    expect(await found(order.number.toLowerCase())).toMatchObject([{ id: invoice?.id }]);
    expect(await found(`${order.number}0`)).toEqual([]);
    expect((await staff.delete(`/api/admin_orders/${order.id}`)).status).toBe(204);
    expect(await found(order.number)).toMatchObject([{ id: invoice?.id }]);
  });

  test("the export splits the VAT", async ({ api, database }) => {
    const staff = await asStaff({ api, database });
    const user = await createUser({ db: database });
    for (const totalAmount of [30, 10, 20]) {
      const json = { totalAmount, user: user.id, pdfPath: "a.pdf", paymentId: "pi" };
      expect((await staff.post(CREATE, json)).status).toBe(201);
    }
    const table = linesOfCsv(
      await api.get(`${LIST}?user=${user.id}&order[id]=asc`, {
        token: staff.token,
        accept: "text/csv",
      }),
    );
    expect(table[1]?.[2]).toMatch(/^\d\d\/\d\d\/\d{4} \d\d:\d\d$/);
    expect(table.map((line) => line.slice(11, 13))).toEqual([
      ["HT 20\u00a0% (€)", "TVA 20\u00a0% (€)"],
      ["25", "5"],
      ["8,33", "1,67"],
      ["16,67", "3,33"],
    ]);
  });
});

test("staff moderate a review, and its page shows it", async ({ api, database, arrange }) => {
  const PATH = "/api/reviews";
  const staff = await asStaff({ api, database });
  const { user, product } = await arrange(async (db) => ({
    user: await createUser({ db }),
    product: await createProduct({ db }),
  }));
  const content = `Un avis ${product.id}`;
  /** What the public page, the average and the product's list show, the same for everybody. */
  const shown = async () => {
    const page = await api.get(`/product/${product.id}`);
    const item = await api.get<{ avgRating: number | null }>(`/api/products/${product.id}`);
    const list = `${PATH}?product=${product.id}`;
    const members = (await api.get<Collection<object>>(list)).json["hydra:member"];
    expect((await staff.get(list)).json).toMatchObject({ "hydra:totalItems": members.length });
    return [page.text.includes(content), item.json.avgRating, members.length];
  };
  const created = await staff.post<{ id: number }>(PATH, {
    product: `/api/products/${product.id}`,
    user: `/api/users/${user.id}`,
    rating: 0,
    content,
  });
  expect(created.status, created.text).toBe(201);
  const { id } = created.json;
  expect(created.headers.location).toBe(`${PATH}/${id}`);
  expect(created.json).toEqual({
    "@context": "/api/contexts/Review",
    "@id": `${PATH}/${id}`,
    "@type": "Review",
    id,
    content,
    rating: 0,
    status: "PENDING",
    datePublication: expect.stringMatching(/^20\d\d-\d\d-\d\dT/),
    datePurchase: null,
    rejectionReason: null,
    product: {
      "@id": `/api/products/${product.id}`,
      "@type": "Product",
      id: product.id,
      name: product.name,
    },
    user: personOf(user),
    version: 1,
  });
  expect(await shown()).toEqual([false, null, 0]);
  const save = async (json: object) => (await staff.put(`${PATH}/${id}`, json)).json;
  expect(await save({ status: "VALIDATED", rating: 4 })).toMatchObject({ rating: 4 });
  expect(await shown()).toEqual([true, 4, 1]);
  expect(await save({ status: "REJECTED", rejectionReason: " Hors sujet " })).toMatchObject({
    status: "REJECTED",
    rejectionReason: "Hors sujet",
  });
  expect(await shown()).toEqual([false, null, 0]);
  expect(await save({ status: "VALIDATED" })).toMatchObject({ rejectionReason: null });
  expect(await shown()).toEqual([true, 4, 1]);
  expect((await staff.delete(`${PATH}/${id}`)).status).toBe(204);
  expect(await shown()).toEqual([false, null, 0]);
});

interface Dashboard {
  today: { orders: number; total: number; newCustomers: number; reviewsPending: number };
  period: { name: string; orders: number; total: number; averageBasket: number };
  latestOrders: object[];
  pendingReviews: object[];
  productsWithoutImage: { total: number; items: object[] };
}

test("the dashboard has the day, the period, and pending work", async ({ api, database: db }) => {
  const staff = await asStaff({ api, database: db });
  const read = async (query = "") => {
    const answer = await staff.get<Dashboard>(`/api/admin/dashboard${query}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.json;
  };
  const before = await read();
  expect(before.period.name).toBe("30d");
  // An administrator does not count as a customer.
  await newAdmin(db);
  const user = await createUser({ db });
  const product = await createProduct({ db, priceCents: 1234, image: null });
  const { id: reviewId } = await createReview({
    db,
    userId: user.id,
    productId: product.id,
    status: "PENDING",
    publishedAt: new Date("2001-01-01"),
  });
  const { order } = await bought(db, { user, items: [{ product }] });
  const after = await read();
  expect(after.today).toMatchObject({
    orders: before.today.orders + 1,
    total: expect.closeTo(before.today.total + 12.34, 2),
    newCustomers: before.today.newCustomers + 1,
    reviewsPending: before.today.reviewsPending + 1,
  });
  expect(after.period.orders).toBe(before.period.orders + 1);
  expect(after.period.averageBasket).toBeCloseTo(after.period.total / after.period.orders, 1);
  expect(after.latestOrders[0]).toMatchObject({
    id: order.id,
    number: order.number,
    total: 12.34,
    user: { id: user.id, name: "Martin", lastname: "Camille" },
    buyer: { name: "Martin", lastname: "Camille" },
  });
  expect(after.latestOrders.length).toBeLessThanOrEqual(10);
  const { id, name } = product;
  expect(after.pendingReviews[0]).toMatchObject({ id: reviewId, product: { id, name } });
  expect(after.productsWithoutImage.total).toBe(before.productsWithoutImage.total + 1);
  expect(after.productsWithoutImage.items[0]).toEqual({ id, name });
  const orders = [];
  for (const period of ["7d", "30d", "90d", "12m"])
    orders.push((await read(`?period=${period}`)).period.orders);
  expect(orders).toEqual(orders.toSorted((a, b) => a - b));
  expect((await staff.get("/api/admin/dashboard?period=1d")).status).toBe(400);
});

test("plain JSON that was read can be sent back unchanged", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const { user, product, order, invoice } = await bought(database);
  const address = await createAddress({ db: database, userId: user.id });
  const { cart } = await createCart({
    db: database,
    userId: user.id,
    items: [{ productId: product.id, quantity: 2 }],
  });
  const review = await createReview({ db: database, userId: user.id, productId: product.id });
  await makeUnpaid(database, invoice?.id);
  for (const [read, save = read] of [
    [`/api/addresses/${address.id}`],
    [`/api/carts/${cart.id}`],
    [`/api/admin_orders/${order.id}`],
    [`/api/admin/invoices/${invoice?.id}`, `/api/admin/invoices_update/${invoice?.id}`],
    [`/api/products/${product.id}`, `/api/physical_products/${product.id}`],
    [`/api/reviews/${review.id}`],
  ] as const) {
    const plain = { token, accept: PLAIN };
    const before = await api.get<{ version?: number; updatedAt?: string }>(read, plain);
    expect(before.status, read).toBe(200);
    const saved = await api.put(save, { ...plain, json: before.json });
    expect(saved.status, saved.text).toBe(200);
    const { version: _, updatedAt: __, ...shown } = before.json;
    expect((await api.get(read, plain)).json, read).toMatchObject(shown);
  }
});
