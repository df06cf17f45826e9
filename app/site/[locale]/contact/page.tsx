import { ContactPage } from "@/components/contact/contact-page";
import { contactMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => contactMetadata();

export default function Page() {
  return <ContactPage />;
}
