import { AddressesPage } from "@/components/addresses/addresses-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/addresses");

export default function Page() {
  return <AddressesPage />;
}
