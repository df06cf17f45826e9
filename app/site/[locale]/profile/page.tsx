import { AccountFrame } from "@/components/account/account-frame";
import { ProfileScreen } from "@/components/account/profile-screen";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/profile");

export default function Page() {
  return (
    <AccountFrame title="Mon profil">
      <ProfileScreen />
    </AccountFrame>
  );
}
