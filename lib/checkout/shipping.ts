import type { CheckoutShipping } from "@/db/schema/checkout";
import { fail } from "@/lib/errors";
import type { ActiveMethod } from "@/lib/shipping/queries";
import { offersFor, type Parcel } from "@/lib/shipping/rules";
import { METHOD_GONE, METHOD_REQUIRED, METHOD_TOO_WEAK, TOO_HEAVY } from "@/lib/shipping/texts";

const FIELD = "shippingMethodId";

/**
 * How a cart is sent, and for how much; null where nothing is to be sent, or the shop has no methods:
 * then the chosen one does not matter.
 *
 * @throws 422 where none was chosen, or one that is not offered or cannot carry the parcel
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
  if (offers.length === 0) throw fail.violation("", TOO_HEAVY);
  if (methodId === null) throw fail.violation(FIELD, METHOD_REQUIRED);
  const offer = offers.find(({ id }) => id === methodId);
  if (offer) return { methodId, name: offer.name, priceCents: offer.offeredCents };
  const isActive = methods.some(({ id }) => id === methodId);
  throw fail.violation(FIELD, isActive ? METHOD_TOO_WEAK : METHOD_GONE);
}
