import { CartPage } from "@/components/cart/cart-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/cart");

export default function Page() {
  return <CartPage />;
}
