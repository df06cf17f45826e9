import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/tags");

export { AdminTagsScreen as default } from "@/components/backoffice/tags";
