import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/addresses");

export { BackofficeAddressesScreen as default } from "@/components/backoffice/customers/addresses-screen";
