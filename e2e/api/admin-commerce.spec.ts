import { readdirSync, readFileSync } from "node:fs";
import { eq, sql } from "drizzle-orm";
import { createProduct, createReview } from "@/db/factories/catalogue";
import { createCart, createOrder } from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { invoices as invoiceTable, invoiceVersions } from "@/db/schema/invoices";
import { tokenOf } from "../accounts";
import { historyOf, linesOfCsv, makeUnpaid, newAdmin, sentencesOf } from "../admin";
import { confirm, createBuyer, payCart } from "../buying";
import { expect, test } from "../fixtures";
import type { Collection } from "../representation";

const REQUIRED = "Ce champ est obligatoire.";
const ALL_REQUIRED = "Tous les champs sont obligatoires.";

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

test.describe("addresses", () => {
  const PATH = "/api/addresses";
  const home = { street: "12 rue des Lilas", city: "Lyon", postalCode: "69003" };

  interface Address {
    id: number;
    user: Person;
    isDefault: boolean;
    isDefaultBilling: boolean;
    version: number;
  }

  test("staff create, read, update and delete a user's", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const created = await api.post<Address>(PATH, {
      token,
      json: { ...home, user: `/api/users/${user.id}`, isDefault: true, isDefaultBilling: true },
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
    const own = await api.get<{ id: number }[]>("/api/addresses_front", {
      token: await tokenOf(user),
    });
    expect(own.json.map((address) => address.id)).toEqual([id]);
    const other = await createUser({ db: database });
    const moved = await api.put<Address>(`${PATH}/${id}`, {
      token,
      json: { user: other.id, type: "billing", isDefaultBilling: true },
    });
    expect(moved.json).toMatchObject({
      ...home,
      user: { id: other.id },
      isDefault: false,
      isDefaultBilling: true,
    });
    const read = await api.get<Address>(`${PATH}/${id}`, { token, accept: "application/json" });
    expect(read.json.user).toEqual({
      id: other.id,
      name: "Martin",
      lastname: "Camille",
      email: other.email,
    });
    expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(204);
    const history = await historyOf({ api, token, entity: "Address", id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
  });

  test("missing or invalid fields have their messages", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    expect(sentencesOf(await api.post(PATH, { token, json: {} }))).toEqual({
      street: REQUIRED,
      city: REQUIRED,
      postalCode: "Le code postal ne doit pas être vide.",
      user: "Veuillez sélectionner un utilisateur.",
    });
    for (const [user, sentence] of [
      ["", "Veuillez sélectionner un utilisateur."],
      [null, "Veuillez sélectionner un utilisateur."],
      [2_000_000_000, "Cet utilisateur n'existe pas."],
    ] as const)
      expect(sentencesOf(await api.post(PATH, { token, json: { ...home, user } }))).toEqual({
        user: sentence,
      });
  });

  test("a user has one default of each type", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: userId } = await createUser({ db: database });
    const ids: number[] = [];
    for (let index = 0; index < 4; index++)
      ids.push((await createAddress({ db: database, userId })).id);
    const answers = await Promise.all(
      ids.map((id) => api.put(`${PATH}/${id}`, { token, json: { isDefault: true } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const list = await api.get<Collection<Address>>(`${PATH}?user=${userId}`, { token });
    expect(list.json["hydra:member"].filter(({ isDefault }) => isDefault)).toHaveLength(1);
  });

  test("an assignment to another user is not lost", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const [user, other] = [await createUser({ db: database }), await createUser({ db: database })];
    for (let round = 0; round < 10; round++) {
      const { id } = await createAddress({ db: database, userId: user.id });
      const path = `${PATH}/${id}`;
      const answers = await Promise.all([
        api.put(path, { token, json: { street: "5 rue Basse" } }),
        api.put(path, { token, json: { user: `/api/users/${other.id}` } }),
        api.put(path, { token, json: { street: "7 rue Basse" } }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const { json } = await api.get<Address>(path, { token });
      expect(json.user.id).toBe(other.id);
    }
  });

  test("a save of an outdated version is refused", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const { id } = await createAddress({ db: database, userId: user.id });
    const owner = await tokenOf(user);
    await api.put(`/api/addresses_front/${id}`, { token: owner, json: { city: "Nantes" } });
    const refused = await api.put(`${PATH}/${id}`, { token, json: { city: "Brest", version: 1 } });
    expect(refused.status).toBe(409);
    expect(refused.json).toMatchObject({
      error: "Cet objet a été modifié entre-temps.",
      current: { id, city: "Nantes", version: 2 },
    });
  });
});

test.describe("carts", () => {
  const PATH = "/api/carts";

  interface Cart {
    id: number;
    user: Person;
    items: { id: number; quantity: number; product: { id: number | null; name: string } }[];
    total: number;
    version: number;
  }

  test("staff create, read, update and delete a user's", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const first = await createProduct({ db: database, priceCents: 1050 });
    const second = await createProduct({ db: database, type: "digital", priceCents: 200 });
    const created = await api.post<Cart>(PATH, {
      token,
      json: {
        user: user.id,
        items: [
          { product: `/api/products/${first.id}`, quantity: 2 },
          { product: String(second.id), quantity: "1" },
          { product: first.id, quantity: 1 },
        ],
      },
    });
    expect(created.status, created.text).toBe(201);
    const { id, items } = created.json;
    expect(created.json).toMatchObject({
      "@id": `${PATH}/${id}`,
      "@type": "Cart",
      user: { "@id": `/api/users/${user.id}`, id: user.id, name: "Martin", lastname: "Camille" },
      items: [
        {
          "@type": "CartItem",
          quantity: 3,
          product: {
            "@type": "PhysicalProduct",
            id: first.id,
            name: first.name,
            description: first.description,
            price: 10.5,
            image: first.image,
          },
        },
        { quantity: 1, product: { "@type": "DigitalProduct", id: second.id, price: 2 } },
      ],
      total: 33.5,
      version: 1,
    });
    const own = await api.get<Cart>("/api/cart", { token: await tokenOf(user) });
    expect(own.json).toMatchObject({ id, total: 33.5 });
    const twice = await api.post(PATH, { token, json: { user: user.id, items: [] } });
    expect(sentencesOf(twice)).toEqual({ user: "Cet utilisateur a déjà un panier." });
    const changed = await api.put<Cart>(`${PATH}/${id}`, {
      token,
      json: { user: user.id, items: [{ product: second.id, quantity: 5 }] },
    });
    expect(changed.json.items).toMatchObject([{ id: items[1]?.id, quantity: 5 }]);
    const kept = await api.put<Cart>(`${PATH}/${id}`, { token, json: {} });
    expect(kept.json.items).toHaveLength(1);
    expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(204);
    expect((await api.get(`${PATH}/${id}`, { token })).status).toBe(404);
    const history = await historyOf({ api, token, entity: "Cart", id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
  });

  test("missing or invalid fields have their messages", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: user } = await createUser({ db: database });
    const { id: product } = await createProduct({ db: database });
    expect(sentencesOf(await api.post(PATH, { token, json: {} }))).toEqual({ user: REQUIRED });
    const few = "La quantité doit être d'au moins 1.";
    for (const [item, field, sentence] of [
      [{ quantity: 1 }, "product", REQUIRED],
      [{ product, quantity: 0 }, "quantity", few],
      [{ product }, "quantity", few],
      [{ product, quantity: 1.5 }, "quantity", few],
      [{ product, quantity: 100 }, "quantity", "La quantité ne peut pas dépasser 99 par produit."],
      [{ product: 2_000_000_000, quantity: 1 }, "product", "Ce produit n'existe pas."],
    ] as const)
      expect(
        sentencesOf(await api.post(PATH, { token, json: { user, items: [item] } })),
        JSON.stringify(item),
      ).toEqual({ [`items[0].${field}`]: sentence });
    // Of concurrent requests one creates the cart.
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.post(PATH, { token, json: { user, items: [] } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  test("one that its customer has changed is kept", async ({ api, database, cards }) => {
    const { token } = await newAdmin(database);
    const buyer = await createBuyer(database);
    const { id: product } = await createProduct({ db: database, priceCents: 1200 });
    const other = await createProduct({ db: database });
    const asBuyer = { token: buyer.token };
    const add = (productId: number) =>
      api.post<{ cartItemId?: number }>("/api/cart/add", {
        ...asBuyer,
        json: { productId, quantity: 1 },
      });
    await add(product);
    const { id, items } = (await api.get<Cart>("/api/cart", asBuyer)).json;
    const line = items[0]?.id;
    const read = async () => (await api.get<Cart>(`${PATH}/${id}`, { token })).json;
    const save = (version: number) =>
      api.put<Cart & { current: Cart }>(`${PATH}/${id}`, {
        token,
        json: { items: [{ product, quantity: 7 }], version },
      });

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
      const refused = await save(before.version);
      expect(refused.status, what).toBe(409);
      expect(refused.json.current).toEqual(expect.objectContaining({ version: now.version }));
      expect((await read()).items, what).toEqual(now.items);
    }

    // A request that changes nothing does not change the version.
    const quiet = await read();
    expect((await api.delete("/api/cart/item/2000000000", asBuyer)).status).toBe(404);
    expect(
      (await api.put(`/api/cart/item/${line}`, { ...asBuyer, json: { quantity: 2 } })).status,
    ).toBe(404);
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
    const { token } = await newAdmin(database);
    const { id: userId } = await createUser({ db: database });
    const gone = await createProduct({ db: database, name: "Parti" });
    const there = await createProduct({ db: database });
    const { cart, items } = await createCart({
      db: database,
      userId,
      items: [{ productId: gone.id }, { productId: there.id }],
    });
    await database.delete(products).where(eq(products.id, gone.id));
    const { json: read } = await api.get<Cart>(`${PATH}/${cart.id}`, { token });
    expect(read.items[0]?.product).toMatchObject({ id: null, name: "Parti" });
    const path = `${PATH}/${cart.id}`;
    const kept = await api.put<Cart>(path, { token, json: { items: read.items } });
    expect(kept.json.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    // A product that is still sold may also be named by its line.
    const byLine = { items: items.map(({ id }) => ({ id, quantity: 3 })) };
    const named = await api.put<Cart>(path, { token, json: byLine });
    expect(named.status, named.text).toBe(200);
    expect(named.json.items.map(({ id }) => id)).toEqual(items.map(({ id }) => id));
    expect(named.json.items[1]?.quantity).toBe(3);
    const { id: otherId } = await createUser({ db: database });
    const other = await createCart({
      db: database,
      userId: otherId,
      items: [{ productId: there.id }],
    });
    for (const id of [other.items[0]?.id, 999_999_999]) {
      const refused = await api.put(path, { token, json: { items: [{ id, quantity: 1 }] } });
      expect(sentencesOf(refused)).toEqual({
        "items[0].id": "Cet article n'est pas dans ce panier.",
      });
    }
    const json = { items: [{ product: there.id, quantity: 1 }] };
    const without = await api.put<Cart>(path, { token, json });
    expect(without.json.items).toHaveLength(1);
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
    version: number;
  }

  const places = {
    shippingStreet: "12 rue des Lilas",
    shippingCity: "Lyon",
    shippingPostalCode: "69003",
    billingStreet: "3 quai des Brumes",
    billingCity: "Nantes",
    billingPostalCode: "44000",
  };

  test("staff create, read, update and delete one", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database, priceCents: 1050 });
    const second = await createProduct({ db: database, priceCents: 300 });
    const sales = async ({ id }: { id: number }) =>
      (await api.get<{ sales_count: number }>(`/api/products/${id}`, { token })).json.sales_count;
    const created = await api.post<Order>(PATH, {
      token,
      json: {
        user: String(user.id),
        orderItems: [{ product: String(product.id), quantity: 2 }],
        total: 19.99,
        ...places,
        invoice_pdf_path: "https://exemple.fr/facture.pdf",
      },
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
    const own = await api.get<{ id: number }[]>("/api/my-orders", { token: await tokenOf(user) });
    expect(own.json.map((order) => order.id)).toEqual([id]);

    await api.put(`/api/physical_products/${product.id}`, { token, json: { price: 99 } });
    const changed = await api.put<Order>(`${PATH}/${id}`, {
      token,
      json: {
        orderItems: [
          { product: product.id, quantity: 1 },
          { product: second.id, quantity: 4 },
        ],
        total: "22,50",
      },
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
    const renamed = await api.put<Order>(`${PATH}/${id}`, { token, json: { orderItems: byLine } });
    expect(renamed.status, renamed.text).toBe(200);
    expect([await sales(product), await sales(second)]).toEqual([2, 2]);
    expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(204);
    expect([await sales(product), await sales(second)]).toEqual([0, 0]);
    const history = await historyOf({ api, token, entity: "Order", id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "update", "create"]);
    expect(history[2]?.changes.map(({ field }) => field).sort()).toEqual([
      "itemsCount",
      "orderItems",
      "total",
    ]);
  });

  test("all fields are required, with one message", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: user } = await createUser({ db: database });
    const { id: product } = await createProduct({ db: database });
    const whole = {
      user,
      orderItems: [{ product, quantity: 1 }],
      total: 0,
      ...places,
      invoice_pdf_path: "a.pdf",
    };
    expect(sentencesOf(await api.post(PATH, { token, json: {} }))).toEqual({ "": ALL_REQUIRED });
    for (const field of Object.keys(whole))
      for (const empty of ["", null]) {
        const answer = await api.post(PATH, { token, json: { ...whole, [field]: empty } });
        expect(sentencesOf(answer), `${field}: ${empty}`).toEqual({ "": ALL_REQUIRED });
        expect(answer.json).toMatchObject({ "hydra:description": ALL_REQUIRED });
      }
    const { id } = (await api.post<Order>(PATH, { token, json: whole })).json;
    for (const change of [{ orderItems: [] }, { shippingCity: " " }])
      expect(sentencesOf(await api.put(`${PATH}/${id}`, { token, json: change }))).toEqual({
        "": ALL_REQUIRED,
      });
    for (const [change, field, sentence] of [
      [{ user: 2_000_000_000 }, "user", "Cet utilisateur n'existe pas."],
      [
        { orderItems: [{ product: 2_000_000_000, quantity: 1 }] },
        "orderItems[0].product",
        "Ce produit n'existe pas.",
      ],
      [
        { orderItems: [{ product, quantity: 0 }] },
        "orderItems[0].quantity",
        "La quantité doit être d'au moins 1.",
      ],
      [{ total: -1 }, "total", "Le montant ne peut pas être négatif."],
    ] as const) {
      const json = { ...whole, ...change };
      expect(sentencesOf(await api.post(PATH, { token, json }))).toEqual({ [field]: sentence });
    }
  });

  test("concurrent orders get numbers without gaps", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: user } = await createUser({ db: database });
    const made = await Promise.all(
      [1, 2].map(() => createProduct({ db: database }).then(({ id }) => id)),
    );
    const json = (order: number[]) => ({
      user,
      orderItems: order.map((product) => ({ product, quantity: 1 })),
      total: 1,
      ...places,
      invoice_pdf_path: "a.pdf",
    });
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        api.post<Order>(PATH, { token, json: json(index % 2 ? made : made.toReversed()) }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201, 201]);
    const numbers = answers
      .map((answer) => Number(answer.json.number.slice(-6)))
      .sort((a, b) => a - b);
    const [first = 0] = numbers;
    expect(numbers).toEqual(numbers.map((_, index) => first + index));
  });

  test("after the user's erasure it keeps its buyer", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database });
    const { order, invoice } = await createOrder({ db: database, user, items: [{ product }] });
    await api.delete(`/api/users/${user.id}`, { token });
    const { json } = await api.get<Order>(`${PATH}/${order.id}`, { token });
    expect(json).toMatchObject({
      user: null,
      buyer: { name: "Martin", lastname: "Camille" },
      invoice_pdf_path: `/api/invoices/${invoice?.id}/download`,
      invoiceId: invoice?.id,
      invoiceNumber: invoice?.number,
    });
    // The path as it was read, sent back, does not count as a typed path.
    const path = `${PATH}/${order.id}`;
    await api.put(path, { token, json: { invoice_pdf_path: json.invoice_pdf_path } });
    const rows = await database.execute(
      sql`select invoice_pdf_path from orders where id = ${order.id}`,
    );
    expect(rows).toEqual([{ invoice_pdf_path: null }]);
    // All that was read can be sent back, even with the deleted user.
    const whole = { ...json, version: undefined };
    const kept = await api.put<Order>(path, { token, json: whole });
    expect([kept.status, kept.json.user], kept.text).toEqual([200, null]);
    await makeUnpaid(database, invoice?.id);
    const bill = await api.get<object>(`/api/admin/invoices/${invoice?.id}`, { token });
    const same = await api.put<{ user: null }>(`/api/admin/invoices_update/${invoice?.id}`, {
      token,
      json: bill.json,
    });
    expect([same.status, same.json.user], same.text).toEqual([200, null]);
  });

  test("a searched number is no year of a document", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database });
    const ids: number[] = [];
    for (const number of ["CMD-2013-000013", "CMD-2013-000014", "CMD-2013-654321"]) {
      const orderedAt = new Date("2013-06-01T10:00:00Z");
      const written = { user, items: [{ product }], number, orderedAt };
      ids.push((await createOrder({ db: database, ...written })).order.id);
    }
    const [thirteenth, , late] = ids;
    const found = async (query: string) => {
      const answer = await api.get<{ id: number; number: string }[]>(query, {
        token,
        accept: "application/json",
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    };
    for (const list of [
      `${PATH}?user=${user.id}`,
      `/api/orders?user=${user.id}`,
      "/api/orders?date[after]=2013-01-01&date[before]=2013-12-31",
    ])
      for (const [search, id] of [
        ["13", thirteenth],
        ["%23000013", thirteenth],
        ["654321", late],
      ] as const)
        expect(await found(`${list}&search=${search}`), search).toMatchObject([{ id }]);
    const invoices = `/api/admin/invoices?user=${user.id}`;
    expect(await found(`${invoices}&search=13`)).toEqual([]);
    const [invoice] = await found(invoices);
    const last = Number(invoice?.number.slice(-6));
    expect(await found(`${invoices}&search=${last}`)).toMatchObject([{ id: invoice?.id }]);
  });

  test("they are filtered by French dates, and summed", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database, lastName: `Tv${Date.now()}` });
    const product = await createProduct({ db: database });
    const at = async (iso: string, priceCents: number) => {
      const items = [{ product: { ...product, priceCents } }];
      const { order } = await createOrder({
        db: database,
        user,
        items,
        orderedAt: new Date(iso),
        invoiced: false,
      });
      return order.id;
    };
    // Midnight in Paris is 22:00 in summer and 23:00 in winter, in UTC.
    const may31 = await at("2001-05-31T21:59:59Z", 1000);
    const june1 = await at("2001-05-31T22:00:00Z", 2000);
    const june4 = await at("2001-06-03T22:30:00Z", 500);
    const winter = await at("2001-12-31T23:30:00Z", 700);
    const ids = async (query: string) => {
      const answer = await api.get<Collection<Order>>(
        `${PATH}?user=${user.id}&order[date]=asc&${query}`,
        { token },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.json["hydra:member"].map(({ id }) => id);
    };
    expect(await ids("")).toEqual([may31, june1, june4, winter]);
    expect(await ids("date[after]=2001-06-01")).toEqual([june1, june4, winter]);
    expect(await ids("date[before]=2001-05-31")).toEqual([may31]);
    expect(await ids("date[after]=2001-06-01&date[before]=2001-06-04")).toEqual([june1, june4]);
    expect(await ids("date[before]=2001-12-31")).not.toContain(winter);
    expect(await ids("date[after]=2001-06-03T22:30:00Z")).toEqual([june4, winter]);
    // Without an offset, the time is in France's time zone, wherever the server is.
    expect(await ids("date[after]=2001-06-04T00:30")).toEqual([june4, winter]);
    expect(await ids("date[before]=2001-06-03T23:30:00")).toEqual([may31, june1]);
    for (const wrong of ["2001-13-01", "2001-02-30", "2001-02-30T10:00", "demain", "2001"])
      expect((await api.get(`${PATH}?date[after]=${wrong}`, { token })).status, wrong).toBe(400);
    const search = async (text: string) =>
      (
        await api.get<Collection<Order>>(`${PATH}?search=${encodeURIComponent(text)}`, { token })
      ).json["hydra:member"].map(({ id }) => id);
    expect(await search(user.lastName)).toEqual([winter, june4, june1, may31]);
    expect(await search(String(june4))).toContain(june4);

    const chart = async (query: string) => {
      const answer = await api.get<unknown[]>(`/api/orders?${query}`, { token });
      expect(answer.status, answer.text).toBe(200);
      return answer;
    };
    const range = "date[after]=2001-05-01&date[before]=2002-01-31";
    const plain = await chart(range);
    expect(plain.headers["x-total-count"]).toBe("4");
    expect(plain.json).toMatchObject([{ id: winter }, { id: june4 }, { id: june1 }, { id: may31 }]);
    expect(Object.keys(plain.json[0] as object)).toEqual([
      "id",
      "number",
      "date",
      "total",
      "refundedTotal",
      "invoiceNumber",
    ]);
    expect(plain.json[0]).toMatchObject({ invoiceNumber: null });
    const orderedAt = new Date("2002-03-03T12:00:00Z");
    const { order, invoice } = await createOrder({
      db: database,
      user,
      items: [{ product: await createProduct({ db: database }) }],
      orderedAt,
    });
    expect((await chart("date[after]=2002-03-03&date[before]=2002-03-03")).json).toMatchObject([
      { id: order.id, number: order.number, invoiceNumber: invoice?.number },
    ]);
    const part = await chart(`${range}&page=2&itemsPerPage=3`);
    expect([part.headers["x-total-count"], part.json]).toMatchObject(["4", [{ id: may31 }]]);
    const sums = await chart(`${range}&interval=day`);
    expect(sums.json).toEqual([
      { date: "2001-05-31", total: 10, count: 1 },
      { date: "2001-06-01", total: 20, count: 1 },
      { date: "2001-06-04", total: 5, count: 1 },
      { date: "2002-01-01", total: 7, count: 1 },
    ]);
    const secondPage = await chart(`${range}&interval=day&page=2&itemsPerPage=3`);
    expect([secondPage.headers["x-total-count"], secondPage.json]).toEqual([
      "4",
      [{ date: "2002-01-01", total: 7, count: 1 }],
    ]);
    expect((await chart(`${range}&interval=week`)).json).toEqual([
      { date: "2001-05-28", total: 30, count: 2 },
      { date: "2001-06-04", total: 5, count: 1 },
      { date: "2001-12-31", total: 7, count: 1 },
    ]);
    expect((await api.get("/api/orders?interval=hour", { token })).status).toBe(400);
  });
});

test.describe("invoices", () => {
  test("an adjustment is told from a product of the same name", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database, name: "Ajustement", priceCents: 1990 });
    const { invoice } = await createOrder({ db: database, user, items: [{ product }] });
    await makeUnpaid(database, invoice?.id);
    const lines = async (totalAmount: number) => {
      const path = `/api/admin/invoices_update/${invoice?.id}`;
      expect((await api.put(path, { token, json: { totalAmount } })).status).toBe(200);
      const [row] = await database
        .select()
        .from(invoiceTable)
        .where(eq(invoiceTable.id, invoice?.id ?? 0));
      return row?.snapshot.lines.map(({ name, unitPriceCents, kind }) => [
        name,
        unitPriceCents,
        kind,
      ]);
    };
    const sold = ["Ajustement", 1990, undefined];
    expect(await lines(15)).toEqual([sold, ["Ajustement", -490, "adjustment"]]);
    expect(await lines(25)).toEqual([sold, ["Ajustement", 510, "adjustment"]]);
    expect(await lines(19.9)).toEqual([sold]);
  });

  test("the migration marks the adjustments of former invoices", async ({ database }) => {
    const user = await createUser({ db: database });
    const named = await createProduct({ db: database, name: "Ajustement", priceCents: 1990 });
    const lamp = await createProduct({ db: database, priceCents: 1990 });
    const line = { quantity: 1, vatRateBp: 2000 };
    const sold = { ...line, name: lamp.name, unitPriceCents: 1990 };
    const product = { ...line, name: "Ajustement", unitPriceCents: 1990 };
    const adjustment = { ...line, name: "Ajustement", unitPriceCents: -490 };
    const billed = { ...line, name: "Montant facturé", unitPriceCents: 500 };
    const marked = { kind: "adjustment" };
    const cases = [
      { of: named, version: 1, lines: [product], expected: [product] },
      { of: named, version: 2, lines: [product], expected: [product] },
      { of: lamp, version: 2, lines: [sold], expected: [sold] },
      {
        of: named,
        version: 2,
        lines: [product, adjustment],
        expected: [product, { ...adjustment, ...marked }],
      },
      {
        of: lamp,
        version: 2,
        lines: [sold, adjustment],
        expected: [sold, { ...adjustment, ...marked }],
      },
      {
        of: lamp,
        version: 1,
        source: "manual" as const,
        lines: [billed],
        expected: [{ ...billed, ...marked }],
      },
      { of: lamp, version: 2, lines: [], expected: [] },
    ];
    const ids: number[] = [];
    for (const { of, lines, version, source = "checkout" as const } of cases) {
      const { invoice } = await createOrder({ db: database, user, items: [{ product: of }] });
      if (!invoice) throw new Error("The order has no invoice.");
      ids.push(invoice.id);
      await database
        .update(invoiceTable)
        .set({ version, source, snapshot: { ...invoice.snapshot, lines } })
        .where(eq(invoiceTable.id, invoice.id));
    }
    const file = readdirSync("db/migrations").find((name) =>
      name.endsWith("_invoice_adjustments.sql"),
    );
    const migration = readFileSync(`db/migrations/${file}`, "utf8");
    // The second run changes nothing.
    for (let run = 0; run < 2; run++) {
      await database.execute(sql.raw(migration));
      for (const [index, { expected }] of cases.entries()) {
        const [row] = await database
          .select()
          .from(invoiceTable)
          .where(eq(invoiceTable.id, ids[index] ?? 0));
        expect(row?.snapshot.lines, `case ${index}`).toEqual(expected);
      }
    }
  });

  const LIST = "/api/admin/invoices";
  const CREATE = "/api/admin/invoices_create";
  const UPDATE = "/api/admin/invoices_update";
  const REMOVE = "/api/admin/invoices_delete";

  interface Invoice {
    id: number;
    number: string;
    totalAmount: number;
    user: Person | null;
    order: { id: number; number: string; total: number } | null;
    pdfPath: string;
    paymentId: string | null;
    isPaid: boolean;
    date: string;
    version: number;
  }

  test("an administrator creates, reads, updates and archives one", async ({ api, database }) => {
    const { token, id: adminId } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database });
    const { order } = await createOrder({
      db: database,
      user,
      items: [{ product }],
      invoiced: false,
    });
    const created = await api.post<Invoice>(CREATE, {
      token,
      json: {
        totalAmount: 12.5,
        user: `/api/users/${user.id}`,
        pdfPath: "factures/a.pdf",
        paymentId: "pi_main",
        order: order.id,
      },
    });
    expect(created.status, created.text).toBe(201);
    const { id, number, date } = created.json;
    expect(number).toMatch(/^FA-\d{4}-\d{6}$/);
    expect(created.headers.location).toBe(`${LIST}/${id}`);
    const plain = await api.get<Invoice>(`${LIST}/${id}`, { token, accept: "application/json" });
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
    const pdf = await api.get(`/api/invoices/${id}/download`, { token });
    expect([pdf.status, pdf.headers["content-type"]]).toEqual([200, "application/pdf"]);

    const changed = await api.put<Invoice>(`${UPDATE}/${id}`, {
      token,
      json: { totalAmount: "15", paymentId: "pi_other" },
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
      { version: 1, replacedBy: adminId, content: { totalCents: 1250, paymentId: "pi_main" } },
    ]);
    const removed = await api.delete(`${REMOVE}/${id}`, { token });
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect((await api.get(`/api/invoices/${id}/download`, { token })).status).toBe(404);
    const list = await api.get<Invoice[]>(`${LIST}?search=${number}`, { token });
    expect(list.json).toEqual([]);
    const rows = await database.execute(
      sql`select number, archived_at is not null as archived from invoices where id = ${id}`,
    );
    expect(rows).toEqual([{ number, archived: true }]);
    // The number is not given again.
    const json = { totalAmount: 1, user: user.id, pdfPath: "b.pdf", paymentId: "pi" };
    const next = await api.post<Invoice>(CREATE, { token, json });
    expect(Number(next.json.number.slice(-6))).toBeGreaterThan(Number(number.slice(-6)));
    const history = await historyOf({ api, token, entity: "Invoice", id });
    expect(history.map(({ action }) => action)).toEqual(["delete", "update", "create"]);
  });

  test("all fields but the order are required, with one message", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: user } = await createUser({ db: database });
    const whole = { totalAmount: 0, user, pdfPath: "a.pdf", paymentId: "pi" };
    expect(sentencesOf(await api.post(CREATE, { token, json: {} }))).toEqual({ "": ALL_REQUIRED });
    for (const field of Object.keys(whole))
      expect(
        sentencesOf(await api.post(CREATE, { token, json: { ...whole, [field]: "" } })),
        field,
      ).toEqual({ "": ALL_REQUIRED });
    const created = await api.post<Invoice>(CREATE, { token, json: { ...whole, order: "" } });
    expect(created.json).toMatchObject({ totalAmount: 0, order: null });
    for (const json of [{ pdfPath: "" }, { user: null }])
      expect(sentencesOf(await api.put(`${UPDATE}/${created.json.id}`, { token, json }))).toEqual({
        "": ALL_REQUIRED,
      });
    for (const [change, field, sentence] of [
      [{ user: 2_000_000_000 }, "user", "Cet utilisateur n'existe pas."],
      [{ order: 2_000_000_000 }, "order", "Cette commande n'existe pas."],
      [
        { totalAmount: "douze" },
        "totalAmount",
        "Veuillez saisir un montant en euros, avec deux décimales au plus.",
      ],
    ] as const)
      expect(sentencesOf(await api.post(CREATE, { token, json: { ...whole, ...change } }))).toEqual(
        { [field]: sentence },
      );
  });

  test("an order's invoice belongs to its customer", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const other = await createUser({ db: database });
    const items = [{ product: await createProduct({ db: database }) }];
    const { order } = await createOrder({ db: database, user: other, items, invoiced: false });
    const json = {
      totalAmount: 5,
      user: user.id,
      pdfPath: "a.pdf",
      paymentId: "pi",
      order: order.id,
    };
    const bill = () => api.post<Invoice>(CREATE, { token, json });
    expect(sentencesOf(await bill())).toEqual({
      order: "Cette commande est celle d'un autre client.",
    });
    await api.delete(`/api/users/${other.id}`, { token });
    expect((await bill()).json).toMatchObject({ user: { id: user.id }, order: { id: order.id } });
  });

  test("one is found by the number of its order", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const items = [{ product: await createProduct({ db: database }) }];
    const user = await createUser({ db: database });
    const { order, invoice } = await createOrder({ db: database, user, items });
    const found = async (search: string) => {
      const { json } = await api.get<Invoice[]>(`${LIST}?search=${search}`, { token });
      return json.map(({ id }) => id);
    };
    expect(await found(order.number)).toEqual([invoice?.id]);
    expect(await found(order.number.toLowerCase())).toEqual([invoice?.id]);
    expect(await found(`${order.number}0`)).toEqual([]);
    expect((await api.delete(`/api/admin_orders/${order.id}`, { token })).status).toBe(204);
    expect(await found(order.number)).toEqual([invoice?.id]);
  });

  test("the export splits the VAT", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    for (const totalAmount of [30, 10, 20]) {
      const json = { totalAmount, user: user.id, pdfPath: "a.pdf", paymentId: "pi" };
      expect((await api.post(CREATE, { token, json })).status).toBe(201);
    }
    const table = linesOfCsv(
      await api.get(`${LIST}?user=${user.id}&order[id]=asc`, { token, accept: "text/csv" }),
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

test.describe("reviews", () => {
  const PATH = "/api/reviews";

  interface Review {
    id: number;
    rating: number;
    status: string;
    rejectionReason: string | null;
    product: { id: number; name: string };
    user: Person;
    datePublication: string;
    version: number;
  }

  test("staff moderate one, and its page shows it", async ({ api, database, arrange }) => {
    const { token } = await newAdmin(database);
    const { user, product } = await arrange(async (db) => ({
      user: await createUser({ db }),
      product: await createProduct({ db }),
    }));
    const content = `Un avis ${product.id}`;
    const page = async () => (await api.get(`/product/${product.id}`)).text;
    const average = async () =>
      (await api.get<{ avgRating: number | null }>(`/api/products/${product.id}`)).json.avgRating;
    expect(await page()).not.toContain(content);
    const created = await api.post<Review>(PATH, {
      token,
      json: {
        product: `/api/products/${product.id}`,
        user: `/api/users/${user.id}`,
        rating: 0,
        content,
      },
    });
    expect(created.status, created.text).toBe(201);
    const { id, datePublication } = created.json;
    expect(created.headers.location).toBe(`${PATH}/${id}`);
    expect(created.json).toEqual({
      "@context": "/api/contexts/Review",
      "@id": `${PATH}/${id}`,
      "@type": "Review",
      id,
      content,
      rating: 0,
      status: "PENDING",
      datePublication,
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
    expect(await page()).not.toContain(content);
    const save = (json: object) => api.put<Review>(`${PATH}/${id}`, { token, json });
    expect((await save({ status: "VALIDATED", rating: 4 })).json).toMatchObject({ rating: 4 });
    expect(await page()).toContain(content);
    expect(await average()).toBe(4);
    const rejected = await save({ status: "REJECTED", rejectionReason: " Hors sujet " });
    expect(rejected.json).toMatchObject({ status: "REJECTED", rejectionReason: "Hors sujet" });
    expect(await page()).not.toContain(content);
    expect(await average()).toBeNull();
    expect((await save({ status: "VALIDATED" })).json.rejectionReason).toBeNull();
    expect((await api.delete(`${PATH}/${id}`, { token })).status).toBe(204);
    expect(await page()).not.toContain(content);
    const history = await historyOf({ api, token, entity: "Review", id });
    expect(history.map(({ action }) => action)).toEqual([
      "delete",
      ...Array(3).fill("update"),
      "create",
    ]);
  });

  test("invalid ones have their messages; a second is 409", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database });
    const stars = "Veuillez attribuer une note";
    expect(sentencesOf(await api.post(PATH, { token, json: {} }))).toEqual({
      product: REQUIRED,
      user: REQUIRED,
      content: REQUIRED,
      rating: stars,
    });
    const whole = { product: product.id, user: user.id, content: "Bien.", rating: 5 };
    for (const rating of [-1, 6, 2.5, "x", null])
      expect(sentencesOf(await api.post(PATH, { token, json: { ...whole, rating } }))).toEqual({
        rating: stars,
      });
    for (const [change, field, sentence] of [
      [{ user: 2_000_000_000 }, "user", "Cet utilisateur n'existe pas."],
      [{ product: 2_000_000_000 }, "product", "Ce produit n'existe pas."],
      [{ status: "LOST" }, "status", expect.stringContaining("PENDING, VALIDATED, REJECTED")],
    ] as const)
      expect(sentencesOf(await api.post(PATH, { token, json: { ...whole, ...change } }))).toEqual({
        [field]: sentence,
      });
    const answers = await Promise.all(
      [1, 2, 3].map(() => api.post<{ error: string }>(PATH, { token, json: whole })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.json.error).toBe(
      "Cet utilisateur a déjà laissé un avis sur ce produit.",
    );
  });

  test("a product's list is the same for everybody", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const { id: productId } = await createProduct({ db: database });
    const made = new Map<string, number>();
    for (const status of ["PENDING", "VALIDATED", "REJECTED"] as const) {
      const { id: userId } = await createUser({ db: database });
      made.set(status, (await createReview({ db: database, userId, productId, status })).id);
    }
    for (const caller of [{ token }, {}]) {
      const { json } = await api.get<Collection<Review>>(`${PATH}?product=${productId}`, caller);
      expect(json["hydra:member"].map(({ id }) => id)).toEqual([made.get("VALIDATED")]);
    }
  });
});

test.describe("the dashboard", () => {
  interface Dashboard {
    today: { orders: number; total: number; newCustomers: number; reviewsPending: number };
    period: { name: string; orders: number; total: number; averageBasket: number };
    latestOrders: { id: number; number: string; total: number; user: Person | null }[];
    pendingReviews: { id: number; product: { id: number; name: string } }[];
    productsWithoutImage: { total: number; items: { id: number; name: string }[] };
  }

  test("counts the day and the period, and lists pending work", async ({ api, database }) => {
    const { token } = await newAdmin(database);
    const read = async (period?: string) => {
      const answer = await api.get<Dashboard>(
        `/api/admin/dashboard${period ? `?period=${period}` : ""}`,
        { token },
      );
      expect(answer.status, answer.text).toBe(200);
      return answer.json;
    };
    const before = await read();
    expect(before.period.name).toBe("30d");
    // An administrator does not count as a customer.
    await newAdmin(database);
    const user = await createUser({ db: database });
    const product = await createProduct({ db: database, priceCents: 1234, image: null });
    const review = { userId: user.id, productId: product.id, status: "PENDING" as const };
    const { id: reviewId } = await createReview({
      db: database,
      ...review,
      publishedAt: new Date("2001-01-01"),
    });
    const { order } = await createOrder({ db: database, user, items: [{ product }] });
    const after = await read();
    expect(after.today.orders).toBe(before.today.orders + 1);
    expect(after.today.total).toBeCloseTo(before.today.total + 12.34, 2);
    expect(after.today.newCustomers).toBe(before.today.newCustomers + 1);
    expect(after.today.reviewsPending).toBe(before.today.reviewsPending + 1);
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
    expect(after.pendingReviews[0]).toMatchObject({
      id: reviewId,
      product: { id: product.id, name: product.name },
    });
    expect(after.productsWithoutImage.total).toBe(before.productsWithoutImage.total + 1);
    expect(after.productsWithoutImage.items[0]).toEqual({ id: product.id, name: product.name });
    const orders = [];
    for (const period of ["7d", "30d", "90d", "12m"])
      orders.push((await read(period)).period.orders);
    expect(orders).toEqual(orders.toSorted((a, b) => a - b));
    expect((await api.get("/api/admin/dashboard?period=1d", { token })).status).toBe(400);
  });
});

test("plain JSON that was read can be sent back unchanged", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  const user = await createUser({ db: database });
  const product = await createProduct({ db: database });
  const { order, invoice } = await createOrder({ db: database, user, items: [{ product }] });
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
    const plain = { token, accept: "application/json" };
    const before = await api.get<{ version?: number; updatedAt?: string }>(read, plain);
    expect(before.status, read).toBe(200);
    const saved = await api.put(save, { ...plain, json: before.json });
    expect(saved.status, saved.text).toBe(200);
    const { version: _, updatedAt: __, ...shown } = before.json;
    expect((await api.get(read, plain)).json, read).toMatchObject(shown);
  }
});

test("the history of an unknown entity is 404", async ({ api, database }) => {
  const { token } = await newAdmin(database);
  for (const path of ["Nothing/1", "Product/abc", "product/1", "__proto__/1"])
    expect((await api.get(`/api/admin/history/${path}`, { token })).status, path).toBe(404);
  expect(await historyOf({ api, token, entity: "Cart", id: 2_000_000_000 })).toEqual([]);
});
