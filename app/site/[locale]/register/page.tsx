import { RegisterPage } from "@/components/auth/auth-pages";
import { hasMailbox } from "@/lib/mailbox/queries";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () => privateMetadata({ title: "Inscription", path: "/register" });

export default function Page() {
  return <RegisterPage hasMailbox={hasMailbox()} />;
}
