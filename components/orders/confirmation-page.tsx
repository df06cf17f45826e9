import { SessionGuard } from "@/components/auth/session-guard";
import { Confirmation } from "@/components/orders/confirmation";
import { Breadcrumb } from "@/components/ui/breadcrumb";

export function ConfirmationPage() {
  return (
    <div className="page-column py-6 md:py-8">
      <SessionGuard />
      <Breadcrumb
        items={[{ label: "Accueil", href: "/" }, { label: "Confirmation de commande" }]}
      />
      <Confirmation />
    </div>
  );
}
