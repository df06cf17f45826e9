import type { CheckoutShipping } from "@/db/schema/checkout";
import { fail } from "@/lib/errors";
import type { ActiveMethod } from "@/lib/shipping/queries";
import { offersFor, type Parcel } from "@/lib/shipping/rules";
import { METHOD_GONE, METHOD_TOO_WEAK, TOO_HEAVY } from "@/lib/shipping/texts";

const FIELD = "shippingMethodId";

/**
 * How a cart is sent, and for how much; null where nothing is to be sent, or the shop has no methods:
 * then the chosen one does not matter.
 *
 * @param methodId null for the cheapest one, which the cart offers first
 * @throws 422 for one that is not offered or cannot carry the parcel, and where none can
 */
export function shippingOf({
  parcel,
  methods,
  methodId,
}: {
  parcel: Parcel | null;
  /** The active ones. */
  methods: readonly ActiveMethod[];
  methodId: number | null;
}): CheckoutShipping | null {
  if (parcel === null || methods.length === 0) return null;
  const offers = offersFor(methods, parcel);
  const [cheapest] = offers;
  if (!cheapest) throw fail.violation("", TOO_HEAVY);
  const offer = methodId === null ? cheapest : offers.find(({ id }) => id === methodId);
  if (offer) return { methodId: offer.id, name: offer.name, priceCents: offer.offeredCents };
  const isActive = methods.some(({ id }) => id === methodId);
  throw fail.violation(FIELD, isActive ? METHOD_TOO_WEAK : METHOD_GONE);
}
