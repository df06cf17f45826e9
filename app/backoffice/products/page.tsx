import { AdminProductsScreen } from "@/components/backoffice/products";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/products");

export default function Page() {
  return <AdminProductsScreen />;
}
