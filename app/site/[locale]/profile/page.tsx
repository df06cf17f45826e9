import { ProfilePage } from "@/components/account/profile-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/profile");

export default function Page() {
  return <ProfilePage />;
}
