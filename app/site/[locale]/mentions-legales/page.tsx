import { LegalPage } from "@/components/legal/legal-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { legalMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => legalMetadata();

export default async function Page() {
  return <LegalPage seller={await getPublicSeller()} />;
}
