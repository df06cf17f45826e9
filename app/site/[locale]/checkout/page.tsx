import { CheckoutPage } from "@/components/checkout/checkout-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Commande", path: "/checkout" });

export default async function Page() {
  const { terms } = await getPublicSeller();
  return <CheckoutPage hasTerms={terms !== ""} />;
}
