import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/products");

export { BackofficeProductsScreen as default } from "@/components/backoffice/products/products-screen";
