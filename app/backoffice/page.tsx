import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice");

export { Dashboard as default } from "@/components/backoffice/dashboard/dashboard";
