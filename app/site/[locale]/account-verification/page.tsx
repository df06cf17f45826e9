import { VerificationPage } from "@/components/auth/auth-pages";
import { metadataOf } from "@/lib/seo/metadata";

// One page for every token, which the browser reads from the URL: lib/pages.ts.
export const generateMetadata = () => metadataOf("/account-verification/:token?");

export default function Page() {
  return <VerificationPage />;
}
