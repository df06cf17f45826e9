import { type Connection, single, unique } from "@/db/factories/people";
import { categories, productCategories, products, productTags, tags } from "@/db/schema/catalogue";
import { reviews } from "@/db/schema/reviews";
import { stockMovements } from "@/db/schema/stock";

export type ProductRow = typeof products.$inferSelect;
type NewProduct = typeof products.$inferInsert;
type NewReview = typeof reviews.$inferInsert;

// Catalogue --------------------------------------------------------------------------------------

export async function createCategory({
  db,
  ...values
}: { db: Connection } & Partial<typeof categories.$inferInsert>) {
  const row = { name: `Catégorie ${unique()}`, color: "#2563eb", ...values };
  return single(db.insert(categories).values(row).returning());
}

export async function createTag({
  db,
  ...values
}: { db: Connection } & Partial<typeof tags.$inferInsert>) {
  const row = { name: `Étiquette ${unique()}`, color: "#0d7377", ...values };
  return single(db.insert(tags).values(row).returning());
}

/** A product of 19,90 €, physical by default, with only the fields of its type. */
function buildProduct(
  values: Partial<NewProduct> & Pick<NewProduct, "defaultCategoryId">,
): NewProduct {
  const common = {
    name: `Produit ${unique()}`,
    description: "Un bel objet, choisi avec soin et expédié sous deux jours.",
    priceCents: 1990,
    image: "placeholder.webp",
  };
  return values.type === "digital"
    ? {
        ...common,
        downloadLink: "/downloads/exemple.pdf",
        fileSizeKb: 2400,
        fileType: "PDF",
        ...values,
        type: "digital",
      }
    : {
        ...common,
        characteristics: [{ name: "Matière", value: "Bois de hêtre" }],
        ...values,
        type: "physical",
      };
}

/**
 * Creates a product. Without `categoryIds` it is only in its default category; without a default category,
 * a new one is created.
 */
export async function createProduct({
  db,
  categoryIds,
  tagIds = [],
  ...values
}: { db: Connection; categoryIds?: number[]; tagIds?: number[] } & Partial<NewProduct>) {
  const defaultCategoryId =
    values.defaultCategoryId ?? categoryIds?.[0] ?? (await createCategory({ db })).id;
  const product = await single(
    db
      .insert(products)
      .values(buildProduct({ ...values, defaultCategoryId }))
      .returning(),
  );
  const { id: productId, stock } = product;
  if (stock)
    await db
      .insert(stockMovements)
      .values({ productId, kind: "correction", quantity: stock, reason: "Inventaire" });
  await labelProducts({
    db,
    labels: [{ productId: product.id, categoryIds: categoryIds ?? [defaultCategoryId], tagIds }],
  });
  return product;
}

/** Puts products into categories and gives them tags. */
export async function labelProducts({
  db,
  labels,
}: {
  db: Connection;
  labels: readonly { productId: number; categoryIds: number[]; tagIds: number[] }[];
}): Promise<void> {
  const inCategories = labels.flatMap(({ productId, categoryIds }) =>
    categoryIds.map((categoryId) => ({ productId, categoryId })),
  );
  const withTags = labels.flatMap(({ productId, tagIds }) =>
    tagIds.map((tagId) => ({ productId, tagId })),
  );
  if (inCategories.length > 0) await db.insert(productCategories).values(inCategories);
  if (withTags.length > 0) await db.insert(productTags).values(withTags);
}

// Reviews and carts ------------------------------------------------------------------------------

/** A review of five stars, visible unless `status` is set. */
export function buildReview(
  values: Partial<NewReview> & Pick<NewReview, "productId" | "userId">,
): NewReview {
  return {
    rating: 5,
    content: "Très bel objet, conforme à la description. Je recommande.",
    status: "VALIDATED",
    ...values,
  };
}

/** Writes a review. A trigger updates the product's rating. A purchase is not required. */
export async function createReview({
  db,
  ...values
}: { db: Connection } & Partial<NewReview> & Pick<NewReview, "productId" | "userId">) {
  return single(db.insert(reviews).values(buildReview(values)).returning());
}
