import type { CheckoutShipping } from "@/db/schema/checkout";
import { fail } from "@/lib/errors/failure";
import type { ActiveMethod } from "@/lib/shipping-methods/queries";
import { goesTo, offersFor, type Parcel } from "@/lib/shipping-methods/rules";
import {
  METHOD_ELSEWHERE,
  METHOD_GONE,
  METHOD_TOO_WEAK,
  notServed,
  TOO_HEAVY,
} from "@/lib/shipping-methods/texts";

const FIELD = "shippingMethodId";

/**
 * The shipping method of a cart and its price. Null where nothing is to be shipped or the shop has no
 * methods: `methodId` is then ignored.
 *
 * @param methodId null for the cheapest method
 * @throws 422 where no method serves the address, where the chosen method is not offered, does not serve the
 *   address or cannot carry the parcel, and where no method can carry the parcel
 */
export function shippingOf({
  parcel,
  postalCode,
  methods,
  methodId,
}: {
  parcel: Parcel | null;
  /** Of the shipping address. */
  postalCode: string;
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
  if (offer)
    return {
      methodId: offer.id,
      name: offer.name,
      priceCents: offer.offeredCents,
      ...(offer.delay && { delay: offer.delay }),
    };
  const method = methods.find(({ id }) => id === methodId);
  if (!method) throw fail.violation(FIELD, METHOD_GONE);
  throw fail.violation(FIELD, goesTo(method, postalCode) ? METHOD_TOO_WEAK : METHOD_ELSEWHERE);
}
