import { AccountPage } from "@/components/account/account-page";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/account");

export default function Page() {
  return <AccountPage />;
}
