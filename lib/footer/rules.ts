import type { CatalogueLabel } from "@/lib/catalogue/rules";
import type { DeliveryOffer } from "@/lib/shipping-methods/rules";

/** What the footer of every page says of this shop. */
export interface FooterContent {
  categories: readonly CatalogueLabel[];
  /** Null where no shipping method goes to mainland France. */
  offer: DeliveryOffer | null;
  /** Empty where the seller gave none. */
  phone: string;
}

/** The footer of a page that knows nothing of the shop, or cannot ask for it. */
export const EMPTY_FOOTER: FooterContent = { categories: [], offer: null, phone: "" };
