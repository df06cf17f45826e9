import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/cart");

export { BackofficeCartsScreen as default } from "@/components/backoffice/customers/carts-screen";
