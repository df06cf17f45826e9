import { AccountPage } from "@/components/account/account-page";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Mon compte", path: "/account" });

export default function Page() {
  return <AccountPage />;
}
