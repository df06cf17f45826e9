import { eq, or } from "drizzle-orm";
import { createCategory, createProduct, createTag } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { boughtTogether } from "@/db/schema/related";
import { tokenOf } from "../accounts";
import { expect, test } from "../fixtures";

interface Related {
  similar: { id: number; name: string; availability: string }[];
  boughtTogether: { id: number }[];
}

const ids = (list: readonly { id: number }[]) => list.map(({ id }) => id);

test("similar products share a category, the nearest first", async ({ api, arrange }) => {
  const made = await arrange(async (db) => {
    const { id: defaultCategoryId } = await createCategory({ db });
    const tagIds = [(await createTag({ db })).id];
    const product = { db, defaultCategoryId };
    return {
      subject: await createProduct({ ...product, tagIds }),
      gone: await createProduct({ ...product, tagIds, stock: 0, salesCount: 900 }),
      sold: await createProduct({ ...product, salesCount: 50 }),
      tagged: await createProduct({ ...product, tagIds, salesCount: 1 }),
      slow: await createProduct({ ...product, salesCount: 2 }),
      draft: await createProduct({ ...product, tagIds, salesCount: 999, status: "draft" }),
      elsewhere: await createProduct({ db, tagIds, salesCount: 999 }),
    };
  });
  const { status, json } = await api.get<Related>(`/api/products/${made.subject.id}/related`);
  expect(status).toBe(200);
  expect(ids(json.similar)).toEqual(ids([made.tagged, made.sold, made.slow, made.gone]));
  expect(json.similar[0]).toMatchObject({ "@type": "PhysicalProduct", name: made.tagged.name });
  expect(json.similar[0]).not.toHaveProperty("downloadLink");
  expect(json.boughtTogether).toEqual([]);
  for (const id of ["999999", "0", "abc"])
    expect((await api.get(`/api/products/${id}/related`)).status, id).toBe(404);
});

test("products of several orders are bought together", async ({ api, database: db, shopEnv }) => {
  const user = await createUser({ db });
  const { id: defaultCategoryId } = await createCategory({ db });
  const create = () => createProduct({ db, defaultCategoryId });
  const [pot, lid, spoon, once] = [await create(), await create(), await create(), await create()];
  const order = (items: (typeof pot)[]) =>
    createOrder({ db, user, items: items.map((product) => ({ product })) });
  await order([pot, lid, once]);
  await order([pot, lid, spoon]);
  await order([pot, lid]);
  await order([pot, spoon]);
  const update = () => api.post("/api/cron/products", { token: shopEnv.CRON_SECRET });
  // The first run also reads the orders of the demonstration.
  const related = async () => (await api.get<Related>(`/api/products/${pot.id}/related`)).json;
  await expect(async () => {
    await update();
    expect(ids((await related()).boughtTogether)).toEqual([lid.id, spoon.id]);
  }).toPass();
  expect(ids((await related()).similar)).toEqual([once.id]);

  // Runs at the same time change nothing twice.
  await order([pot, once]);
  await Promise.all([update(), update(), update()]);
  await expect(async () => {
    await update();
    expect(ids((await related()).boughtTogether).toSorted()).toEqual(
      ids([lid, spoon, once]).toSorted(),
    );
  }).toPass();
  const rows = await db.select().from(boughtTogether).where(eq(boughtTogether.productId, pot.id));
  expect(new Map(rows.map((row) => [row.otherId, row.orders]))).toEqual(
    new Map([
      [lid.id, 3],
      [spoon.id, 2],
      [once.id, 2],
    ]),
  );

  await db.delete(products).where(eq(products.id, lid.id));
  const left = await db.$count(
    boughtTogether,
    or(eq(boughtTogether.productId, pot.id), eq(boughtTogether.otherId, lid.id)),
  );
  expect(left).toBe(2);
});

test("a product's page shows its related ones, and their changes", async ({ api, arrange }) => {
  const { subject, other, admin } = await arrange(async (db) => {
    const subject = await createProduct({ db });
    const { defaultCategoryId } = subject;
    const name = "Cruche à côté";
    return {
      subject,
      other: await createProduct({ db, defaultCategoryId, name }),
      admin: await createAdmin({ db }),
    };
  });
  const page = async () => (await api.get(`/product/${subject.id}`, { accept: "text/html" })).text;
  expect(await page()).toContain("Dans le même rayon");
  expect(await page()).toContain("Cruche à côté");
  const token = await tokenOf(admin);
  const renamed = await api.put(`/api/products/${other.id}`, {
    token,
    json: { name: "Cruche renommée" },
  });
  expect(renamed.status).toBe(200);
  expect(await page()).toContain("Cruche renommée");
  expect((await api.delete(`/api/products/${other.id}`, { token })).status).toBe(204);
  expect(await page()).not.toContain("Cruche renommée");
});
