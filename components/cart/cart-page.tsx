import { SessionGuard } from "@/components/auth/session-guard";
import { Cart } from "@/components/cart/cart";
import { Breadcrumb } from "@/components/ui/breadcrumb";

export function CartPage() {
  return (
    <div className="page-column py-6 md:py-8">
      <SessionGuard />
      <Breadcrumb items={[{ label: "Accueil", href: "/" }, { label: "Panier" }]} />
      <Cart />
    </div>
  );
}
