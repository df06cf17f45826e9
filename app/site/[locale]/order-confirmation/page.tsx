import { PrivateFrame } from "@/components/auth/private-frame";
import { Confirmation } from "@/components/orders/confirmation";
import { metadataOf } from "@/lib/seo/metadata";

// Never stored: Next.js writes the address, with the order's id, into the page.
export const dynamic = "force-dynamic";

export const generateMetadata = () => metadataOf("/order/:id/confirmation");

export default function Page() {
  return (
    <PrivateFrame crumbs={[{ label: "Confirmation de commande" }]}>
      <Confirmation />
    </PrivateFrame>
  );
}
