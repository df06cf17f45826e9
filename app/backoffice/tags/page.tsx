import { AdminTagsScreen } from "@/components/backoffice/tags";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/tags");

export default function Page() {
  return <AdminTagsScreen />;
}
