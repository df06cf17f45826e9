import { ForgotPasswordPage } from "@/components/auth/auth-pages";
import { hasMailbox } from "@/lib/mailbox/queries";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  privateMetadata({ title: "Mot de passe oublié", path: "/forget-password" });

export default function Page() {
  return <ForgotPasswordPage hasMailbox={hasMailbox()} />;
}
