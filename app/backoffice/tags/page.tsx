import { AdminTagsScreen } from "@/components/backoffice/tags";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des tags",
    description: "Les tags des produits\u00a0: ajout, modification, suppression.",
    keywords: ["tags", "back office"],
    path: "/backoffice/tags",
    index: false,
  });

export default function Page() {
  return <AdminTagsScreen />;
}
