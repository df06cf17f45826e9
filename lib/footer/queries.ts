import { listCategories } from "@/lib/catalogue/labels";
import { EMPTY_FOOTER, type FooterContent } from "@/lib/footer/rules";
import { renewSoon } from "@/lib/http/cache/cache";
import { log } from "@/lib/http/server/log";
import { getPublicSeller } from "@/lib/seller/queries";
import { listPublicMethods } from "@/lib/shipping-methods/queries";
import { deliveryOffer } from "@/lib/shipping-methods/rules";

/** The footer's content. Where it cannot be read, the page is shown without it, and renewed soon. */
export async function getFooter(): Promise<FooterContent> {
  try {
    const [categories, methods, { phone }] = await Promise.all([
      listCategories(),
      listPublicMethods(),
      getPublicSeller(),
    ]);
    return { categories, offer: deliveryOffer(methods), phone };
  } catch (error) {
    log.error({ err: error }, "the footer's content cannot be read");
    await renewSoon();
    return EMPTY_FOOTER;
  }
}
