import { notFound } from "next/navigation";
import { MailView } from "@/components/mailbox/mail-view";
import { mayReadMailbox } from "@/lib/mailbox/access";
import { getMail } from "@/lib/mailbox/queries";

export default async function Page({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params;
  const mail = (await mayReadMailbox()) ? await getMail(name) : null;
  if (!mail) notFound();
  return <MailView mail={mail} />;
}
