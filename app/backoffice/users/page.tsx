import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/users");

export { BackofficeUsersScreen as default } from "@/components/backoffice/customers/users-screen";
