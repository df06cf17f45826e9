import { AdminReviewsScreen } from "@/components/backoffice/reviews";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/reviews");

export default function Page() {
  return <AdminReviewsScreen />;
}
