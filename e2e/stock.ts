import { expect } from "@playwright/test";
import { eq, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { products } from "@/db/schema/catalogue";
import { stockMovements } from "@/db/schema/stock";

// Shared by tests of stock.

/** A physical product whose pieces are counted. */
export const createCounted = ({
  db,
  stock,
  ...values
}: Parameters<typeof createProduct>[0] & { stock: number }) =>
  createProduct({ db, stock, priceCents: 4290, ...values });

export async function stockOf(db: Database, productId: number): Promise<number | null | undefined> {
  const [row] = await db
    .select({ stock: products.stock })
    .from(products)
    .where(eq(products.id, productId));
  return row?.stock;
}

/** A product's movements, oldest first: `["correction 3", "sale -1"]`. */
export async function movementsOf(db: Database, productId: number): Promise<string[]> {
  const rows = await db
    .select()
    .from(stockMovements)
    .where(eq(stockMovements.productId, productId))
    .orderBy(stockMovements.id);
  return rows.map(({ kind, quantity }) => `${kind} ${quantity}`);
}

/** Expects that the stock of every product is the sum of its movements. */
export async function expectStockAddsUp(db: Database): Promise<void> {
  const wrong = await db.execute(sql`
    select p.id, p.stock, coalesce(sum(m.quantity), 0) as moved
    from products p left join stock_movements m on m.product_id = p.id
    group by p.id having coalesce(p.stock, 0) <> coalesce(sum(m.quantity), 0)`);
  expect([...wrong]).toEqual([]);
}

export async function expireHolds(db: Pick<Database, "execute">, productId: number): Promise<void> {
  await db.execute(
    sql`update stock_holds set expires_at = now() - interval '1 second' where product_id = ${productId}`,
  );
}
