import { AdminCartsScreen } from "@/components/backoffice/carts";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/cart");

export default function Page() {
  return <AdminCartsScreen />;
}
