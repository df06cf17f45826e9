import { Dashboard } from "@/components/backoffice/dashboard";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Tableau de bord",
    description: "Les chiffres du jour et l'évolution des commandes de la boutique.",
    keywords: ["tableau de bord", "back office"],
    path: "/backoffice",
    index: false,
  });

export default function Page() {
  return <Dashboard />;
}
