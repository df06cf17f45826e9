import { notFound } from "next/navigation";
import { connection } from "next/server";
import { MailList } from "@/components/mailbox/mail-list";
import { hasMailbox, listMails } from "@/lib/mail/mailbox";

export default async function Page() {
  await connection();
  // The layout asks, too, but a page is rendered beside its layout, not after it.
  if (!hasMailbox()) notFound();
  return <MailList mails={await listMails()} />;
}
