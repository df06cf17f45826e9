import { AdminCategoriesScreen } from "@/components/backoffice/categories";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des catégories",
    description: "Les catégories de produits\u00a0: ajout, modification, suppression.",
    keywords: ["catégories", "back office"],
    path: "/backoffice/category",
    index: false,
  });

export default function Page() {
  return <AdminCategoriesScreen />;
}
