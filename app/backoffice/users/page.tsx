import { AdminUsersScreen } from "@/components/backoffice/users";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des utilisateurs",
    description: "Les comptes de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["utilisateurs", "back office"],
    path: "/backoffice/users",
    index: false,
  });

export default function Page() {
  return <AdminUsersScreen />;
}
