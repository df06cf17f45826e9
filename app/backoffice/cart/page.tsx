import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/cart");

export { AdminCartsScreen as default } from "@/components/backoffice/carts";
