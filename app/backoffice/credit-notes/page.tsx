import { AdminCreditNotesScreen } from "@/components/backoffice/credit-notes";
import { pageMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  pageMetadata({
    title: "Avoirs",
    description: "Les avoirs de la boutique\u00a0: un par remboursement.",
    keywords: ["avoirs", "back office"],
    path: "/backoffice/credit-notes",
    index: false,
  });

export default function Page() {
  return <AdminCreditNotesScreen />;
}
