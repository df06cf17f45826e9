import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/products");

export { AdminProductsScreen as default } from "@/components/backoffice/products";
