import { ConfirmationPage } from "@/components/orders/confirmation-page";
import { privateMetadata } from "@/lib/seo/metadata";

// One page for every order, which the browser reads from the address: next.config.ts.
export const generateMetadata = () => privateMetadata({ title: "Confirmation de commande" });

export default function Page() {
  return <ConfirmationPage />;
}
