import { ConfirmationPage } from "@/components/orders/confirmation-page";
import { metadataOf } from "@/lib/seo/metadata";

// One page for every order, which the browser reads from the address: lib/pages.ts.
export const generateMetadata = () => metadataOf("/order/:id/confirmation");

export default function Page() {
  return <ConfirmationPage />;
}
