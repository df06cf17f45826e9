import { CartPage } from "@/components/cart/cart-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Panier", path: "/cart" });

export default function Page() {
  return <CartPage />;
}
