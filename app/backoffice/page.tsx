import { Dashboard } from "@/components/backoffice/dashboard";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice");

export default function Page() {
  return <Dashboard />;
}
