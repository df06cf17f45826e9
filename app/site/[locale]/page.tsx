import { HomePage } from "@/components/home/home-page";
import { getHomePage } from "@/lib/home/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/");

export default async function Page() {
  return <HomePage lists={await getHomePage()} />;
}
