import { AccountFrame } from "@/components/account/account-frame";
import { AddressesScreen } from "@/components/addresses/addresses-screen";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/addresses");

export default function Page() {
  return (
    <AccountFrame title="Mes adresses">
      <AddressesScreen />
    </AccountFrame>
  );
}
