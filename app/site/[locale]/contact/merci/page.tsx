import { ThanksPage } from "@/components/contact/thanks-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/contact/merci");

/** Where the contact form leads a browser without JavaScript. */
export default function Page() {
  return <ThanksPage />;
}
