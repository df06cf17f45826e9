import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { type CountedProducts, lockProducts, piecesOf } from "@/db/count-sales";
import { products } from "@/db/schema/catalogue";
import { checkouts } from "@/db/schema/checkout";
import { stockHolds, stockMovements } from "@/db/schema/stock";
import type { Actor } from "@/lib/audit/mutations";
import type { StockFigures } from "./rules";
import { FORM_REASON } from "./texts";

// `products.stock` is always the sum of the product's movements: whoever changes it writes both in one
// transaction. Free pieces are the stock less the pieces that others hold for a payment: decision 081.

export type Writer = Pick<Transaction, "execute">;

export type Lines = readonly { productId?: number | null; quantity: number }[];

/** A product with too few free pieces. */
export interface Shortage {
  productId: number;
  /** Pieces that nobody else holds. */
  free: number;
}

/** A changed stock, to be passed to `expireStock` after the commit. */
export interface StockChange {
  productId: number;
  before: StockFigures;
  after: StockFigures;
}

/** Pieces that were taken out of the stock, and have no movement yet. */
type TakenPieces = { productId: number; quantity: number };

export const valuesOf = (lines: Lines): SQL | null => {
  const pieces = [...piecesOf(lines)].filter(([, count]) => count !== 0);
  if (pieces.length === 0) return null;
  return sql.join(
    pieces.map(([id, count]) => sql`(${id}::int, ${count}::int)`),
    sql`, `,
  );
};

/** Pieces of product `id` that are held for payments by others: `isOwn` excludes one checkout or buyer. */
export const heldByOthers = ({ id, isOwn }: { id: SQL; isOwn: SQL }) => sql`coalesce((
  select sum(h.quantity) from ${stockHolds} h join ${checkouts} c on c.id = h.checkout_id
  where h.product_id = ${id} and h.expires_at > now() and c.status = 'pending' and (${isOwn}) is not true
), 0)`;

/** Locks the products that are counted. The statement is sent at once. */
export const lockCounted = (tx: Writer, lines: Lines): Promise<void> =>
  lockProducts(tx, { lines, only: sql`stock is not null` });

/** Pieces taken out of the stock. If any product is short, nothing was taken. */
export interface Taking {
  taken: TakenPieces[];
  changes: StockChange[];
  short: Shortage[];
}

/** Locks the products, then takes the pieces as `takeStock` does. */
export async function takeFree(
  tx: Writer,
  request: { lines: Lines; checkoutId: string },
): Promise<Taking> {
  const [, taking] = await Promise.all([lockCounted(tx, request.lines), takeStock(tx, request)]);
  return taking;
}

/**
 * Takes free pieces out of the stock, all of them or none; products that are not counted are
 * skipped. An earlier statement must have locked the products, and `recordSale` must follow.
 *
 * @param checkoutId the buyer's checkout, whose own holds do not count as others'
 */
export async function takeStock(
  tx: Writer,
  { lines, checkoutId = null }: { lines: Lines; checkoutId?: string | null },
): Promise<Taking> {
  const wanted = valuesOf(lines);
  if (!wanted) return NOTHING;
  const isOwn = sql`h.checkout_id = ${checkoutId}::uuid`;
  const rows = await tx.execute<RoomRow>(sql`
    with wanted (id, pieces) as (values ${wanted}), room as materialized (
      select p.id, wanted.pieces, p.stock, p.low_stock_threshold,
        (p.stock - ${heldByOthers({ id: sql`p.id`, isOwn })})::int as free
      from wanted join ${products} p on p.id = wanted.id where p.stock is not null
    ), taken as (
      update ${products} set stock = ${products.stock} - room.pieces
      from room where ${products.id} = room.id and not exists (select from room where free < pieces)
    )
    select id, pieces, stock, low_stock_threshold as "lowStockThreshold", free from room order by id`);
  const short = rows
    .filter(({ free, pieces }) => free < pieces)
    .map(({ id, free }) => ({ productId: id, free: Math.max(0, free) }));
  if (short.length > 0) return { ...NOTHING, short };
  return {
    taken: rows.map(({ id, pieces }) => ({ productId: id, quantity: pieces })),
    changes: rows.map((row) => changeOf(row, -row.pieces)),
    short,
  };
}

const NOTHING: Taking = { taken: [], changes: [], short: [] };

/**
 * Takes the pieces of an order that `countSales` has not taken, if they are free: pieces whose hold has
 * ended, pieces that were never held, and pieces of products that became counted in the meantime.
 */
export async function takeUnheld(
  tx: Writer,
  {
    lines,
    counted,
    checkoutId,
    before = NOTHING,
  }: {
    lines: Lines;
    counted: CountedProducts;
    checkoutId?: string;
    /** Pieces that an earlier statement of the transaction took. */
    before?: Taking;
  },
): Promise<Taking> {
  const known = new Set(before.taken.map(({ productId }) => productId));
  const left = [...counted.values()].filter(({ id, stock }) => stock !== null && !known.has(id));
  const held = left.filter(({ taken }) => taken > 0);
  const others = new Set(left.filter(({ taken }) => taken === 0).map(({ id }) => id));
  const rest = await takeStock(tx, {
    lines: lines.filter(({ productId }) => productId && others.has(productId)),
    ...(checkoutId && { checkoutId }),
  });
  return {
    taken: [
      ...before.taken,
      ...held.map(({ id, taken }) => ({ productId: id, quantity: taken })),
      ...rest.taken,
    ],
    changes: [
      ...before.changes,
      ...held.map((product) => changeOf(product, -product.taken)),
      ...rest.changes,
    ],
    short: rest.short,
  };
}

type RoomRow = {
  id: number;
  pieces: number;
  stock: number;
  lowStockThreshold: number | null;
  free: number;
};

/** @param pieces coming in; negative for pieces going out */
function changeOf(
  { id, stock, lowStockThreshold }: { id: number } & StockFigures,
  pieces: number,
): StockChange {
  const after = { stock: (stock ?? 0) + pieces, lowStockThreshold };
  return { productId: id, before: { stock, lowStockThreshold }, after };
}

/**
 * Writes the stock movements of an order, and ends the holds of its checkout. The statement is sent at once.
 */
export async function recordSale(
  tx: Writer,
  {
    orderId,
    taken,
    checkoutId = null,
  }: { orderId: number; taken: readonly TakenPieces[]; checkoutId?: string | null },
): Promise<void> {
  const values = valuesOf(taken);
  if (!values) return;
  await tx.execute(sql`
    with taken (id, pieces) as (values ${values}), released as (
      delete from ${stockHolds} where checkout_id = ${checkoutId}::uuid
    )
    insert into ${stockMovements} (product_id, kind, quantity, order_id)
    select id, 'sale', -pieces, ${orderId}::int from taken order by id`);
}

/**
 * Puts pieces of an order back into the stock, with a movement for each product. Skips products that are no
 * longer counted or have left the shop. Locks the products.
 *
 * @returns the changes to pass to `expireStock` after the commit
 */
export async function returnStock(
  tx: Writer,
  { orderId, lines }: { orderId: number; lines: Lines },
): Promise<StockChange[]> {
  const returned = valuesOf(lines);
  if (!returned) return [];
  const [, rows] = await Promise.all([
    lockCounted(tx, lines),
    tx
      .execute<Omit<RoomRow, "free">>(sql`
        with returned (id, pieces) as (values ${returned}), back as (
          update ${products} set stock = ${products.stock} + returned.pieces
          from returned where ${products.id} = returned.id and ${products.stock} is not null
          returning ${products.id} as id, returned.pieces as pieces,
            ${products.stock} - returned.pieces as stock,
            ${products.lowStockThreshold} as low_stock_threshold
        ), moved as (
          insert into ${stockMovements} (product_id, kind, quantity, order_id)
          select id, 'return', pieces, ${orderId}::int from back order by id
        )
        select id, pieces, stock, low_stock_threshold as "lowStockThreshold" from back`)
      .then((found) => found),
  ]);
  return rows.map((row) => changeOf(row, row.pieces));
}

/** Writes, in one statement, the movements of stocks that the caller has set. A null stock counts as 0. */
export async function recordCorrections(
  tx: Pick<Transaction, "insert">,
  {
    actor,
    changes,
    kind = "correction",
    reason = FORM_REASON,
  }: {
    actor: Actor;
    changes: readonly { productId: number; before: number | null; after: number | null }[];
    kind?: "correction" | "import";
    reason?: string;
  },
): Promise<void> {
  const movements = changes
    .map(({ productId, before, after }) => ({
      productId,
      kind,
      quantity: (after ?? 0) - (before ?? 0),
      reason,
      actorId: actor.id,
    }))
    .filter(({ quantity }) => quantity !== 0);
  if (movements.length > 0) await tx.insert(stockMovements).values(movements);
}
