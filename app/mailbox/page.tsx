import { notFound } from "next/navigation";
import { connection } from "next/server";
import { MailList } from "@/components/mailbox/mail-list";
import { mayReadMailbox } from "@/lib/mailbox/access";
import { listMails } from "@/lib/mailbox/queries";

export default async function Page() {
  await connection();
  // Checked in the layout, too, but Next.js renders the page in parallel with the layout.
  if (!(await mayReadMailbox())) notFound();
  return <MailList mails={await listMails()} />;
}
