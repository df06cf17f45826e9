import { PrivateFrame } from "@/components/auth/private-frame";
import { CheckoutScreen } from "@/components/checkout/checkout-screen";
import { ShortFooterMark } from "@/components/layout/short-footer";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/checkout");

export default async function Page() {
  const { terms } = await getPublicSeller();
  return (
    <PrivateFrame crumbs={[{ label: "Panier", href: "/cart" }, { label: "Commande" }]}>
      <h1 className="mt-6 text-title">Commande</h1>
      <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
      <CheckoutScreen hasTerms={terms !== ""} />
      <ShortFooterMark />
    </PrivateFrame>
  );
}
