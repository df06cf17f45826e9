import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/shipping");

export { AdminShippingScreen as default } from "@/components/backoffice/shipping";
