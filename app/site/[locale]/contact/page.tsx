import { ContactPage } from "@/components/contact/contact-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/contact");

export default function Page() {
  return <ContactPage />;
}
