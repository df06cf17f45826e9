import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { tokenOf } from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

interface Cart {
  id: number | null;
  items: { id: number; quantity: number; product: { id: number | null } }[];
  total: number;
}

interface Added {
  id: number;
  error: string;
  violations: { propertyPath: string; message: string }[];
}

/** A customer with an empty cart, and their calls. */
async function createCustomer(api: Api, db: Database) {
  const user = await createUser({ db });
  const token = await tokenOf(user);
  const accept = "application/json";
  return {
    userId: user.id,
    read: async () => (await api.get<Cart>("/api/cart", { token, accept })).json,
    add: (json: object) => api.post<Added>("/api/cart/add", { token, json }),
    change: (id: number, quantity: number) =>
      api.put<{ error: string }>(`/api/cart/item/${id}`, { token, json: { quantity } }),
    remove: (id: number) => api.delete(`/api/cart/item/${id}`, { token }),
    token,
  };
}

test("a cart from the first product to emptying it", async ({ api, database: db }) => {
  const { userId, token, read, add, change, remove } = await createCustomer(api, db);
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, image: "l.webp" });
  const guide = await createProduct({ db, type: "digital", priceCents: 115 });
  const rows = () => db.select().from(carts).where(eq(carts.userId, userId));
  const empty = { id: null, items: [], itemsCount: 0, total: 0, vatIncluded: true, shipping: null };
  expect(await read()).toEqual(empty);
  expect(await rows()).toEqual([]);

  const added = await add({ productId: lamp.id, quantity: 2 });
  const { id } = added.json;
  expect([added.status, added.json]).toMatchObject([
    201,
    { message: "Produit ajouté au panier avec succès", quantity: 2 },
  ]);
  const byIri = await add({ productId: `/api/products/${guide.id}` });
  expect(byIri.json).toMatchObject({ quantity: 1 });
  const more = await add({ productId: String(lamp.id), quantity: 3 });
  expect(more.json).toMatchObject({ id, quantity: 5 });

  const [row] = await rows();
  const cart = await read();
  expect(cart).toMatchObject({ id: row?.id, itemsCount: 6, total: 215.65 });
  expect(cart.items[0]).toEqual({
    id,
    quantity: 5,
    product: {
      id: lamp.id,
      productType: "physical",
      name: "Lampe Aube",
      image: "l.webp",
      price: 42.9,
    },
    available: true,
    left: null,
    previousPrice: null,
  });
  const linked = await api.get("/api/cart", { token });
  expect(linked.headers["content-type"]).toContain("application/ld+json");
  expect(linked.headers["cache-control"]).toBe("private, no-store");
  expect(linked.json).toMatchObject({
    "@context": "/api/contexts/MyCart",
    "@type": "MyCart",
    items: [
      { "@type": "MyCartItem", product: { "@type": "PhysicalProduct", id: lamp.id } },
      { "@type": "MyCartItem", product: { "@type": "DigitalProduct", id: guide.id } },
    ],
  });

  const changed = await change(id, 1);
  const message = "Quantité mise à jour avec succès";
  expect([changed.status, changed.json]).toEqual([200, { message, id, quantity: 1 }]);
  expect((await read()).total).toBe(44.05);
  const removed = await remove(id);
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await read()).items.map(({ product }) => product.id)).toEqual([guide.id]);
  expect((await remove(id)).status).toBe(404);
  for (let i = 0; i < 2; i++) expect((await api.delete("/api/cart", { token })).status).toBe(204);
  expect(await read()).toEqual({ ...empty, id: row?.id });
  expect(await rows()).toHaveLength(1);
});

test("concurrent additions make one cart and one line", async ({ api, database: db }) => {
  const { userId, add } = await createCustomer(api, db);
  const [lamp, chair] = [await createProduct({ db }), await createProduct({ db })];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      add({ productId: i % 2 ? lamp.id : chair.id, quantity: 2 }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(201));
  const lines = await db
    .select({ productId: cartItems.productId, quantity: cartItems.quantity })
    .from(cartItems)
    .innerJoin(carts, eq(carts.id, cartItems.cartId))
    .where(eq(carts.userId, userId))
    .orderBy(cartItems.productId);
  expect(lines).toEqual([
    { productId: lamp.id, quantity: 40 },
    { productId: chair.id, quantity: 40 },
  ]);
});

test("a line has at most 99 pieces, also by sums", async ({ api, database: db }) => {
  const { read, add, change } = await createCustomer(api, db);
  const { id: productId } = await createProduct({ db });
  const { id } = (await add({ productId, quantity: 90 })).json;
  const refused = await add({ productId, quantity: 10 });
  const message =
    "La quantité ne peut pas dépasser 99 par produit, et votre panier en contient déjà 90.";
  expect(refused.status).toBe(422);
  expect(refused.json.violations).toEqual([{ propertyPath: "quantity", message }]);
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => add({ productId, quantity: 1 })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(9).fill(201), ...Array(3).fill(422)]);
  expect((await change(id, 100)).status).toBe(422);
  expect((await read()).items).toMatchObject([{ quantity: 99 }]);
});

test("a cart has at most 100 products, whose lines can grow", async ({ api, database: db }) => {
  const { userId, add } = await createCustomer(api, db);
  const first = await createProduct({ db });
  const others = [await createProduct({ db }), await createProduct({ db })];
  const [cart] = await db.insert(carts).values({ userId }).returning();
  const line = { cartId: cart?.id ?? 0, quantity: 1, addedName: "Parti", addedPriceCents: 100 };
  await db
    .insert(cartItems)
    .values([{ ...line, productId: first.id }, ...Array.from({ length: 98 }, () => line)]);
  const answers = await Promise.all(others.map(({ id }) => add({ productId: id })));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  const message = "Votre panier contient déjà 100 produits différents, ce qui est le maximum.";
  expect(answers.find(({ status }) => status === 422)?.json.violations).toEqual([
    { propertyPath: "productId", message },
  ]);
  expect((await add({ productId: first.id })).status).toBe(201);
});

test("invalid products and quantities have messages", async ({ api, database: db }) => {
  const { read, add } = await createCustomer(api, db);
  const { id: productId } = await createProduct({ db });
  for (const [quantity, message] of [
    [-3, "La quantité doit être d'au moins 1."],
    [100, "La quantité ne peut pas dépasser 99 par produit."],
    [1.5, "Ce champ doit être un nombre entier."],
    ["2", "Ce champ doit être un nombre."],
    [null, "Ce champ est obligatoire."],
  ] as const) {
    const { status, json } = await add({ productId, quantity });
    expect(status, String(quantity)).toBe(422);
    expect(json.violations[0]).toEqual({ propertyPath: "quantity", message });
  }
  for (const wrong of [undefined, "lampe", "/api/users/1"])
    expect((await add({ productId: wrong })).status, wrong).toBe(422);
  const unknown = await add({ productId: 2_147_483_647 });
  expect([unknown.status, unknown.json.error]).toEqual([
    404,
    "Ce produit n'existe pas ou n'est plus en vente.",
  ]);
  expect((await read()).items).toEqual([]);
});

test("a deleted product and a changed price are shown as such", async ({ api, database: db }) => {
  const { read, add, change, remove } = await createCustomer(api, db);
  const lamp = await createProduct({ db, name: "Lampe", priceCents: 1000, image: "lampe.webp" });
  const chair = await createProduct({ db, priceCents: 2000 });
  const gone = (await add({ productId: lamp.id, quantity: 2 })).json.id;
  await add({ productId: chair.id, quantity: 2 });
  await db.delete(products).where(eq(products.id, lamp.id));
  await db.update(products).set({ priceCents: 2550 }).where(eq(products.id, chair.id));

  expect(await read()).toMatchObject({
    itemsCount: 2,
    total: 51,
    items: [
      {
        id: gone,
        quantity: 2,
        product: { id: null, name: "Lampe", image: "lampe.webp", price: 10 },
        available: false,
        previousPrice: null,
      },
      { product: { id: chair.id, price: 25.5 }, available: true, previousPrice: 20 },
    ],
  });
  const { status, json } = await change(gone, 3);
  expect([status, json.error]).toEqual([409, "Ce produit n'est plus disponible."]);
  expect((await add({ productId: lamp.id })).status).toBe(404);
  // Adding more of a product accepts its new price.
  await add({ productId: chair.id, quantity: 2 });
  expect((await read()).items[1]).toMatchObject({ quantity: 4, previousPrice: null });
  expect((await remove(gone)).status).toBe(204);
});

test("nobody can access another's cart", async ({ api, database: db }) => {
  const owner = await createCustomer(api, db);
  const other = await createCustomer(api, db);
  const { id: productId } = await createProduct({ db });
  const { id } = (await owner.add({ productId, quantity: 2 })).json;
  expect((await other.change(id, 9)).status).toBe(404);
  expect((await other.remove(id)).status).toBe(404);
  await api.delete("/api/cart", { token: other.token });
  expect((await other.read()).items).toEqual([]);
  expect((await owner.read()).items).toMatchObject([{ id, quantity: 2 }]);
});
