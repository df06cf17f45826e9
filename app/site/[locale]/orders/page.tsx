import { OrdersPage } from "@/components/orders/orders-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/orders");

export default function Page() {
  return <OrdersPage />;
}
