import { AdminAddressesScreen } from "@/components/backoffice/addresses";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des adresses",
    description: "Les adresses des clients\u00a0: ajout, modification, suppression.",
    keywords: ["adresses", "back office"],
    path: "/backoffice/addresses",
    index: false,
  });

export default function Page() {
  return <AdminAddressesScreen />;
}
