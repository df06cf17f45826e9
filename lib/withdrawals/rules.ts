import { addDays, daysUntil } from "@/lib/dates";
import { workingDayFrom } from "@/lib/shop/working-days";
import { normalise } from "@/lib/text/normalise";
import { piecesText } from "@/lib/text/pieces-text";

/** Days that a consumer has after receiving an object (Code de la consommation, L221-18). */
export const WITHDRAWAL_DAYS = 14;

/** Days after a withdrawal within which the shop must refund (L221-24). */
const REFUND_DAYS = 14;

/** Days that the law allows for the delivery (L216-1). */
const DELIVERY_DAYS = 30;

/** Most characters of the buyer's description of the objects. */
export const ITEMS_MAX_LENGTH = 500;

/** Most characters of a refusal's reason. */
export const REFUSAL_REASON_LENGTH = 1_000;

/** A parcel of the order; `deliveredAt` is null until admins enter the date. */
interface SentParcel {
  shippedAt: Date;
  deliveredAt: Date | null;
}

/**
 * May the period still run? The shop does not know when an order was received, so it assumes the latest day.
 * A parcel that leaves or arrives late extends the period. The period ends with its last day; where that day
 * is a Saturday, a Sunday or a public holiday, with the next working day (L221-19). If a withdrawal is too
 * late after all, the seller has to refuse it.
 */
export function isWithinPeriod(
  { orderedAt, parcels }: { orderedAt: Date; parcels: readonly SentParcel[] },
  now = new Date(),
): boolean {
  const isWithin = (days: number, from: Date) =>
    daysUntil(workingDayFrom(addDays(from, days)), now) >= 0;
  const onTheWay = DELIVERY_DAYS + WITHDRAWAL_DAYS;
  return (
    isWithin(onTheWay, orderedAt) ||
    parcels.some(({ shippedAt, deliveredAt }) =>
      deliveredAt ? isWithin(WITHDRAWAL_DAYS, deliveredAt) : isWithin(onTheWay, shippedAt),
    )
  );
}

/** The last day for the refund: weekends do not extend it. */
export const refundDate = (withdrawnAt: Date): Date => addDays(withdrawnAt, REFUND_DAYS);

/** "Encore 3 jours", "Dernier jour", "En retard de 2 jours". */
export function dueText(days: number): string {
  if (days === 0) return "Dernier jour";
  const text = `${Math.abs(days)}\u00a0${Math.abs(days) === 1 ? "jour" : "jours"}`;
  return days > 0 ? `Encore ${text}` : `En retard de ${text}`;
}

/**
 * The sentence of a withdrawal: the chosen pieces; empty where all are chosen. Where there is no room for all,
 * names are cut.
 */
export function itemsText(
  objects: readonly { name: string; quantity: number; left: number }[],
): string {
  if (objects.every(({ quantity, left }) => quantity === left)) return "";
  const chosen = objects.filter(({ quantity }) => quantity > 0);
  const text = piecesText(chosen);
  if (text.length <= ITEMS_MAX_LENGTH) return text;
  // Ten characters are the number, the sign and the comma.
  const room = Math.max(Math.floor(ITEMS_MAX_LENGTH / chosen.length) - 10, 1);
  return piecesText(chosen.map(({ name, ...rest }) => ({ ...rest, name: name.slice(0, room) })));
}

/** Padded with spaces, so that only whole words match. */
const plain = (text: string) => ` ${normalise(text)} `;

/**
 * The objects whose name in the order occurs in the buyer's sentence; accents, case and punctuation do not
 * matter. A name found only within a longer name does not count.
 */
export function objectsNamed<T extends { name: string }>(
  sentence: string | null,
  objects: readonly T[],
): T[] {
  let words = plain(sentence ?? "");
  const named = new Set<string>();
  const names = new Set(objects.map(({ name }) => plain(name)));
  for (const name of [...names].sort((a, b) => b.length - a.length)) {
    if (!words.includes(name)) continue;
    named.add(name);
    words = words.replaceAll(name, " | ");
  }
  return objects.filter(({ name }) => named.has(plain(name)));
}

interface OrderItem {
  item: number;
  name: string;
  quantity: number;
}

/**
 * The initial values of a withdrawal's refund: the objects that the buyer has named, otherwise all objects;
 * "all" where that is the whole order. Where no objects were named, the delivery is refunded, too (L221-24),
 * even if the order has files: files are not sent.
 */
export function itemsToRefund({
  items,
  orderItems,
  hasFiles,
}: {
  /** In the buyer's words; empty for all, null once the account was erased. */
  items: string | null;
  orderItems: readonly OrderItem[];
  hasFiles: boolean;
}): "all" | { items: { item: number; quantity: number }[]; shipping: boolean } {
  if (!items && !hasFiles) return "all";
  const named = objectsNamed(items, orderItems);
  const chosen = named.length > 0 ? named : orderItems;
  return { items: chosen.map(({ item, quantity }) => ({ item, quantity })), shipping: !items };
}
