import { AccountFrame } from "@/components/account/account-frame";
import { OrdersScreen } from "@/components/orders/orders-screen";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/orders");

export default function Page() {
  return (
    <AccountFrame title="Mes commandes">
      <OrdersScreen />
    </AccountFrame>
  );
}
