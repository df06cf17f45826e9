import { TermsPage } from "@/components/legal/terms-page";
import { getPublicSeller } from "@/lib/seller/queries";
import { termsMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => termsMetadata();

export default async function Page() {
  return <TermsPage seller={await getPublicSeller()} />;
}
