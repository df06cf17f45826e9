import { LoginPage } from "@/components/auth/auth-pages";
import { hasMailbox } from "@/lib/mailbox/queries";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Connexion", path: "/login" });

export default function Page() {
  return <LoginPage hasMailbox={hasMailbox()} />;
}
