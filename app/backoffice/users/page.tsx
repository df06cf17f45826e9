import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/users");

export { AdminUsersScreen as default } from "@/components/backoffice/users";
