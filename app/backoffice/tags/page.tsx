import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/tags");

export { BackofficeTagsScreen as default } from "@/components/backoffice/products/tags-screen";
