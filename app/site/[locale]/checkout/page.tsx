import { CheckoutPage } from "@/components/checkout/checkout-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/checkout");

export default async function Page() {
  const { terms } = await getPublicSeller();
  return <CheckoutPage hasTerms={terms !== ""} />;
}
