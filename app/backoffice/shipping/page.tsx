import { AdminShippingScreen } from "@/components/backoffice/shipping";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/shipping");

export default function Page() {
  return <AdminShippingScreen />;
}
