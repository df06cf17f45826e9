import { notFound } from "next/navigation";
import { MailView } from "@/components/mailbox/mail-view";
import { getMail, hasMailbox } from "@/lib/mail/mailbox";

export default async function Page({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params;
  const mail = hasMailbox() ? await getMail(name) : null;
  if (!mail) notFound();
  return <MailView mail={mail} />;
}
