import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/category");

export { AdminCategoriesScreen as default } from "@/components/backoffice/categories";
