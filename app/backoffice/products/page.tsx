import { AdminProductsScreen } from "@/components/backoffice/products";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des produits",
    description: "Les produits de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["produits", "back office"],
    path: "/backoffice/products",
    index: false,
  });

export default function Page() {
  return <AdminProductsScreen />;
}
