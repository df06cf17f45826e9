import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/category");

export { BackofficeCategoriesScreen as default } from "@/components/backoffice/products/categories-screen";
