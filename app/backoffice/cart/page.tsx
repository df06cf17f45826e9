import { AdminCartsScreen } from "@/components/backoffice/carts";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des paniers",
    description: "Les paniers des clients\u00a0: ajout, modification, suppression.",
    keywords: ["paniers", "back office"],
    path: "/backoffice/cart",
    index: false,
  });

export default function Page() {
  return <AdminCartsScreen />;
}
