import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/shipping");

export { BackofficeShippingMethodsScreen as default } from "@/components/backoffice/shipping-methods/shipping-methods-screen";
