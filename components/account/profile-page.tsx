import { AccountFrame } from "@/components/account/account-frame";
import { ProfileScreen } from "@/components/account/profile-screen";

/** One's own data, two-factor, and the end of the account. */
export function ProfilePage() {
  return (
    <AccountFrame title="Mon profil">
      <ProfileScreen />
    </AccountFrame>
  );
}
