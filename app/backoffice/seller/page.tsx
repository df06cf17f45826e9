import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/seller");

export { BackofficeSellerScreen as default } from "@/components/backoffice/seller/seller-screen";
