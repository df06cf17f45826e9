import { AdminSellerScreen } from "@/components/backoffice/seller";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/seller");

export default function Page() {
  return <AdminSellerScreen />;
}
