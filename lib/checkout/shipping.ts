import type { CheckoutShipping } from "@/db/schema/checkout";
import { fail } from "@/lib/errors";
import type { ActiveMethod } from "@/lib/shipping/queries";
import { goesTo, offersFor, type Parcel } from "@/lib/shipping/rules";
import {
  METHOD_ELSEWHERE,
  METHOD_GONE,
  METHOD_TOO_WEAK,
  notServed,
  TOO_HEAVY,
} from "@/lib/shipping/texts";

const FIELD = "shippingMethodId";

/**
 * How a cart is sent, and for how much; null where nothing is to be sent, or the shop has no methods:
 * then the chosen one does not matter.
 *
 * @param methodId null for the cheapest one
 * @throws 422 for an address that no method serves, for one that is not offered, does not serve the address or
 *   cannot carry the parcel, and where none can
 */
export function shippingOf({
  parcel,
  postalCode,
  methods,
  methodId,
}: {
  parcel: Parcel | null;
  /** Where it is to go. */
  postalCode: string;
  /** The active ones. */
  methods: readonly ActiveMethod[];
  methodId: number | null;
}): CheckoutShipping | null {
  if (parcel === null || methods.length === 0) return null;
  if (!methods.some((method) => goesTo(method, postalCode)))
    throw fail.violation("shippingAddressId", notServed(postalCode));
  const offers = offersFor(methods, parcel, postalCode);
  const [cheapest] = offers;
  if (!cheapest) throw fail.violation("", TOO_HEAVY);
  const offer = methodId === null ? cheapest : offers.find(({ id }) => id === methodId);
  if (offer) return { methodId: offer.id, name: offer.name, priceCents: offer.offeredCents };
  const method = methods.find(({ id }) => id === methodId);
  if (!method) throw fail.violation(FIELD, METHOD_GONE);
  throw fail.violation(FIELD, goesTo(method, postalCode) ? METHOD_TOO_WEAK : METHOD_ELSEWHERE);
}
