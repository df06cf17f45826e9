import { LegalPage } from "@/components/legal/legal-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/mentions-legales");

export default async function Page() {
  return <LegalPage seller={await getPublicSeller()} />;
}
