import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/orders");

export { BackofficeOrdersScreen as default } from "@/components/backoffice/orders/orders-screen";
