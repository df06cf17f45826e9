import { AccountFrame } from "@/components/account/account-frame";
import { OrdersScreen } from "@/components/orders/orders-screen";

export function OrdersPage() {
  return (
    <AccountFrame title="Mes commandes">
      <OrdersScreen />
    </AccountFrame>
  );
}
