import { AdminInvoicesScreen } from "@/components/backoffice/invoices";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Gestion des factures",
    description: "Les factures de la boutique\u00a0: ajout, modification, suppression.",
    keywords: ["factures", "back office"],
    path: "/backoffice/invoices",
    index: false,
  });

export default function Page() {
  return <AdminInvoicesScreen />;
}
