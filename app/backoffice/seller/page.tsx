import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/seller");

export { AdminSellerScreen as default } from "@/components/backoffice/seller";
