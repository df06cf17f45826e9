import { randomBytes } from "node:crypto";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import { createOrder, createWithdrawal } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { newEmail } from "../accounts";
import { newAdmin } from "../admin";
import { expect, test } from "../fixtures";
import {
  createHydraProvider,
  type HydraProvider,
  type HydraRefusal,
  type Item,
  submissionErrors,
} from "../services/hydra-provider";

// The calls of react-admin through API Platform's own data provider. The provider reads the
// documentation, and sends whole items back to their `@id` as it has read them.

/** Unique names that no search confuses. */
const unique = (name: string) => `${name} ${randomBytes(6).toString("hex")}`;

interface Case {
  /** The body of a new item. */
  create: (db: Database) => Promise<Record<string, unknown>>;
  /** The fields to change. */
  change: Record<string, unknown> | ((item: Item) => Record<string, unknown>);
  /** A field to sort by. */
  sort: string;
  /** The filters that find the new item. */
  filter: (item: Item) => object;
}

const ADDRESS = { street: "3 quai des Brumes", city: "Nantes", postalCode: "44000" };

const newProduct =
  (more: object = {}) =>
  async () => ({
    name: unique("Lampe"),
    price: 42.9,
    description: "Une lampe orientable.",
    defaultCategory: "/api/categories/1",
    tags: ["/api/tags/1"],
    ...more,
  });
const byName = ({ name }: Item) => ({ search: name });
const product = { sort: "price", change: { price: 39.9 }, filter: byName };

const userOf = async (db: Database) => `/api/users/${(await createUser({ db })).id}`;
const productOf = async (db: Database) => `/api/products/${(await createProduct({ db })).id}`;

const CASES: Record<string, Case> = {
  products: { ...product, create: newProduct({ productType: "physical" }) },
  physical_products: { ...product, create: newProduct({ characteristics: { Poids: "2 kg" } }) },
  digital_products: { ...product, create: newProduct({ filesize: 1200, filetype: "PDF" }) },
  categories: {
    create: async () => ({ name: unique("Luminaires"), color: "#102030" }),
    change: { color: "#405060" },
    sort: "name",
    filter: byName,
  },
  tags: {
    create: async () => ({ name: unique("Fait main"), color: "#102030" }),
    change: { color: "#405060" },
    sort: "name",
    filter: byName,
  },
  users: {
    create: async () => ({
      email: newEmail(),
      name: unique("Durand"),
      lastname: "Zoé",
      password: "Motdepasse-2026!",
      isVerified: true,
    }),
    change: { name: "Petit" },
    sort: "createdAt",
    filter: byName,
  },
  addresses: {
    create: async (db) => ({ ...ADDRESS, user: await userOf(db) }),
    change: { city: "Rezé" },
    sort: "city",
    filter: ({ user }) => ({ user: (user as Item)["@id"] }),
  },
  carts: {
    create: async (db) => ({
      user: await userOf(db),
      items: [{ product: await productOf(db), quantity: 2 }],
    }),
    change: ({ items }) => ({ items: (items as Item[]).map((item) => ({ ...item, quantity: 3 })) }),
    sort: "id",
    filter: ({ user }) => ({ search: (user as Item).email }),
  },
  admin_orders: {
    create: async (db) => ({
      user: await userOf(db),
      orderItems: [{ product: await productOf(db), quantity: 1 }],
      total: 12.5,
      shippingStreet: ADDRESS.street,
      shippingCity: ADDRESS.city,
      shippingPostalCode: ADDRESS.postalCode,
      billingStreet: ADDRESS.street,
      billingCity: ADDRESS.city,
      billingPostalCode: ADDRESS.postalCode,
      invoice_pdf_path: "facture.pdf",
    }),
    change: { total: 14 },
    sort: "total",
    filter: ({ user }) => ({ user: (user as Item)["@id"] }),
  },
  shipping_methods: {
    create: async () => ({ name: unique("Coursier"), price: 4.9, active: false }),
    change: { price: 5.9 },
    sort: "price",
    filter: byName,
  },
  reviews: {
    create: async (db) => ({
      product: await productOf(db),
      user: await userOf(db),
      content: "Une très belle lampe.",
      rating: 4,
      status: "PENDING",
    }),
    change: { status: "VALIDATED", rating: 5 },
    sort: "rating",
    filter: ({ user }) => ({ user: (user as Item)["@id"], status: "PENDING" }),
  },
};

const list = ({
  page = 1,
  perPage = 2,
  sort = "id",
  order = "DESC" as "ASC" | "DESC",
  filter = {},
}) => ({
  pagination: { page, perPage },
  sort: { field: sort, order },
  filter,
});

const adminProvider = async (db: Database, baseURL: string) => {
  const provider = await createHydraProvider({ baseURL, token: (await newAdmin(db)).token });
  const { data } = await provider.introspect();
  return { provider, resources: data.resources };
};

const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    ({ status }: { status: number }) => status,
  );

/** Expects that every page of a list is sorted in both orders, and that both orders have the same items. */
async function expectSorted({
  provider,
  resource,
  sort,
}: {
  provider: HydraProvider;
  resource: string;
  sort: string;
}) {
  const ids = async (order: "ASC" | "DESC") => {
    const found: string[] = [];
    for (let page = 1; ; page++) {
      const { data, total } = await provider.getList(
        resource,
        list({ page, perPage: 100, sort, order }),
      );
      found.push(...data.map(({ id }) => id));
      if (data.length === 0 || found.length >= total || page === 3) return found;
    }
  };
  const ascending = await ids("ASC");
  expect(ascending.length, resource).toBeGreaterThan(1);
  expect(new Set(ascending).size).toBe(ascending.length);
  expect(await ids("DESC"), resource).not.toEqual(ascending);
}

test("the provider knows every collection", async ({ database: db, shop }) => {
  const { resources } = await adminProvider(db, shop.baseURL);
  expect(resources.map(({ name }) => name)).toEqual(expect.arrayContaining(Object.keys(CASES)));
});

for (const [resource, { create, change, sort, filter }] of Object.entries(CASES))
  test(`the provider lists, reads and writes ${resource}`, async ({ database: db, shop }) => {
    const { provider } = await adminProvider(db, shop.baseURL);
    const others = [await provider.create(resource, { data: await create(db) })];
    const { data: created } = await provider.create(resource, { data: await create(db) });
    expect(created.id, "an IRI").toMatch(/^\/api\/[a-z_]+\/\d+$/);

    const newest = await provider.getList(resource, list({ perPage: 1 }));
    expect(newest.data[0]?.id).toBe(created.id);
    expect(newest.total).toBeGreaterThan(1);
    const second = await provider.getList(resource, list({ perPage: 1, page: 2 }));
    expect(second.data[0]?.id).toBe(others[0]?.data.id);
    const found = await provider.getList(resource, list({ filter: filter(created) }));
    expect(found.data.map(({ id }) => id)).toEqual([created.id]);
    expect(found.total).toBe(1);
    await expectSorted({ provider, resource, sort });

    const { data: read } = await provider.getOne(resource, { id: created.id });
    // Items of one kind have a context of their own where they are created.
    expect(read).toEqual({ ...created, "@context": read["@context"] });
    const changes = typeof change === "function" ? change(read) : change;
    const params = { id: read.id, data: { ...read, ...changes }, previousData: read };
    const { data: changed } = await provider.update(resource, params);
    expect(changed).toMatchObject({ id: read.id, "@type": read["@type"], ...changes });
    const { data: again } = await provider.getOne(resource, { id: read.id });
    expect(again).toEqual(changed);
    // Unchanged fields keep their values, although they were sent.
    const { version: _, updatedAt: __, total: ___, ...unchanged } = read;
    for (const field of Object.keys(changes)) delete unchanged[field];
    expect(again).toMatchObject(unchanged);

    for (const { id } of [created, ...others.map(({ data }) => data)]) {
      await provider.delete(resource, { id });
      expect(await statusOf(provider.getOne(resource, { id }))).toBe(404);
    }
  });

test("the provider shows why a write is refused, by field", async ({ database: db, shop }) => {
  const { provider } = await adminProvider(db, shop.baseURL);
  const refusalOf = (call: Promise<unknown>) =>
    call.then(
      () => null,
      (error: HydraRefusal) => error,
    );
  const invalid = await refusalOf(
    provider.create("categories", { data: { name: "", color: "rouge" } }),
  );
  expect(invalid).toMatchObject({
    status: 422,
    message: "name: Ce champ est obligatoire.\ncolor: La couleur doit être de la forme #rrggbb.",
  });
  expect(await submissionErrors(invalid)).toEqual({
    name: "Ce champ est obligatoire.",
    color: "La couleur doit être de la forme #rrggbb.",
  });
  const used = await refusalOf(provider.delete("categories", { id: "/api/categories/1" }));
  expect(used?.status).toBe(409);
  expect(used?.message).toMatch(/^Cette catégorie est la catégorie par défaut de/);
});

test("the provider reads read-only and referring resources", async ({ database: db, shop }) => {
  const { provider } = await adminProvider(db, shop.baseURL);
  const user = await createUser({ db });
  const item = await createProduct({ db });
  const { order, lines } = await createOrder({ db, user, items: [{ product: item }] });
  const note = await createCreditNote({ db, orderId: order.id });
  const withdrawal = await createWithdrawal({ db, order, lines });
  for (const [resource, row] of [
    ["credit_notes", note],
    ["withdrawals", withdrawal],
  ] as const) {
    const { data } = await provider.getList(resource, list({}));
    expect(data.map(({ originId }) => originId)).toContain(String(row.id));
    const id = `/api/${resource}/${row.id}`;
    expect((await provider.getOne(resource, { id })).data.id).toBe(id);
    expect((await provider.getMany(resource, { ids: [id] })).data).toHaveLength(1);
  }
  const orders = await provider.getManyReference("admin_orders", {
    ...list({}),
    target: "user",
    id: `/api/users/${user.id}`,
  });
  expect(orders.data.map(({ originId }) => originId)).toEqual([String(order.id)]);
});

test("a product changes its kind under the same address", async ({ database: db, shop }) => {
  const { provider } = await adminProvider(db, shop.baseURL);
  const { data: lamp } = await provider.create("products", {
    data: {
      ...(await newProduct()()),
      productType: "physical",
      characteristics: { Poids: "2 kg" },
    },
  });
  const data = { ...lamp, productType: "digital", filesize: 900 };
  const { data: file } = await provider.update("products", {
    id: lamp.id,
    data,
    previousData: lamp,
  });
  expect(file).toMatchObject({
    "@type": "DigitalProduct",
    productType: "digital",
    filesize: 900,
    characteristics: null,
  });
  const renamed = { ...file, name: unique("Fichier") };
  const { data: same } = await provider.update("products", {
    id: lamp.id,
    data: renamed,
    previousData: file,
  });
  expect(same).toMatchObject({ name: renamed.name, "@type": "DigitalProduct", filesize: 900 });
});
