import { LoginPage } from "@/components/auth/auth-pages";
import { ShortFooterMark } from "@/components/layout/short-footer";
import { hasMailbox } from "@/lib/mailbox/queries";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/login");

export default function Page() {
  return (
    <>
      <LoginPage hasMailbox={hasMailbox()} />
      <ShortFooterMark />
    </>
  );
}
