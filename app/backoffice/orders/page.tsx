import { AdminOrdersScreen } from "@/components/backoffice/orders";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/orders");

export default function Page() {
  return <AdminOrdersScreen />;
}
