import { RegisterPage } from "@/components/auth/auth-pages";
import { ShortFooterMark } from "@/components/layout/short-footer";
import { hasMailbox } from "@/lib/mailbox/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/register");

export default function Page() {
  return (
    <>
      <RegisterPage hasMailbox={hasMailbox()} />
      <ShortFooterMark />
    </>
  );
}
