import { ThanksPage } from "@/components/contact/thanks-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/contact/merci");

/** The page after the contact form, in browsers without JavaScript. */
export default function Page() {
  return <ThanksPage />;
}
