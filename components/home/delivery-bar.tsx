import { HoverPrefetchLink } from "@/components/ui/hover-prefetch-link";
import type { DeliveryOffer } from "@/lib/shipping-methods/rules";
import { FREE, freeFrom, startingFrom } from "@/lib/shipping-methods/texts";
import { CHANGE_OF_MIND } from "@/lib/withdrawals/texts";

/** The line above the banner: what delivery costs, and the right to return. */
export function DeliveryBar({ offer }: { offer: DeliveryOffer | null }) {
  return (
    <p className="bg-accent-strong text-on-accent text-xs">
      <HoverPrefetchLink
        href="/livraison-et-retours"
        prefetch={false}
        className="page-column flex min-h-9 items-center justify-center text-center underline-offset-4 hover:underline focus-visible:-outline-offset-4 focus-visible:outline-on-accent"
      >
        {offer && <span>{deliveryText(offer)}</span>}
        {/* A phone has room for one of them. */}
        <span className={offer ? "max-sm:hidden" : undefined}>
          {offer ? `\u00a0· ${CHANGE_OF_MIND}` : CHANGE_OF_MIND}
        </span>
      </HoverPrefetchLink>
    </p>
  );
}

function deliveryText({ fromCents, freeFromCents }: DeliveryOffer): string {
  return freeFromCents === null ? startingFrom(fromCents) : `${FREE} ${freeFrom(freeFromCents)}`;
}
