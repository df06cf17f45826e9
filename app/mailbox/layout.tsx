import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { MailboxFrame } from "@/components/mailbox/mailbox-frame";
import { hasMailbox } from "@/lib/mail/mailbox";
import { privateMetadata } from "@/lib/seo/metadata";

export const generateMetadata = () =>
  privateMetadata({ title: "Boîte aux lettres de démonstration" });

export default async function MailboxLayout({ children }: { children: ReactNode }) {
  await connection();
  if (!hasMailbox()) notFound();
  return <MailboxFrame>{children}</MailboxFrame>;
}
