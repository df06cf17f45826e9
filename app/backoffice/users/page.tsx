import { AdminUsersScreen } from "@/components/backoffice/users";
import { screenMetadata } from "@/lib/seo/screens";

export const generateMetadata = () => screenMetadata("/backoffice/users");

export default function Page() {
  return <AdminUsersScreen />;
}
