import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/reviews");

export { AdminReviewsScreen as default } from "@/components/backoffice/reviews";
