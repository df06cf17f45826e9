import { VerificationPage } from "@/components/auth/auth-pages";
import { privateMetadata } from "@/lib/seo/metadata";

// One page for every token, which the browser reads from the address: next.config.ts.
export const generateMetadata = () => privateMetadata({ title: "Vérification de votre compte" });

export default function Page() {
  return <VerificationPage />;
}
