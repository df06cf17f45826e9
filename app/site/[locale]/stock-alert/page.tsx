import { ConfirmationPage } from "@/components/stock-alerts/confirmation-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/stock-alert");

export default function Page() {
  return <ConfirmationPage />;
}
