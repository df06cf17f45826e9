import { sql } from "drizzle-orm";
import { db } from "@/db";
import { listProductsByIds, type ProductRow } from "@/lib/catalogue/product-rows";
import { bestCandidates, type Candidate, MIN_COMMON_ORDERS, RELATED_SIZE } from "./rules";

/** The best sold products of the same categories, among which the most similar ones are chosen. */
const CONSIDERED = 24;

/** The products to show beside another one. */
export interface RelatedRow {
  similar: ProductRow[];
  boughtTogether: ProductRow[];
}

/** The product that others are related to. */
type Subject = Pick<ProductRow, "id" | "defaultCategory" | "categories" | "tags">;

/**
 * At most four products of the same categories, and four that were often bought in the same orders; no
 * product is in both lists. Without drafts; sold-out products come last.
 */
export async function listRelated(product: Subject): Promise<RelatedRow> {
  const [together, candidates] = await Promise.all([
    listBoughtTogether(product.id),
    listCandidates(product),
  ]);
  const similar = bestCandidates(candidates.filter(({ id }) => !together.includes(id)));
  const rows = await listProductsByIds([...together, ...similar]);
  return {
    boughtTogether: rows.slice(0, together.length),
    similar: rows.slice(together.length),
  };
}

async function listBoughtTogether(productId: number): Promise<number[]> {
  const rows = await db.execute<{ id: number }>(sql`
    select p.id from bought_together b join products p on p.id = b.other_id
    where b.product_id = ${productId} and b.orders >= ${MIN_COMMON_ORDERS} and p.status = 'active'
    order by p.stock is not distinct from 0, b.orders desc, p.sales_count desc, p.id
    limit ${RELATED_SIZE}`);
  return rows.map(({ id }) => id);
}

async function listCandidates({
  id,
  defaultCategory,
  categories,
  tags,
}: Subject): Promise<Candidate[]> {
  const categoryIds = [...new Set([defaultCategory.id, ...categories.map((label) => label.id)])];
  const tagIds = sql`${sql.param(tags.map((tag) => tag.id))}::int[]`;
  // The condition on the categories is written as in the index products_search_sales_idx; a large category is
  // read in the order of products_best_sold_idx instead.
  return db.execute<Candidate & Record<string, unknown>>(sql`
    select p.id, p.stock is not distinct from 0 as "isSoldOut", p.sales_count as sales,
      cardinality(array(select unnest(p.tag_ids) intersect select unnest(${tagIds}))) as "commonTags"
    from (
      select * from products p
      where (p.category_ids || p.default_category_id) && ${sql.param(categoryIds)}::int[]
        and p.id <> ${id} and p.status = 'active'
      order by p.sales_count desc nulls last, p.id limit ${CONSIDERED}
    ) p`);
}
