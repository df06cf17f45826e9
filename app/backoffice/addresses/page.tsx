import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/addresses");

export { AdminAddressesScreen as default } from "@/components/backoffice/addresses";
