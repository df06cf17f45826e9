import { AccountFrame } from "@/components/account/account-frame";
import { ProfileScreen } from "@/components/account/profile-screen";

/** Personal data, two-factor authentication, and closing the account. */
export function ProfilePage() {
  return (
    <AccountFrame title="Mon profil">
      <ProfileScreen />
    </AccountFrame>
  );
}
