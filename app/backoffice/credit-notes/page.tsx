import { AdminCreditNotesScreen } from "@/components/backoffice/credit-notes";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/credit-notes");

export default function Page() {
  return <AdminCreditNotesScreen />;
}
