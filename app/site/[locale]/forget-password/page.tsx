import { ForgotPasswordPage } from "@/components/auth/auth-pages";
import { hasMailbox } from "@/lib/mailbox/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/forget-password");

export default function Page() {
  return <ForgotPasswordPage hasMailbox={hasMailbox()} />;
}
