import { ProfilePage } from "@/components/account/profile-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Mon profil", path: "/profile" });

export default function Page() {
  return <ProfilePage />;
}
