import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { cartItems, carts } from "@/db/schema/cart";
import { products } from "@/db/schema/catalogue";
import { issueToken } from "@/lib/auth/token";
import { expect, test } from "../fixtures";

interface Cart {
  id: number | null;
  items: {
    id: number;
    quantity: number;
    product: { id: number | null; name: string; image: string | null; price: number };
    available: boolean;
    previousPrice: number | null;
  }[];
  itemsCount: number;
  total: number;
}

const JSON_ONLY = "application/json";

/** A customer with an empty cart. */
async function createCustomer(db: Database) {
  const user = await createUser({ db });
  return { id: user.id, token: await issueToken({ user, type: "access" }) };
}

test("a cart from the first product to emptying it", async ({ api, database: db }) => {
  const { id: userId, token } = await createCustomer(db);
  const lamp = await createProduct({ db, name: "Lampe Aube", priceCents: 4290, image: "l.webp" });
  const guide = await createProduct({ db, type: "digital", priceCents: 115 });
  const read = async () => (await api.get<Cart>("/api/cart", { token, accept: JSON_ONLY })).json;
  const rows = () => db.select().from(carts).where(eq(carts.userId, userId));

  expect(await read()).toEqual({
    id: null,
    items: [],
    itemsCount: 0,
    total: 0,
    vatIncluded: true,
    shipping: null,
  });
  expect(await rows()).toHaveLength(0);

  const added = await api.post<{ id: number }>("/api/cart/add", {
    token,
    json: { productId: lamp.id, quantity: 2 },
  });
  expect(added.status).toBe(201);
  expect(added.json).toMatchObject({
    message: "Produit ajouté au panier avec succès",
    quantity: 2,
  });
  const byIri = await api.post("/api/cart/add", {
    token,
    json: { productId: `/api/products/${guide.id}` },
  });
  expect(byIri.json).toMatchObject({ quantity: 1 });
  const more = await api.post("/api/cart/add", {
    token,
    json: { productId: String(lamp.id), quantity: 3 },
  });
  expect(more.json).toMatchObject({ id: added.json.id, quantity: 5 });

  const [row] = await rows();
  const cart = await read();
  expect(cart).toMatchObject({ id: row?.id, itemsCount: 6, total: 215.65 });
  expect(cart.items[0]).toEqual({
    id: added.json.id,
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

  const changed = await api.put(`/api/cart/item/${added.json.id}`, {
    token,
    json: { quantity: 1 },
  });
  expect(changed.status).toBe(200);
  expect(changed.json).toEqual({
    message: "Quantité mise à jour avec succès",
    id: added.json.id,
    quantity: 1,
  });
  expect((await read()).total).toBe(44.05);

  const removed = await api.delete(`/api/cart/item/${added.json.id}`, { token });
  expect([removed.status, removed.text]).toEqual([204, ""]);
  expect((await read()).items.map(({ product }) => product.id)).toEqual([guide.id]);
  const again = await api.delete(`/api/cart/item/${added.json.id}`, { token });
  expect(again.status).toBe(404);

  for (let i = 0; i < 2; i++) expect((await api.delete("/api/cart", { token })).status).toBe(204);
  expect(await read()).toEqual({
    id: row?.id,
    items: [],
    itemsCount: 0,
    total: 0,
    vatIncluded: true,
    shipping: null,
  });
  expect(await rows()).toHaveLength(1);
});

test("concurrent additions make one cart and one line", async ({ api, database: db }) => {
  const { id: userId, token } = await createCustomer(db);
  const [lamp, chair] = [await createProduct({ db }), await createProduct({ db })];
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, i) =>
      api.post("/api/cart/add", {
        token,
        json: { productId: i % 2 ? lamp.id : chair.id, quantity: 2 },
      }),
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
  const { token } = await createCustomer(db);
  const lamp = await createProduct({ db });
  const add = (quantity: number) =>
    api.post<{ id: number; violations: unknown }>("/api/cart/add", {
      token,
      json: { productId: lamp.id, quantity },
    });
  const { id } = (await add(90)).json;
  const refused = await add(10);
  expect(refused.status).toBe(422);
  expect(refused.json.violations).toEqual([
    {
      propertyPath: "quantity",
      message:
        "La quantité ne peut pas dépasser 99 par produit, et votre panier en contient déjà 90.",
    },
  ]);
  const statuses = (await Promise.all(Array.from({ length: 12 }, () => add(1)))).map(
    ({ status }) => status,
  );
  expect(statuses.sort()).toEqual([...Array(9).fill(201), ...Array(3).fill(422)]);
  const tooHigh = await api.put(`/api/cart/item/${id}`, { token, json: { quantity: 100 } });
  expect(tooHigh.status).toBe(422);
  const { items } = (await api.get<Cart>("/api/cart", { token })).json;
  expect(items.map(({ quantity }) => quantity)).toEqual([99]);
});

test("a cart has at most 100 products, whose lines can grow", async ({ api, database: db }) => {
  const { id: userId, token } = await createCustomer(db);
  const first = await createProduct({ db });
  const others = [await createProduct({ db }), await createProduct({ db })];
  const [cart] = await db.insert(carts).values({ userId }).returning();
  const line = { cartId: cart?.id ?? 0, quantity: 1, addedName: "Parti", addedPriceCents: 100 };
  await db
    .insert(cartItems)
    .values([{ ...line, productId: first.id }, ...Array.from({ length: 98 }, () => line)]);
  const add = (productId: number) =>
    api.post<{ violations: unknown }>("/api/cart/add", { token, json: { productId, quantity: 1 } });
  const answers = await Promise.all(others.map(({ id }) => add(id)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
  expect(answers.find(({ status }) => status === 422)?.json.violations).toEqual([
    {
      propertyPath: "productId",
      message: "Votre panier contient déjà 100 produits différents, ce qui est le maximum.",
    },
  ]);
  expect((await add(first.id)).status).toBe(201);
});

test("invalid products and quantities have messages", async ({ api, database: db }) => {
  const { token } = await createCustomer(db);
  const { id } = await createProduct({ db });
  const add = (json: unknown) =>
    api.post<{ violations: { propertyPath: string; message: string }[] }>("/api/cart/add", {
      token,
      json,
    });
  const tooLow = "La quantité doit être d'au moins 1.";
  for (const [quantity, message] of [
    [-3, tooLow],
    [100, "La quantité ne peut pas dépasser 99 par produit."],
    [1.5, "Ce champ doit être un nombre entier."],
    ["2", "Ce champ doit être un nombre."],
    [null, "Ce champ est obligatoire."],
  ] as const) {
    const answer = await add({ productId: id, quantity });
    expect(answer.status, String(quantity)).toBe(422);
    expect(answer.json.violations[0]).toEqual({ propertyPath: "quantity", message });
  }
  for (const productId of [undefined, "lampe", "/api/users/1"])
    expect((await add({ productId, quantity: 1 })).status, String(productId)).toBe(422);
  const unknown = await api.post<{ error: string }>("/api/cart/add", {
    token,
    json: { productId: 2_147_483_647, quantity: 1 },
  });
  expect(unknown.status).toBe(404);
  expect(unknown.json.error).toBe("Ce produit n'existe pas ou n'est plus en vente.");
  const { items } = (await api.get<Cart>("/api/cart", { token })).json;
  expect(items).toEqual([]);
});

test("a deleted product and a changed price are shown as such", async ({ api, database: db }) => {
  const { token } = await createCustomer(db);
  const lamp = await createProduct({ db, name: "Lampe", priceCents: 1000, image: "lampe.webp" });
  const chair = await createProduct({ db, priceCents: 2000 });
  const add = (productId: number) =>
    api.post<{ id: number }>("/api/cart/add", { token, json: { productId, quantity: 2 } });
  const gone = (await add(lamp.id)).json.id;
  await add(chair.id);
  await db.delete(products).where(eq(products.id, lamp.id));
  await db.update(products).set({ priceCents: 2550 }).where(eq(products.id, chair.id));

  const cart = (await api.get<Cart>("/api/cart", { token })).json;
  expect(cart).toMatchObject({
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
  const change = await api.put<{ error: string }>(`/api/cart/item/${gone}`, {
    token,
    json: { quantity: 3 },
  });
  expect(change.status).toBe(409);
  expect(change.json.error).toBe("Ce produit n'est plus disponible.");
  expect((await add(lamp.id)).status).toBe(404);
  // Adding more of a product accepts its new price.
  await add(chair.id);
  const { items } = (await api.get<Cart>("/api/cart", { token })).json;
  expect(items[1]).toMatchObject({ quantity: 4, previousPrice: null });
  expect((await api.delete(`/api/cart/item/${gone}`, { token })).status).toBe(204);
});

test("nobody can access another's cart", async ({ api, database: db }) => {
  const owner = await createCustomer(db);
  const { token } = await createCustomer(db);
  const { id: productId } = await createProduct({ db });
  const { id } = (
    await api.post<{ id: number }>("/api/cart/add", {
      token: owner.token,
      json: { productId, quantity: 2 },
    })
  ).json;
  const itemPath = `/api/cart/item/${id}`;
  expect((await api.put(itemPath, { token, json: { quantity: 9 } })).status).toBe(404);
  expect((await api.delete(itemPath, { token })).status).toBe(404);
  await api.delete("/api/cart", { token });
  expect((await api.get<Cart>("/api/cart", { token })).json.items).toEqual([]);
  const [line] = await db.select().from(cartItems).where(eq(cartItems.id, id));
  expect(line?.quantity).toBe(2);
});
