import { notFound } from "next/navigation";
import { connection } from "next/server";
import { MailList } from "@/components/mailbox/mail-list";
import { mayReadMailbox } from "@/lib/mailbox/access";
import { listMails } from "@/lib/mailbox/queries";

export default async function Page() {
  await connection();
  // The layout asks, too, but a page is rendered beside its layout, not after it.
  if (!(await mayReadMailbox())) notFound();
  return <MailList mails={await listMails()} />;
}
