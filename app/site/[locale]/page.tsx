import { HomePage } from "@/components/home/home-page";
import { getHomeLists } from "@/lib/home/queries";
import { homeMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => homeMetadata();

export default async function Page() {
  return <HomePage lists={await getHomeLists()} />;
}
