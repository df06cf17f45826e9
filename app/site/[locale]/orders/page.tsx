import { OrdersPage } from "@/components/orders/orders-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Mes commandes", path: "/orders" });

export default function Page() {
  return <OrdersPage />;
}
