import { CheckoutPage } from "@/components/checkout/checkout-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Commande", path: "/checkout" });

export default function Page() {
  return <CheckoutPage />;
}
