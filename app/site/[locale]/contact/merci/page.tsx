import { ThanksPage } from "@/components/contact/thanks-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Contact" });

/** Where the contact form leads a browser without JavaScript. */
export default function Page() {
  return <ThanksPage />;
}
