import type { Database } from "@/db";
import { createCategory, createProduct, createReview, createTag } from "@/db/factories/catalogue";
import { createCreditNote } from "@/db/factories/invoices";
import {
  createCart,
  createOrder,
  createShippingMethod,
  createWithdrawal,
} from "@/db/factories/orders";
import { createAddress, createUser } from "@/db/factories/people";
import { newAdmin, ORDER_ADDRESSES } from "../admin";
import { expect, test } from "../fixtures";
import {
  createHydraProvider,
  type HydraRefusal,
  type Item,
  submissionErrors,
} from "../services/hydra-provider";

// The calls of react-admin through API Platform's own data provider. The provider reads the
// documentation, and sends whole items back to their `@id` as it has read them.

interface Case {
  make: (db: Database) => Promise<{ id: number }>;
  /** The fields to change. */
  change: Record<string, unknown> | ((item: Item) => Record<string, unknown>);
}

const CASES: Record<string, Case> = {
  products: { make: (db) => createProduct({ db }), change: { price: 39.9 } },
  physical_products: { make: (db) => createProduct({ db }), change: { price: 39.9 } },
  digital_products: {
    make: (db) => createProduct({ db, type: "digital" }),
    change: { price: 39.9 },
  },
  categories: { make: (db) => createCategory({ db }), change: { color: "#405060" } },
  tags: { make: (db) => createTag({ db }), change: { color: "#405060" } },
  users: { make: (db) => createUser({ db }), change: { name: "Petit" } },
  addresses: {
    make: async (db) => createAddress({ db, userId: (await createUser({ db })).id }),
    change: { city: "Rezé" },
  },
  carts: {
    make: async (db) => {
      const { id: userId } = await createUser({ db });
      const { id: productId } = await createProduct({ db });
      return (await createCart({ db, userId, items: [{ productId, quantity: 2 }] })).cart;
    },
    change: ({ items }) => ({ items: (items as Item[]).map((item) => ({ ...item, quantity: 3 })) }),
  },
  shipping_methods: {
    make: (db) => createShippingMethod({ db, isActive: false }),
    change: { price: 5.9 },
  },
  reviews: {
    make: async (db) => {
      const { id: userId } = await createUser({ db });
      const { id: productId } = await createProduct({ db });
      return createReview({ db, userId, productId, status: "PENDING" });
    },
    change: { status: "VALIDATED", rating: 5 },
  },
};

const ADDRESS = { street: "3 quai des Brumes", city: "Nantes", postalCode: "44000" };

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
  expect(data.resources.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...Object.keys(CASES), "admin_orders"]),
  );
  return provider;
};

/** The refusal of a call; null if it succeeds. */
const refusalOf = (call: Promise<unknown>): Promise<HydraRefusal | null> =>
  call.then(
    () => null,
    (error: HydraRefusal) => error,
  );

for (const [resource, { make, change }] of Object.entries(CASES))
  test(`the provider lists, reads and changes ${resource}`, async ({ database: db, shop }) => {
    const provider = await adminProvider(db, shop.baseURL);
    const id = `/api/${resource}/${(await make(db)).id}`;
    const newest = await provider.getList(resource, list({ perPage: 1 }));
    expect(newest.data[0]?.originId).toBe(id.split("/").at(-1));

    const { data: read } = await provider.getOne(resource, { id });
    const changes = typeof change === "function" ? change(read) : change;
    const params = { id: read.id, data: { ...read, ...changes }, previousData: read };
    const { data: changed } = await provider.update(resource, params);
    expect(changed).toMatchObject({ id: read.id, "@type": read["@type"], ...changes });
    const { data: again } = await provider.getOne(resource, { id: read.id });
    expect(again).toEqual(changed);
    // Unchanged fields keep their values, although they were sent.
    const unchanged = { ...read };
    for (const field of ["@context", "version", "updatedAt", "total", ...Object.keys(changes)])
      delete unchanged[field];
    expect(again).toMatchObject(unchanged);
  });

const newOrder = async (db: Database) => ({
  user: `/api/users/${(await createUser({ db })).id}`,
  orderItems: [{ product: `/api/products/${(await createProduct({ db })).id}`, quantity: 1 }],
  total: 12.5,
  ...ORDER_ADDRESSES,
  invoice_pdf_path: "facture.pdf",
});

test("the provider creates an order, changes it as it was answered, and deletes it", async ({
  database: db,
  shop,
}) => {
  const provider = await adminProvider(db, shop.baseURL);
  const { data: created } = await provider.create("admin_orders", { data: await newOrder(db) });
  expect(created.id, "an IRI").toMatch(/^\/api\/admin_orders\/\d+$/);
  expect((await provider.getOne("admin_orders", { id: created.id })).data).toEqual(created);
  const params = { id: created.id, data: { ...created, total: 14 }, previousData: created };
  expect((await provider.update("admin_orders", params)).data).toMatchObject({ total: 14 });
  await provider.delete("admin_orders", { id: created.id });
  const deleted = await refusalOf(provider.getOne("admin_orders", { id: created.id }));
  expect(deleted?.status).toBe(404);
});

test("the provider pages, sorts and filters, by text and by the IRI of an owner", async ({
  database: db,
  shop,
}) => {
  const provider = await adminProvider(db, shop.baseURL);
  const user = `/api/users/${(await createUser({ db })).id}`;
  const cities = ["Arles", "Brest", "Calais"];
  for (const city of cities)
    await provider.create("addresses", { data: { ...ADDRESS, city, user } });
  const citiesIn = async (options: Parameters<typeof list>[0]) => {
    const found = await provider.getList("addresses", list({ filter: { user }, ...options }));
    expect(found.total).toBe(cities.length);
    return found.data.map(({ city }) => city);
  };
  expect(await citiesIn({ sort: "city", order: "ASC", perPage: 9 })).toEqual(cities);
  expect(await citiesIn({ sort: "city", order: "DESC" })).toEqual(["Calais", "Brest"]);
  expect(await citiesIn({ sort: "city", order: "DESC", page: 2 })).toEqual(["Arles"]);
  const tag = await createTag({ db });
  const found = await provider.getList("tags", list({ filter: { search: tag.name } }));
  expect(found.data.map(({ originId }) => originId)).toEqual([String(tag.id)]);
});

test("the provider shows why a write is refused, by field", async ({ database: db, shop }) => {
  const provider = await adminProvider(db, shop.baseURL);
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
  expect(await refusalOf(provider.delete("categories", { id: "/api/categories/1" }))).toMatchObject(
    {
      status: 409,
      message: expect.stringMatching(/^Cette catégorie est la catégorie par défaut de/),
    },
  );
});

test("the provider reads read-only and referring resources", async ({ database: db, shop }) => {
  const provider = await adminProvider(db, shop.baseURL);
  const user = await createUser({ db });
  const item = await createProduct({ db });
  const { order, lines } = await createOrder({ db, user, items: [{ product: item }] });
  for (const [resource, row] of [
    ["credit_notes", await createCreditNote({ db, orderId: order.id })],
    ["withdrawals", await createWithdrawal({ db, order, lines })],
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
  const provider = await adminProvider(db, shop.baseURL);
  const update = async (previousData: Item, changes: object) => {
    const data = { ...previousData, ...changes };
    return (await provider.update("products", { id: previousData.id, data, previousData })).data;
  };
  const { data: lamp } = await provider.create("products", {
    data: {
      name: "Lampe",
      price: 42.9,
      description: "Une lampe orientable.",
      defaultCategory: "/api/categories/1",
      tags: ["/api/tags/1"],
      productType: "physical",
      characteristics: { Poids: "2 kg" },
    },
  });
  const file = await update(lamp, { productType: "digital", filesize: 900 });
  const digital = { "@type": "DigitalProduct", productType: "digital", filesize: 900 };
  expect(file).toMatchObject({ ...digital, characteristics: null });
  expect(await update(file, { name: "Guide" })).toMatchObject({ ...digital, name: "Guide" });
});
