import { AccountFrame } from "@/components/account/account-frame";
import { AddressesScreen } from "@/components/addresses/addresses-screen";

export function AddressesPage() {
  return (
    <AccountFrame title="Mes adresses">
      <AddressesScreen />
    </AccountFrame>
  );
}
