import { AdminInvoicesScreen } from "@/components/backoffice/invoices";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/invoices");

export default function Page() {
  return <AdminInvoicesScreen />;
}
