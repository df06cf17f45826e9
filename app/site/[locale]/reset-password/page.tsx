import { ResetPasswordPage } from "@/components/auth/auth-pages";
import { privateMetadata } from "@/lib/seo/metadata";

// One page for every token, which the browser reads from the address: next.config.ts.
export const generateMetadata = () => privateMetadata({ title: "Nouveau mot de passe" });

export default function Page() {
  return <ResetPasswordPage />;
}
