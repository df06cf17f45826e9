import { AdminSellerScreen } from "@/components/backoffice/seller";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Coordonnées du vendeur",
    description: "Qui vend, tel que les factures le nomment.",
    keywords: ["vendeur", "factures", "back office"],
    path: "/backoffice/seller",
    index: false,
  });

export default function Page() {
  return <AdminSellerScreen />;
}
