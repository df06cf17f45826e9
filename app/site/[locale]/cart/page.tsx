import { PrivateFrame } from "@/components/auth/private-frame";
import { Cart } from "@/components/cart/cart";
import { ShortFooterMark } from "@/components/layout/short-footer";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/cart");

export default function Page() {
  return (
    <PrivateFrame crumbs={[{ label: "Panier" }]}>
      <Cart />
      <ShortFooterMark />
    </PrivateFrame>
  );
}
