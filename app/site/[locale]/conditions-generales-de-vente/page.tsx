import { TermsPage } from "@/components/legal/terms-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/conditions-generales-de-vente");

export default async function Page() {
  return <TermsPage seller={await getPublicSeller()} />;
}
