import { PrivateFrame } from "@/components/auth/private-frame";
import { Confirmation } from "@/components/orders/confirmation";
import { metadataOf } from "@/lib/seo/metadata";

// One page for every order, whose id the browser reads from the URL: lib/pages.ts.
export const generateMetadata = () => metadataOf("/order/:id/confirmation");

export default function Page() {
  return (
    <PrivateFrame crumbs={[{ label: "Confirmation de commande" }]}>
      <Confirmation />
    </PrivateFrame>
  );
}
