import { PrivateFrame } from "@/components/auth/private-frame";
import { CheckoutScreen } from "@/components/checkout/checkout-screen";

export function CheckoutPage({ hasTerms }: { hasTerms: boolean }) {
  return (
    <PrivateFrame crumbs={[{ label: "Panier", href: "/cart" }, { label: "Commande" }]}>
      <h1 className="mt-6 text-title">Commande</h1>
      <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
      <CheckoutScreen hasTerms={hasTerms} />
    </PrivateFrame>
  );
}
