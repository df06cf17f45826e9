import { VerificationPage } from "@/components/auth/auth-pages";
import { metadataOf } from "@/lib/seo/metadata";

// Never stored: Next.js writes the address, with the token, into the page.
export const dynamic = "force-dynamic";

export const generateMetadata = () => metadataOf("/account-verification/:token?");

export default function Page() {
  return <VerificationPage />;
}
