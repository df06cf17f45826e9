import { AdminOrdersScreen } from "@/components/backoffice/orders";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des commandes",
    description: "Les commandes de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["commandes", "back office"],
    path: "/backoffice/orders",
    index: false,
  });

export default function Page() {
  return <AdminOrdersScreen />;
}
