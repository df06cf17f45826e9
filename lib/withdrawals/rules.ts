import { addDays, daysUntil } from "@/lib/dates";
import { normalise } from "@/lib/normalise";
import { workingDayFrom } from "@/lib/working-days";

/** Days that a consumer has after receiving an object (Code de la consommation, L221-18). */
const WITHDRAWAL_DAYS = 14;

/** Days after a withdrawal in which the shop has to refund (L221-24). */
const REFUND_DAYS = 14;

/** Days that the law leaves for the delivery (L216-1). */
const DELIVERY_DAYS = 30;

/** Characters in which a buyer may say which objects. */
export const ITEMS_MAX_LENGTH = 500;

/** Characters of a refusal's reason. */
export const REFUSAL_REASON_LENGTH = 1_000;

/** A parcel of the order, as far as staff have said when it arrived. */
interface SentParcel {
  shippedAt: Date;
  deliveredAt: Date | null;
}

/**
 * May the period still run? The shop does not know when an order was received: it takes the latest
 * day. A parcel that leaves or arrives late prolongs it. The period ends with its last day; where that
 * is a Saturday, a Sunday or a public holiday, with the next working day (L221-19). A withdrawal that
 * comes too late after all is the seller's to refuse.
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

/** Until when the shop has to refund: no weekend prolongs that. */
export const refundDate = (withdrawnAt: Date): Date => addDays(withdrawnAt, REFUND_DAYS);

/** "Encore 3 jours", "Dernier jour", "En retard de 2 jours". */
export function dueText(days: number): string {
  if (days === 0) return "Dernier jour";
  const text = `${Math.abs(days)}\u00a0${Math.abs(days) === 1 ? "jour" : "jours"}`;
  return days > 0 ? `Encore ${text}` : `En retard de ${text}`;
}

/** Between spaces, so that only whole words are found. */
const plain = (text: string) => ` ${normalise(text)} `;

/**
 * The objects that a buyer's sentence names as the order does, whatever its accents, case and punctuation. A
 * name that stands only within a longer one is not meant.
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
 * What the refund of a withdrawal begins with: the objects that the buyer has named, otherwise all of them;
 * "all" where that is the whole order. Where nothing was named, what the delivery has cost goes back, too
 * (L221-24): files are not sent.
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
