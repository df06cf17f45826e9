import { ResetPasswordPage } from "@/components/auth/auth-pages";
import { metadataOf } from "@/lib/seo/metadata";

// Never stored: Next.js writes the address, with the token, into the page.
export const dynamic = "force-dynamic";

export const generateMetadata = () => metadataOf("/reset-password/:token?");

export default function Page() {
  return <ResetPasswordPage />;
}
