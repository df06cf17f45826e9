import { AdminAddressesScreen } from "@/components/backoffice/addresses";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/addresses");

export default function Page() {
  return <AdminAddressesScreen />;
}
