import { DeliveryPage } from "@/components/legal/delivery-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";
import { listPublicMethods } from "@/lib/shipping-methods/queries";

export const generateMetadata = () => metadataOf("/livraison-et-retours");

export default async function Page() {
  const [methods, seller] = await Promise.all([listPublicMethods(), getPublicSeller()]);
  return <DeliveryPage methods={methods} seller={seller} />;
}
