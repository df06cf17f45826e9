import { eq } from "drizzle-orm";
import type { Database } from "@/db";
import { createCategory, createProduct, createReview } from "@/db/factories/catalogue";
import { createOrder } from "@/db/factories/orders";
import { createAdmin, createUser } from "@/db/factories/people";
import { products } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { type Refusal, tokenOf } from "../accounts";
import type { Api } from "../api-client";
import { expect, test } from "../fixtures";

interface Review {
  id: number;
  content: string;
  rating: number;
  status: "PENDING" | "VALIDATED" | "REJECTED";
  datePublication: string;
  datePurchase: string | null;
  rejectionReason: string | null;
  product: string;
  user: { id: number; name: string; lastname: string };
}

interface ReviewList {
  "hydra:totalItems": number;
  "hydra:member": Review[];
  "hydra:view"?: Record<string, string>;
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

async function staff(db: Database) {
  const user = await createAdmin({ db });
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

/** Another customer's validated review. */
async function addReview({
  db,
  productId,
  ...values
}: { db: Database; productId: number } & Partial<typeof reviews.$inferInsert>) {
  const userId = values.userId ?? (await createUser({ db })).id;
  return createReview({ db, productId, ...values, userId });
}

async function moderate({
  db,
  id,
  ...values
}: { db: Database; id: number } & Partial<typeof reviews.$inferInsert>) {
  await db.update(reviews).set(values).where(eq(reviews.id, id));
}

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

test("a buyer writes a review, which is pending moderation", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const content = "<script>alert(1)</script> 'x'; DROP TABLE\n\nنص عربي 日本語 👩‍👩‍👧‍👦 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤";
  const created = await api.post<Review>("/api/reviews_create", {
    token: buyer.token,
    json: { content: `  ${content}\u0007 \n`, rating: 4, product: `/api/products/${product.id}` },
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
  expect(own["hydra:member"]).toMatchObject([{ id, status: "PENDING" }]);
  expect(own["hydra:totalItems"]).toBe(1);
  // Neither another customer nor an administrator sees the pending review in the shop.
  for (const token of [undefined, (await customer(db)).token, (await staff(db)).token])
    expect(idsOf(await listReviews({ api, query, ...(token && { token }) }))).toEqual([]);
  expect(await storedRating(db, product.id)).toEqual({ count: 0, sum: 0 });
});

test("a review without a purchase and a second one are refused", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const json = { ...words, product: product.id };
  const stranger = await customer(db);
  // Neither an order of another product nor another customer's order counts as a purchase.
  await createOrder({ db, user: stranger, items: [{ product: await createProduct({ db }) }] });
  const refused = await api.post<Refusal>("/api/reviews_create", { token: stranger.token, json });
  expect([refused.status, refused.json.error]).toEqual([403, NOT_BOUGHT]);
  expect(refused.json).toMatchObject({ description: NOT_BOUGHT });

  expect((await api.post("/api/reviews_create", { token: buyer.token, json })).status).toBe(201);
  const second = await api.post<Refusal>("/api/reviews_create", { token: buyer.token, json });
  expect([second.status, second.json.error]).toEqual([409, SECOND]);

  const unknown = { ...words, product: 2_000_000_000 };
  const answer = await api.post("/api/reviews_create", { token: buyer.token, json: unknown });
  expect(answer.status).toBe(404);
});

test("wrong fields have their messages, and change nothing", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const { token } = buyer;
  const violationsOf = async (json: unknown) => {
    const answer = await api.post<Refusal>("/api/reviews_create", { token, json });
    expect(answer.status, answer.text).toBe(422);
    return answer.json.violations.map(({ propertyPath, message }) => `${propertyPath}: ${message}`);
  };
  expect(await violationsOf({})).toEqual([
    `content: ${TOO_SHORT}`,
    `rating: ${NO_RATING}`,
    "product: Ce champ est obligatoire.",
  ]);
  for (const content of ["123456789 ", null])
    expect(await violationsOf({ ...words, content, product: product.id })).toEqual([
      `content: ${TOO_SHORT}`,
    ]);
  expect(await violationsOf({ ...words, content: "a".repeat(5001), product: product.id })).toEqual([
    "content: Ce champ doit contenir au plus 5000 caractères.",
  ]);
  for (const rating of [0, 6, 4.5, "beaucoup", null])
    expect(await violationsOf({ ...words, rating, product: product.id })).toEqual([
      `rating: ${NO_RATING}`,
    ]);
  expect(await violationsOf({ ...words, product: "/api/tags/1" })).toEqual([
    "product: Cette valeur doit être un identifiant ou une adresse /api/products/{id}.",
  ]);
  expect(await db.select().from(reviews).where(eq(reviews.productId, product.id))).toEqual([]);
});

test("of one buyer's concurrent reviews one is stored", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const json = { ...words, product: { "@id": `/api/products/${product.id}` } };
  const answers = await Promise.all(
    Array.from({ length: 8 }, () =>
      api.post<Refusal>("/api/reviews_create", { token: buyer.token, json }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
  for (const { status, json } of answers) if (status === 409) expect(json.error).toBe(SECOND);
  expect(await db.select().from(reviews).where(eq(reviews.productId, product.id))).toHaveLength(1);
});

test("edits and deletions leave the rating exact", async ({ api, database: db, arrange }) => {
  const { product, authors } = await arrange(async (tx) => {
    const product = await createProduct({ db: tx });
    const authors = [];
    for (let rating = 1; rating <= 5; rating++) {
      const author = await createUser({ db: tx });
      const review = await addReview({ db: tx, productId: product.id, userId: author.id, rating });
      authors.push({ author, review });
    }
    return { product, authors };
  });
  const tokens = await Promise.all(authors.map(({ author }) => tokenOf(author)));
  const answers = await Promise.all(
    authors.flatMap(({ review }, i) => {
      const token = String(tokens[i]);
      if (i === 4) return [];
      const edit = () => api.put(`/api/reviews_edit/${review.id}`, { token, json: { rating: 1 } });
      const remove = () => api.delete(`/api/reviews/${review.id}`, { token });
      return i < 2 ? [edit(), edit()] : [edit(), remove(), remove()];
    }),
  );
  for (const { status } of answers) expect([200, 204, 404]).toContain(status);
  expect(await storedRating(db, product.id)).toEqual({ count: 1, sum: 5 });
});

test("a review goes with its product, as a whole", async ({ api, database: db, arrange }) => {
  for (let round = 0; round < 5; round++) {
    const { product, author, review } = await arrange(async (tx) => {
      const product = await createProduct({ db: tx });
      const author = await createUser({ db: tx });
      const review = await addReview({ db: tx, productId: product.id, userId: author.id });
      return { product, author, review };
    });
    const token = await tokenOf(author);
    const [edited] = await Promise.all([
      api.put(`/api/reviews_edit/${review.id}`, { token, json: { rating: 2 } }),
      db.delete(products).where(eq(products.id, product.id)),
    ]);
    expect([200, 404]).toContain(edited.status);
    expect(await db.select().from(reviews).where(eq(reviews.id, review.id))).toEqual([]);
  }
});

test("an edit merges, and is pending again", async ({ api, database: db, arrange }) => {
  const { product, buyer } = await purchase(db);
  const review = await arrange((tx) =>
    addReview({
      db: tx,
      productId: product.id,
      userId: buyer.id,
      rating: 2,
      status: "REJECTED",
      rejectionReason: "Il parle d'un autre produit.",
      publishedAt: new Date("2026-03-01T00:00:00Z"),
    }),
  );
  const path = `/api/reviews_edit/${review.id}`;
  const edited = await api.put<Review>(path, { token: buyer.token, json: { rating: 3 } });
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
  const again = await api.put<Review>(path, { token: buyer.token, json: { content, product: 1 } });
  expect(again.json).toMatchObject({ content, rating: 3, product: `/api/products/${product.id}` });
  for (const [json, message] of [
    [{ content: "Court" }, `content: ${TOO_SHORT}`],
    [{ rating: 9 }, `rating: ${NO_RATING}`],
  ] as const) {
    const refused = await api.put<Refusal>(path, { token: buyer.token, json });
    expect([refused.status, refused.json.error]).toEqual([422, message]);
  }
});

test("another's review is refused, a hidden one is 404", async ({ api, database: db, arrange }) => {
  const { visible, hidden } = await arrange(async (tx) => {
    const { id: productId } = await createProduct({ db: tx });
    const visible = await addReview({ db: tx, productId });
    const hidden = [
      await addReview({ db: tx, productId, status: "PENDING" }),
      await addReview({ db: tx, productId, status: "REJECTED", rejectionReason: "Injurieux" }),
    ];
    return { visible, hidden };
  });
  const { token } = await customer(db);
  const json = { rating: 1 };
  expect((await api.get(`/api/reviews/${visible.id}`)).status).toBe(200);
  expect((await api.put(`/api/reviews_edit/${visible.id}`, { token, json })).status).toBe(403);
  expect((await api.delete(`/api/reviews/${visible.id}`, { token })).status).toBe(403);
  for (const { id } of hidden) {
    expect((await api.get(`/api/reviews/${id}`)).status).toBe(404);
    expect((await api.get(`/api/reviews/${id}`, { token })).status).toBe(404);
    expect((await api.put(`/api/reviews_edit/${id}`, { token, json })).status).toBe(404);
    expect((await api.delete(`/api/reviews/${id}`, { token })).status).toBe(404);
  }
  const admin = await staff(db);
  const [, rejected] = hidden;
  const read = await api.get<Review>(`/api/reviews/${rejected?.id}`, { token: admin.token });
  expect(read.json).toMatchObject({ rejectionReason: "Injurieux", user: { name: "Martin" } });
  expect(
    (await api.put(`/api/reviews_edit/${visible.id}`, { token: admin.token, json })).status,
  ).toBe(403);
  for (const { id } of [visible, ...hidden])
    expect((await api.delete(`/api/reviews/${id}`, { token: admin.token })).status).toBe(204);
});

test("both lists name the product among their filters", async ({ api, database: db }) => {
  const { product } = await purchase(db);
  const { token } = await staff(db);
  for (const query of [`product=${product.id}`, ""]) {
    const json = await listReviews({ api, query, token });
    const { "hydra:template": template, "hydra:mapping": mapping } = json["hydra:search"];
    expect(template).toMatch(/^\/api\/reviews\{\?.*\bproduct\b/);
    expect(mapping).toContainEqual({
      "@type": "IriTemplateMapping",
      variable: "product",
      property: "product",
      required: false,
    });
  }
});

test("without a product the list is for administrators", async ({ api, database: db }) => {
  for (const [token, status, sentence] of [
    [undefined, 401, "Jeton d'authentification manquant. Veuillez vous connecter."],
    ["ancien", 401, "Votre session a expiré. Veuillez vous reconnecter."],
    [(await customer(db)).token, 403, expect.any(String)],
  ] as const) {
    const { status: refused, json } = await api.get<Refusal>("/api/reviews", { token });
    expect([refused, json.error]).toEqual([status, sentence]);
  }
});

test("everybody reads validated reviews, without the family name", async ({ api, arrange }) => {
  const { product, author } = await arrange(async (tx) => {
    const product = await createProduct({ db: tx });
    const author = await createUser({ db: tx, firstName: "Camille", lastName: "de Secret" });
    await addReview({ db: tx, productId: product.id, userId: author.id, rejectionReason: "Vieux" });
    return { product, author };
  });
  const answer = await api.get<ReviewList>(`/api/reviews?product=/api/products/${product.id}`);
  const [review] = answer.json["hydra:member"];
  expect(review).toMatchObject({
    "@type": "Review",
    status: "VALIDATED",
    rejectionReason: null,
    user: { id: author.id, name: "D.", lastname: "Camille" },
  });
  expect(answer.text).not.toContain("Secret");
  const token = await tokenOf(author);
  const own = await listReviews({ api, query: `product=${product.id}`, token });
  expect(own["hydra:member"][0]).toMatchObject({ user: { name: "de Secret" } });
});

test("a list can be paged, sorted and filtered", async ({ api, arrange }) => {
  const { product, ids, author } = await arrange(async (tx) => {
    const product = await createProduct({ db: tx });
    const author = await createUser({ db: tx });
    const ids: number[] = [];
    for (const [i, rating] of [5, 1, 3, 5, 2].entries()) {
      const review = await addReview({
        db: tx,
        productId: product.id,
        rating,
        content: `Le numéro ${i} est à l'été.`,
        publishedAt: new Date(Date.UTC(2026, 0, i + 1)),
        ...(i === 2 && { userId: author.id }),
      });
      ids.push(review.id);
    }
    return { product, ids, author };
  });
  const [a, b, c, d, e] = ids;
  const query = (more: string) => listReviews({ api, query: `product=${product.id}${more}` });
  expect(idsOf(await query(""))).toEqual([e, d, c, b, a]);
  expect(idsOf(await query("&order[datePublication]=asc"))).toEqual([a, b, c, d, e]);
  expect(idsOf(await query("&order[rating]=desc"))).toEqual([d, a, c, e, b]);
  expect(idsOf(await query("&order[rating]=asc"))).toEqual([b, e, c, d, a]);
  expect(idsOf(await query(`&user=${author.id}`))).toEqual([c]);
  expect(idsOf(await query("&status=PENDING"))).toEqual([]);
  expect(idsOf(await query("&search=NUMERO%203"))).toEqual([d]);
  const second = await query("&order[rating]=desc&itemsPerPage=2&page=2");
  expect(idsOf(second)).toEqual([c, e]);
  expect(second["hydra:totalItems"]).toBe(5);
  expect(second["hydra:view"]).toMatchObject({
    "hydra:next": `/api/reviews?product=${product.id}&order%5Brating%5D=desc&itemsPerPage=2&page=3`,
  });
  for (const wrong of ["product=abc", "product=1&status=oui", "product=1&order[rating]=up"])
    expect((await api.get(`/api/reviews?${wrong}`)).status, wrong).toBe(400);
  expect(idsOf(await listReviews({ api, query: "product=2000000000" }))).toEqual([]);
});

test("check-purchase counts one's own purchases of the product", async ({ api, database: db }) => {
  const { product, buyer } = await purchase(db);
  const path = `/api/check-purchase/${product.id}`;
  const bought = await api.get(path, { token: buyer.token });
  expect([bought.status, bought.json]).toEqual([200, { hasPurchased: true }]);
  const stranger = await customer(db);
  expect((await api.get(path, { token: stranger.token })).json).toEqual({ hasPurchased: false });
  const other = await api.get("/api/check-purchase/2000000000", { token: buyer.token });
  expect(other.json).toEqual({ hasPurchased: false });
  expect((await api.get("/api/check-purchase/abc", { token: buyer.token })).status).toBe(404);
});

/** The average as each place shows it; null if it shows none. */
async function shownAverages({
  api,
  product,
}: {
  api: Api;
  product: typeof products.$inferSelect;
}) {
  const page = (await api.get(`/product/${product.id}`)).text;
  const list = (await api.get(`/products?category=${product.defaultCategoryId}`)).text;
  const { json } = await api.get<{ avgRating: number | null; reviewsCount: number }>(
    `/api/products/${product.id}`,
  );
  const collection = await api.get<{ "hydra:member": { avgRating: number | null }[] }>(
    `/api/products?category=${product.defaultCategoryId}`,
  );
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
  const alone = {
    page: "5,0",
    list: "5,0",
    jsonLd: expect.objectContaining({ ratingValue: 5, reviewCount: 1 }),
    item: [5, 1],
    collection: 5,
  };
  expect(await shownAverages({ api, product })).toEqual(alone);
  const { json } = await api.post<Review>("/api/reviews_create", {
    token,
    json: { ...words, rating: 2, product: product.id },
  });
  expect(await shownAverages({ api, product })).toEqual(alone);

  const both = {
    page: "3,5",
    list: "3,5",
    jsonLd: expect.objectContaining({ ratingValue: 3.5, reviewCount: 2 }),
    item: [3.5, 2],
    collection: 3.5,
  };
  const validate = () =>
    arrange((tx) => moderate({ db: tx as Database, id: json.id, status: "VALIDATED" }));
  await validate();
  expect(await shownAverages({ api, product })).toEqual(both);
  const edit = { token, json: { content: "Finalement moins bien qu'au début." } };
  expect((await api.put(`/api/reviews_edit/${json.id}`, edit)).status).toBe(200);
  expect(await shownAverages({ api, product })).toEqual(alone);

  await validate();
  expect(await shownAverages({ api, product })).toEqual(both);
  expect((await api.delete(`/api/reviews/${json.id}`, { token })).status).toBe(204);
  expect(await shownAverages({ api, product })).toEqual(alone);
  expect(await storedRating(db, product.id)).toEqual({ count: 1, sum: 5 });

  const admin = await staff(db);
  const [last] = idsOf(await listReviews({ api, query: `product=${product.id}` }));
  expect((await api.delete(`/api/reviews/${last}`, { token: admin.token })).status).toBe(204);
  expect(await shownAverages({ api, product })).toEqual({
    page: null,
    list: null,
    jsonLd: null,
    item: [null, 0],
    collection: null,
  });
});
