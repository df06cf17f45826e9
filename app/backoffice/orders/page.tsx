import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/orders");

export { AdminOrdersScreen as default } from "@/components/backoffice/orders";
