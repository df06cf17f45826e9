import { SessionGuard } from "@/components/auth/session-guard";
import { CheckoutScreen } from "@/components/checkout/checkout-screen";
import { Breadcrumb } from "@/components/ui/breadcrumb";

export function CheckoutPage({ hasTerms }: { hasTerms: boolean }) {
  return (
    <div className="page-column py-6 md:py-8">
      <SessionGuard />
      <Breadcrumb
        items={[
          { label: "Accueil", href: "/" },
          { label: "Panier", href: "/cart" },
          { label: "Commande" },
        ]}
      />
      <h1 className="mt-6 text-title">Commande</h1>
      <p className="mt-6 hidden noscript:block">Cette page a besoin de JavaScript.</p>
      <CheckoutScreen hasTerms={hasTerms} />
    </div>
  );
}
