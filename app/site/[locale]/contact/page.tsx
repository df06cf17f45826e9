import { ContactPage } from "@/components/contact/contact-page";
import { renewSoon } from "@/lib/http/cache/cache";
import { getPublicSeller } from "@/lib/seller/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/contact");

/** Where the seller's details cannot be read, the page is shown without them, and renewed soon. */
export default async function Page() {
  return <ContactPage seller={await getPublicSeller().catch(renewSoon)} />;
}
