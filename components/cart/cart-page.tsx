import { Cart } from "@/components/cart/cart";
import { Breadcrumb } from "@/components/ui/breadcrumb";

export function CartPage() {
  return (
    <div className="page-column py-6 md:py-8">
      <Breadcrumb items={[{ label: "Accueil", href: "/" }, { label: "Panier" }]} />
      <Cart />
    </div>
  );
}
