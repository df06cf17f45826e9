import { count, desc, eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { products } from "@/db/schema/catalogue";
import { orders } from "@/db/schema/orders";
import { stockMovements } from "@/db/schema/stock";
import { type Actor, type Creation, recordChanges } from "@/lib/audit/mutations";
import { fail } from "@/lib/errors/failure";
import { offsetOf, type PageRequest } from "@/lib/http/api/paging";
import type { CorrectionInput } from "./admin-schemas";
import { expireStock } from "./cache";
import { type ImportedLine, type LineProblem, readStockCsv } from "./csv";
import { recordCorrections, type StockChange } from "./mutations";
import { MAX_STOCK } from "./rules";
import {
  AMBIGUOUS_NAME,
  changedSinceExport,
  ONLY_PHYSICAL,
  onLine,
  onlyLeft,
  REPEATED_PRODUCT,
  stockChanged,
  UNKNOWN_LINE_PRODUCT,
  WRONG_STOCK,
} from "./texts";

export type MovementRow = Awaited<ReturnType<typeof listMovements>>["items"][number];

/** One page of a product's stock movements, newest first. @throws 404 */
export async function listMovements({
  productId,
  ...request
}: { productId: number } & PageRequest) {
  const isIts = eq(stockMovements.productId, productId);
  const [product, items, [counted]] = await Promise.all([
    db.select({ id: products.id }).from(products).where(eq(products.id, productId)),
    db
      .select({
        id: stockMovements.id,
        kind: stockMovements.kind,
        quantity: stockMovements.quantity,
        reason: stockMovements.reason,
        createdAt: stockMovements.createdAt,
        order: { id: orders.id, number: orders.number },
        actor: { id: users.id, firstName: users.firstName, lastName: users.lastName },
      })
      .from(stockMovements)
      .leftJoin(orders, eq(orders.id, stockMovements.orderId))
      .leftJoin(users, eq(users.id, stockMovements.actorId))
      .where(isIts)
      .orderBy(desc(stockMovements.id))
      .limit(request.itemsPerPage)
      .offset(offsetOf(request)),
    db.select({ total: count() }).from(stockMovements).where(isIts),
  ]);
  if (product.length === 0) throw fail.notFound();
  return { items, total: counted?.total ?? 0 };
}

const lockedColumns = {
  id: products.id,
  type: products.type,
  name: products.name,
  stock: products.stock,
  lowStockThreshold: products.lowStockThreshold,
};

type LockedProduct = Pick<typeof products.$inferSelect, keyof typeof lockedColumns>;

/**
 * Corrects a product's stock; a product that was not counted is counted from then on.
 *
 * @throws 404, 409 where the stock differs from the stock that the client read, 422 for a product that has no
 *   stock, or where fewer pieces are left than the correction removes
 */
export async function correctStock({
  actor,
  productId,
  input: { quantity, reason, currentStock },
}: Creation<CorrectionInput> & { productId: number }): Promise<{ stock: number }> {
  const changes = await db.transaction(async (tx) => {
    const [product] = await tx
      .select(lockedColumns)
      .from(products)
      .where(eq(products.id, productId))
      .for("no key update");
    if (!product) throw fail.notFound();
    if (product.type !== "physical") throw fail.violation("quantity", ONLY_PHYSICAL);
    if (currentStock !== undefined && currentStock !== product.stock)
      throw fail.conflict(stockChanged(product.stock));
    const stock = (product.stock ?? 0) + quantity;
    if (stock < 0) throw fail.violation("quantity", onlyLeft(product.stock ?? 0));
    if (stock > MAX_STOCK) throw fail.violation("quantity", WRONG_STOCK);
    return setStocks(tx, { actor, stocks: [{ product, stock }], kind: "correction", reason });
  });
  await expireStock(changes);
  return { stock: changes[0]?.after.stock ?? 0 };
}

/** Changes the stocks of locked products, and writes movements and audit entries, in three statements. */
async function setStocks(
  tx: Transaction,
  {
    actor,
    stocks,
    kind,
    reason,
  }: {
    actor: Actor;
    stocks: readonly { product: LockedProduct; stock: number }[];
    kind: "correction" | "import";
    reason: string;
  },
): Promise<StockChange[]> {
  if (stocks.length === 0) return [];
  const ids = sql.param(stocks.map(({ product }) => product.id));
  const wanted = sql.param(stocks.map(({ stock }) => stock));
  await Promise.all([
    tx.execute(sql`
      update ${products} set stock = wanted.stock
      from unnest(${ids}::int[], ${wanted}::int[]) wanted (id, stock)
      where ${products.id} = wanted.id`),
    recordCorrections(tx, {
      actor,
      changes: stocks.map(({ product, stock }) => ({
        productId: product.id,
        before: product.stock,
        after: stock,
      })),
      kind,
      reason,
    }),
    recordChanges(tx, {
      actor,
      entity: "Product",
      changes: stocks.map(({ product: { id, stock: before }, stock }) => ({
        id,
        before: { stock: before },
        after: { stock, reason },
      })),
    }),
  ]);
  return stocks.map(({ product: { id, stock: before, lowStockThreshold }, stock }) => ({
    productId: id,
    before: { stock: before, lowStockThreshold },
    after: { stock, lowStockThreshold },
  }));
}

const IMPORT_REASON = "Import CSV";

/** Problems reported per response. */
const MAX_PROBLEMS = 100;

/**
 * Sets the stocks named in a CSV file: all of them or, where one line is wrong, none. Importing the same file
 * again changes nothing.
 *
 * @throws 422 with a sentence for each wrong line
 */
export async function importStock({
  actor,
  csv,
}: {
  actor: Actor;
  csv: string;
}): Promise<{ changed: number; unchanged: number }> {
  const { lines, problems } = readStockCsv(csv);
  const { changes, unchanged } = await db.transaction(async (tx) => {
    const found = await lockNamed(tx, lines);
    const wanted = new Map<number, WantedStock>();
    for (const line of lines) {
      const [product, ...others] = found.get(keyOf(line)) ?? [];
      const refuse = (message: string) => problems.push({ line: line.line, message });
      if (!product) refuse(UNKNOWN_LINE_PRODUCT);
      else if (others.length > 0) refuse(AMBIGUOUS_NAME);
      else if (product.type !== "physical") refuse(ONLY_PHYSICAL);
      else if (wanted.has(product.id)) refuse(REPEATED_PRODUCT);
      else if (isOutdated({ product, line })) refuse(changedSinceExport(product));
      else wanted.set(product.id, { product, line });
    }
    refuseProblems(problems);
    const changed = [...wanted.values()].filter(isChanged);
    const stocks = changed.map(({ product, line: { stock } }) => ({ product, stock }));
    const changes = await setStocks(tx, { actor, stocks, kind: "import", reason: IMPORT_REASON });
    return { changes, unchanged: wanted.size - changed.length };
  });
  await expireStock(changes);
  return { changed: changes.length, unchanged };
}

const keyOf = ({ id, name }: ImportedLine) => (id === null ? `name:${name}` : `id:${id}`);

/** The products named by the lines, locked in the order of their ids. */
async function lockNamed(
  tx: Transaction,
  lines: readonly ImportedLine[],
): Promise<Map<string, LockedProduct[]>> {
  const ids = lines.flatMap(({ id }) => id ?? []);
  const names = lines.flatMap(({ id, name }) => (id === null ? [name] : []));
  // The array of names may be long: it is sent as one parameter.
  const rows = await tx
    .select(lockedColumns)
    .from(products)
    .where(
      sql`(${isAmong(products.id, ids)} or ${products.name} = any(${sql.param(names)}::text[]))`,
    )
    .orderBy(products.id)
    .for("no key update");
  const found = new Map<string, LockedProduct[]>();
  for (const row of rows) {
    found.set(`id:${row.id}`, [row]);
    found.set(`name:${row.name}`, [...(found.get(`name:${row.name}`) ?? []), row]);
  }
  return found;
}

interface WantedStock {
  product: LockedProduct;
  line: ImportedLine;
}

/** A line whose stock equals the exported stock was not edited: the product keeps its stock. */
const isChanged = ({ product, line: { stock, exported } }: WantedStock): boolean =>
  stock !== exported && stock !== product.stock;

/** Would the line change a stock that pieces entered or left since the export? */
const isOutdated = ({ product, line }: WantedStock): boolean =>
  line.exported !== undefined && line.exported !== product.stock && isChanged({ product, line });

/** @throws 422 with a sentence for each line */
function refuseProblems(problems: readonly LineProblem[]): void {
  if (problems.length === 0) return;
  throw fail.violations(
    [...problems]
      .sort((a, b) => a.line - b.line)
      .slice(0, MAX_PROBLEMS)
      .map((problem) => ({ propertyPath: `lines[${problem.line}]`, message: onLine(problem) })),
  );
}
