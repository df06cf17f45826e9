import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/reviews");

export { BackofficeReviewsScreen as default } from "@/components/backoffice/reviews/reviews-screen";
