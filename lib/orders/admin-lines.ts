import { eq, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { countSales, piecesOf } from "@/db/count-sales";
import { products } from "@/db/schema/catalogue";
import { orderLines } from "@/db/schema/orders";
import type { ListedItem } from "@/lib/backoffice/resource";
import type { ItemInput } from "@/lib/backoffice/schemas";
import { UNKNOWN_PRODUCT } from "@/lib/backoffice/texts";
import { fail } from "@/lib/errors/failure";
import { type VatPlace, vatPlaceOf, vatRateAt } from "@/lib/shop/vat-of-place";
import { DEFAULT_VAT_RATE } from "@/lib/shop/vat-rates";
import {
  recordSale,
  returnStock,
  type Shortage,
  type StockChange,
  takeStock,
} from "@/lib/stock/mutations";
import { takenPieces } from "@/lib/stock/queries";
import { onlyLeft } from "@/lib/stock/texts";
import type { AdminOrderLine, AdminOrderRow } from "./admin";
import type { NewOrderLine } from "./mutations";
import { type Addressed, addressesOf, settledPieces, shippedAtOnce } from "./rules";
import { CANCELLED_ORDER, fewerThanSettled, LINE_SETTLED } from "./texts";

/** @throws 422 on the first line whose product has too few pieces */
export function refuseShortage({
  short: [shortage],
  lines,
}: {
  short: readonly Shortage[];
  lines: readonly WantedLine[];
}): void {
  if (!shortage) return;
  const index = lines.findIndex(({ line }) => line.productId === shortage.productId);
  throw fail.violation(`orderItems[${index}].quantity`, onlyLeft(shortage.free));
}

interface WantedLine {
  /** Id of the existing line; null for a new line. */
  id: number | null;
  line: NewOrderLine;
}

/**
 * The lines of an order after a change: kept lines as they were bought, new lines as products are sold today.
 */
export async function linesOf(
  tx: Transaction,
  {
    items,
    present,
    place,
  }: { items: readonly ItemInput[]; present: readonly ListedItem[]; place: VatPlace },
): Promise<WantedLine[]> {
  const left = [...present];
  const take = (isMeant: (item: ListedItem) => boolean) => {
    const index = left.findIndex(isMeant);
    return index < 0 ? null : (left.splice(index, 1)[0] ?? null);
  };
  const ids = items.flatMap(({ product }) => product ?? []);
  const known = await tx
    .select()
    .from(products)
    .where(isAmong(products.id, ids))
    .orderBy(products.id)
    .for("key share");
  return items.map(({ id, product: productId, quantity }, index) => {
    const stays =
      take((item) => item.id === id && (productId === null || item.product.id === productId)) ??
      (productId === null ? null : take((item) => item.product.id === productId));
    const product = known.find((row) => row.id === productId);
    if (!product && !stays) throw fail.violation(`orderItems[${index}].product`, UNKNOWN_PRODUCT);
    const productType = stays?.product.type ?? product?.type ?? "physical";
    const vatRateBp = product?.vatRateBp ?? DEFAULT_VAT_RATE;
    return {
      id: stays?.id ?? null,
      line: {
        productId: stays ? stays.product.id : (productId ?? null),
        productType,
        name: stays?.product.name ?? product?.name ?? "",
        image: stays ? stays.product.image : (product?.image ?? null),
        unitPriceCents: stays?.product.priceCents ?? product?.priceCents ?? 0,
        vatRateBp: vatRateAt(place, { vatRateBp, productType }),
        downloadLink: product?.downloadLink ?? null,
        quantity,
      },
    };
  });
}

/**
 * @returns the products whose sales have changed, and the stock changes
 * @throws 409, 422 for more pieces than are free, or fewer than were shipped or refunded
 */
export async function replaceLines(
  tx: Transaction,
  {
    order,
    items,
  }: {
    order: Addressed & Pick<AdminOrderRow, "id" | "status" | "items" | "isVatExempt">;
    items: readonly ItemInput[];
  },
): Promise<{ sold: (number | null)[]; changes: StockChange[] }> {
  const { id: orderId, status, items: present } = order;
  const place = vatPlaceOf({ ...order, ...addressesOf(order) });
  const wanted = await linesOf(tx, { items, present, place });
  if (status === "cancelled" && !areSame({ wanted, present })) throw fail.conflict(CANCELLED_ORDER);
  requireSettledKept({ wanted, present });
  // Old lines are subtracted and new lines added in one call, so that each product is locked once.
  const changes = [
    ...present.map(({ product, quantity }) => ({ productId: product.id, quantity: -quantity })),
    ...wanted.map(({ line }) => ({ productId: line.productId, quantity: line.quantity })),
  ];
  await countSales(tx, { lines: changes });
  const moved = await moveStock(tx, { orderId, lines: changes, wanted });
  const kept = wanted.flatMap(({ id }) => id ?? []);
  await tx.execute(
    sql`delete from order_lines where order_id = ${orderId} and not (${isAmong(sql`id`, kept)})`,
  );
  for (const { id, line } of wanted) {
    const shippedQuantity = shippedAtOnce(line);
    if (id === null) await tx.insert(orderLines).values({ ...line, orderId, shippedQuantity });
    else
      await tx
        .update(orderLines)
        .set({ quantity: line.quantity, ...(shippedQuantity > 0 && { shippedQuantity }) })
        .where(eq(orderLines.id, id));
  }
  return { sold: changes.map(({ productId }) => productId), changes: moved };
}

/**
 * Takes an order's additional pieces out of the stock, and puts its removed pieces back, at most as many as
 * came out of the stock.
 */
async function moveStock(
  tx: Transaction,
  {
    orderId,
    lines,
    wanted,
  }: {
    orderId: number;
    lines: readonly { productId: number | null; quantity: number }[];
    wanted: readonly WantedLine[];
  },
): Promise<StockChange[]> {
  const differences = [...piecesOf(lines)].map(([productId, quantity]) => ({
    productId,
    quantity,
  }));
  const more = differences.filter(({ quantity }) => quantity > 0);
  const { taken, changes, short } = await takeStock(tx, { lines: more });
  refuseShortage({ short, lines: wanted });
  await recordSale(tx, { orderId, taken });
  const out = await takenPieces(tx, { orderId });
  const back = differences.flatMap(({ productId, quantity }) => {
    const pieces = Math.min(-quantity, out.get(productId) ?? 0);
    return pieces > 0 ? [{ productId, quantity: pieces }] : [];
  });
  return [...changes, ...(await returnStock(tx, { orderId, lines: back }))];
}

interface Lines {
  wanted: readonly WantedLine[];
  present: readonly AdminOrderLine[];
}

const areSame = ({ wanted, present }: Lines): boolean =>
  wanted.length === present.length &&
  wanted.every(({ id, line }) =>
    present.some((other) => other.id === id && other.quantity === line.quantity),
  );

/**
 * Shipped and refunded pieces must stay in the order: the stock got them back already, or never will.
 *
 * @throws 409, 422
 */
function requireSettledKept({ wanted, present }: Lines): void {
  for (const { id, product, ...line } of present) {
    const settled = settledPieces({ ...line, productType: product.type });
    if (settled === 0) continue;
    const index = wanted.findIndex((other) => other.id === id);
    const kept = wanted[index];
    if (!kept) throw fail.conflict(LINE_SETTLED);
    if (kept.line.quantity < settled)
      throw fail.violation(`orderItems[${index}].quantity`, fewerThanSettled(settled));
  }
}
