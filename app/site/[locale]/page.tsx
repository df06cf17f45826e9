import { displayFontClassName } from "@/app/fonts/newsreader";
import { HomePage } from "@/components/home/home-page";
import { getHomePage } from "@/lib/home/queries";
import { metadataOf } from "@/lib/seo/metadata";
import { listPublicMethods } from "@/lib/shipping-methods/queries";
import { deliveryOffer } from "@/lib/shipping-methods/rules";

export const generateMetadata = () => metadataOf("/");

export default async function Page() {
  const [home, methods] = await Promise.all([getHomePage(), listPublicMethods()]);
  return (
    <div className={displayFontClassName}>
      <HomePage home={home} offer={deliveryOffer(methods)} />
    </div>
  );
}
