import { AdminCategoriesScreen } from "@/components/backoffice/categories";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/category");

export default function Page() {
  return <AdminCategoriesScreen />;
}
