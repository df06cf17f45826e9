import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createCategory, createProduct, createReview } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { type Refusal, tokenOf } from "../accounts";
import { newAdmin } from "../admin";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

interface Review {
  id: number;
  content: string;
  datePublication: string;
}

interface ReviewList {
  "hydra:totalItems": number;
  "hydra:member": Review[];
  "hydra:search": { "hydra:template": string; "hydra:mapping": object[] };
}

const NOT_BOUGHT = "Vous devez acheter ce produit avant de pouvoir laisser un avis.";
const SECOND = "Vous avez déjà laissé un avis sur ce produit.";
const TOO_SHORT = "Veuillez saisir un commentaire d'au moins 10 caractères";
const NO_RATING = "Veuillez attribuer une note";

const words = { content: "Un très bel objet, vraiment.", rating: 4 };

async function customer(db: Database, names: { firstName?: string; lastName?: string } = {}) {
  const user = await createUser({ db, ...names });
  return { ...user, token: await tokenOf(user) };
}

/** A product, and a customer who bought it on 3 February 2026. */
async function purchase(db: Database) {
  const product = await createProduct({ db });
  const buyer = await customer(db, { firstName: "Élodie", lastName: "Durand" });
  const orderedAt = new Date("2026-02-03T09:00:00Z");
  await createOrder({ db, user: buyer, items: [{ product }], orderedAt });
  return { product, buyer };
}

/** A validated review, of a new customer by default. */
async function addReview({
  db,
  productId,
  ...values
}: { db: Database; productId: number } & Partial<typeof reviews.$inferInsert>) {
  const userId = values.userId ?? (await createUser({ db })).id;
  return createReview({ db, productId, ...values, userId });
}

const storedOf = (db: Database, productId: number) =>
  db.select().from(reviews).where(eq(reviews.productId, productId));

const storedRating = async (db: Database, productId: number) => {
  const [row] = await db
    .select({ count: products.ratingCount, sum: products.ratingSum })
    .from(products)
    .where(eq(products.id, productId));
  return row;
};

const idsOf = (list: ReviewList) => list["hydra:member"].map(({ id }) => id);

async function listReviews({ api, query, token }: { api: Api; query: string; token?: string }) {
  const answer = await api.get<ReviewList>(`/api/reviews?${query}`, token ? { token } : {});
  expect(answer.status, answer.text).toBe(200);
  return answer.json;
}

/** Calls `POST /api/reviews_create`. */
const write = (api: Api, token: string, json: unknown) =>
  api.post<Review & Refusal>("/api/reviews_create", { token, json });

test("a buyer writes a review, which is pending moderation", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const content = "<script>alert(1)</script> 'x'; DROP TABLE\n\nنص عربي 日本語 👩‍👩‍👧‍👦 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤";
  const created = await write(api, buyer.token, {
    content: `  ${content}\u0007 \n`,
    rating: 4,
    product: `/api/products/${product.id}`,
  });
  expect(created.status).toBe(201);
  const { id } = created.json;
  expect(created.headers.location).toBe(`/api/reviews/${id}`);
  expect(created.json).toEqual({
    "@context": "/api/contexts/Review",
    "@id": `/api/reviews/${id}`,
    "@type": "Review",
    id,
    content,
    rating: 4,
    status: "PENDING",
    datePublication: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/),
    datePurchase: "2026-02-03T09:00:00+00:00",
    rejectionReason: null,
    product: `/api/products/${product.id}`,
    user: { id: buyer.id, name: "Durand", lastname: "Élodie" },
  });

  const query = `product=${product.id}`;
  const own = await listReviews({ api, query, token: buyer.token });
  expect(own).toMatchObject({
    "hydra:totalItems": 1,
    "hydra:member": [{ id, status: "PENDING" }],
  });
  // Neither another customer nor an administrator sees the pending review in the shop.
  for (const token of [undefined, (await customer(db)).token, (await newAdmin(db)).token])
    expect(idsOf(await listReviews({ api, query, ...(token && { token }) }))).toEqual([]);
  expect(await storedRating(db, product.id)).toEqual({ count: 0, sum: 0 });
});

test("only one's own purchase of the product allows one review", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const stranger = await customer(db);
  await createOrder({ db, user: stranger, items: [{ product: await createProduct({ db }) }] });
  const check = (id: unknown, { token } = buyer) => api.get(`/api/check-purchase/${id}`, { token });
  expect((await check(product.id)).json).toEqual({ hasPurchased: true });
  expect((await check(product.id, stranger)).json).toEqual({ hasPurchased: false });
  expect((await check(2_000_000_000)).json).toEqual({ hasPurchased: false });
  expect((await check("abc")).status).toBe(404);

  const json = { ...words, product: product.id };
  const refused = await write(api, stranger.token, json);
  expect(refused.status).toBe(403);
  expect(refused.json).toMatchObject({ error: NOT_BOUGHT, description: NOT_BOUGHT });
  expect((await write(api, buyer.token, json)).status).toBe(201);
  const second = await write(api, buyer.token, json);
  expect([second.status, second.json.error]).toEqual([409, SECOND]);
  const unknown = await write(api, buyer.token, { ...words, product: 2_000_000_000 });
  expect(unknown.status).toBe(404);
});

test("wrong fields have their messages, and change nothing", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const violationsOf = async (json: unknown) => {
    const answer = await write(api, buyer.token, json);
    expect(answer.status, answer.text).toBe(422);
    return answer.json.violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`);
  };
  expect(await violationsOf({})).toEqual([
    `content: ${TOO_SHORT}`,
    `rating: ${NO_RATING}`,
    "product: Ce champ est obligatoire.",
  ]);
  const tooLong = "content: Ce champ doit contenir au plus 5000 caractères.";
  const noProduct =
    "product: Cette valeur doit être un identifiant ou une adresse /api/products/{id}.";
  for (const [fields, violation] of [
    [{ content: "123456789 " }, `content: ${TOO_SHORT}`],
    [{ content: null }, `content: ${TOO_SHORT}`],
    [{ content: "a".repeat(5001) }, tooLong],
    ...[0, 6, 4.5, "beaucoup", null].map((rating) => [{ rating }, `rating: ${NO_RATING}`] as const),
    [{ product: "/api/tags/1" }, noProduct],
  ] as const)
    expect(await violationsOf({ ...words, product: product.id, ...fields })).toEqual([violation]);
  expect(await storedOf(db, product.id)).toEqual([]);
});

test("of one buyer's concurrent reviews one is stored", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const json = { ...words, product: { "@id": `/api/products/${product.id}` } };
  const answers = await Promise.all(Array.from({ length: 8 }, () => write(api, buyer.token, json)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  for (const { status, json } of answers) if (status === 409) expect(json.error).toBe(SECOND);
  expect(await storedOf(db, product.id)).toHaveLength(1);
});

test("edits and deletions leave the rating exact", async ({ api, database: db }) => {
  const { id: productId } = await createProduct({ db });
  await addReview({ db, productId, rating: 5 });
  const calls: (() => Promise<{ status: number }>)[] = [];
  for (let rating = 1; rating <= 4; rating++) {
    const { id: userId, token } = await customer(db);
    const { id } = await addReview({ db, productId, userId, rating });
    const edit = () => api.put(`/api/reviews_edit/${id}`, { token, json: { rating: 1 } });
    const remove = () => api.delete(`/api/reviews/${id}`, { token });
    calls.push(...(rating <= 2 ? [edit, edit] : [edit, remove, remove]));
  }
  const answers = await Promise.all(calls.map((call) => call()));
  for (const { status } of answers) expect([200, 204, 404]).toContain(status);
  expect(await storedRating(db, productId)).toEqual({ count: 1, sum: 5 });
});

test("a review goes with its product, as a whole", async ({ api, database: db }) => {
  for (let round = 0; round < 5; round++) {
    const { id: productId } = await createProduct({ db });
    const { id: userId, token } = await customer(db);
    const { id } = await addReview({ db, productId, userId });
    const [edited] = await Promise.all([
      api.put(`/api/reviews_edit/${id}`, { token, json: { rating: 2 } }),
      db.delete(products).where(eq(products.id, productId)),
    ]);
    expect([200, 404]).toContain(edited.status);
    expect(await storedOf(db, productId)).toEqual([]);
  }
});

test("an edit merges, and is pending again", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const review = await addReview({
    db,
    productId: product.id,
    userId: buyer.id,
    rating: 2,
    status: "REJECTED",
    rejectionReason: "Il parle d'un autre produit.",
    publishedAt: new Date("2026-03-01T00:00:00Z"),
  });
  const put = (json: object) =>
    api.put<Review & Refusal>(`/api/reviews_edit/${review.id}`, { token: buyer.token, json });
  const edited = await put({ rating: 3 });
  expect(edited.status).toBe(200);
  expect(edited.json).toMatchObject({
    id: review.id,
    content: review.content,
    rating: 3,
    status: "PENDING",
    rejectionReason: null,
  });
  expect(Date.parse(edited.json.datePublication)).toBeGreaterThan(Date.parse("2026-03-01"));
  const content = "En fin de compte, plutôt bien.";
  const again = await put({ content, product: 1 });
  expect(again.json).toMatchObject({ content, rating: 3, product: `/api/products/${product.id}` });
  for (const [json, message] of [
    [{ content: "Court" }, `content: ${TOO_SHORT}`],
    [{ rating: 9 }, `rating: ${NO_RATING}`],
  ] as const) {
    const refused = await put(json);
    expect([refused.status, refused.json.error]).toEqual([422, message]);
  }
});

test("a hidden review does not exist for other customers", async ({ api, database: db }) => {
  const { id: productId } = await createProduct({ db });
  const { token } = await customer(db);
  const admin = await newAdmin(db);
  const json = { rating: 1 };
  for (const values of [
    { status: "PENDING", rejectionReason: null },
    { status: "REJECTED", rejectionReason: "Injurieux" },
  ] as const) {
    const { id } = await addReview({ db, productId, ...values });
    const [read, edit, other] = [`/api/reviews/${id}`, `/api/reviews_edit/${id}`, { token }];
    expect((await api.get(read)).status).toBe(404);
    expect((await api.get(read, other)).status).toBe(404);
    expect((await api.put(edit, { token, json })).status).toBe(404);
    expect((await api.delete(read, other)).status).toBe(404);
    const shown = { ...values, user: { name: "Martin" } };
    expect((await api.get(read, { token: admin.token })).json).toMatchObject(shown);
    expect((await api.delete(read, { token: admin.token })).status).toBe(204);
  }
});

test("a missing and an invalid token have their sentences", async ({ api }) => {
  for (const [token, sentence] of [
    [undefined, "Jeton d'authentification manquant. Veuillez vous connecter."],
    ["ancien", "Votre session a expiré. Veuillez vous reconnecter."],
  ] as const)
    expect((await api.get<Refusal>("/api/reviews", { token })).json.error).toBe(sentence);
});

test("validated reviews are read without the family name", async ({ api, database: db }) => {
  const product = await createProduct({ db });
  const author = await customer(db, { firstName: "Camille", lastName: "de Secret" });
  await addReview({ db, productId: product.id, userId: author.id, rejectionReason: "Vieux" });
  const answer = await api.get<ReviewList>(`/api/reviews?product=/api/products/${product.id}`);
  expect(answer.json["hydra:member"][0]).toMatchObject({
    "@type": "Review",
    status: "VALIDATED",
    rejectionReason: null,
    user: { id: author.id, name: "D.", lastname: "Camille" },
  });
  expect(answer.text).not.toContain("Secret");
  const own = { query: `product=${product.id}`, token: author.token };
  expect(await listReviews({ api, ...own })).toMatchObject({
    "hydra:member": [{ user: { name: "de Secret" } }],
  });
});

test("a product's list can be sorted and filtered", async ({ api, database: db }) => {
  const product = await createProduct({ db });
  const author = await createUser({ db });
  const ids: number[] = [];
  for (const [i, rating] of [5, 1, 3, 5, 2].entries()) {
    const review = await addReview({
      db,
      productId: product.id,
      rating,
      content: `Le numéro ${i} est à l'été.`,
      publishedAt: new Date(Date.UTC(2026, 0, i + 1)),
      ...(i === 2 && { userId: author.id }),
    });
    ids.push(review.id);
  }
  const [a, b, c, d, e] = ids;
  const query = (more: string) => listReviews({ api, query: `product=${product.id}${more}` });
  expect(idsOf(await query(""))).toEqual([e, d, c, b, a]);
  expect(idsOf(await query("&order[rating]=desc"))).toEqual([d, a, c, e, b]);
  expect(idsOf(await query("&order[rating]=asc"))).toEqual([b, e, c, d, a]);
  expect(idsOf(await query(`&user=${author.id}`))).toEqual([c]);
  expect(idsOf(await query("&status=PENDING"))).toEqual([]);
  expect(idsOf(await query("&search=NUMERO%203"))).toEqual([d]);
  for (const wrong of ["product=abc", "product=1&status=oui", "product=1&order[rating]=up"])
    expect((await api.get(`/api/reviews?${wrong}`)).status, wrong).toBe(400);
  expect(idsOf(await listReviews({ api, query: "product=2000000000" }))).toEqual([]);

  const { token } = await newAdmin(db);
  for (const list of [await query(""), await listReviews({ api, query: "", token })]) {
    const { "hydra:template": template, "hydra:mapping": mapping } = list["hydra:search"];
    expect(template).toMatch(/^\/api\/reviews\{\?.*\bproduct\b/);
    expect(mapping).toContainEqual({
      "@type": "IriTemplateMapping",
      variable: "product",
      property: "product",
      required: false,
    });
  }
});

/** The average as each place shows it; null if it shows none. */
async function shownAverages(api: Api, { id, defaultCategoryId }: typeof products.$inferSelect) {
  const inCategory = `products?category=${defaultCategoryId}`;
  const page = (await api.get(`/product/${id}`)).text;
  const list = (await api.get(`/${inCategory}`)).text;
  type Rated = { avgRating: number | null; reviewsCount: number };
  const { json } = await api.get<Rated>(`/api/products/${id}`);
  const collection = await api.get<{ "hydra:member": Rated[] }>(`/api/${inCategory}`);
  const average = (html: string, from: string) =>
    /([\d,]+) ?(?:<!-- -->)? ?\/ 5/.exec(html.slice(html.indexOf(from)))?.[1] ?? null;
  const rated = /"aggregateRating":(\{[^}]*\})/.exec(page)?.[1];
  return {
    page: average(page, 'id="avis"'),
    list: average(list, "<main"),
    jsonLd: rated ? (JSON.parse(rated) as { ratingValue: number; reviewCount: number }) : null,
    item: [json.avgRating, json.reviewsCount],
    collection: collection.json["hydra:member"][0]?.avgRating ?? null,
  };
}

test("a changed average shows everywhere at once", async ({ api, database: db, arrange }) => {
  const { product, buyer } = await arrange(async (tx) => {
    const { id: defaultCategoryId } = await createCategory({ db: tx });
    const product = await createProduct({ db: tx, defaultCategoryId });
    const buyer = await createUser({ db: tx });
    await createOrder({ db: tx, user: buyer, items: [{ product }] });
    await addReview({ db: tx, productId: product.id, rating: 5 });
    return { product, buyer };
  });
  const token = await tokenOf(buyer);
  const averages = (text: string | null, value: number | null, count: number) => ({
    page: text,
    list: text,
    jsonLd: value && expect.objectContaining({ ratingValue: value, reviewCount: count }),
    item: [value, count],
    collection: value,
  });
  const shown = () => shownAverages(api, product);
  const alone = averages("5,0", 5, 1);
  expect(await shown()).toEqual(alone);
  const { json } = await write(api, token, { ...words, rating: 2, product: product.id });
  expect(await shown()).toEqual(alone);

  const both = averages("3,5", 3.5, 2);
  const validate = () =>
    arrange((tx) => tx.update(reviews).set({ status: "VALIDATED" }).where(eq(reviews.id, json.id)));
  await validate();
  expect(await shown()).toEqual(both);
  const edit = { token, json: { content: "Finalement moins bien qu'au début." } };
  expect((await api.put(`/api/reviews_edit/${json.id}`, edit)).status).toBe(200);
  expect(await shown()).toEqual(alone);

  await validate();
  expect(await shown()).toEqual(both);
  expect((await api.delete(`/api/reviews/${json.id}`, { token })).status).toBe(204);
  expect(await shown()).toEqual(alone);
  expect(await storedRating(db, product.id)).toEqual({ count: 1, sum: 5 });

  const admin = await newAdmin(db);
  const [last] = idsOf(await listReviews({ api, query: `product=${product.id}` }));
  expect((await api.delete(`/api/reviews/${last}`, { token: admin.token })).status).toBe(204);
  expect(await shown()).toEqual(averages(null, null, 0));
});
