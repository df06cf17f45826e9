import { notFound } from "next/navigation";
import { connection } from "next/server";
import type { ReactNode } from "react";
import { MailboxFrame } from "@/components/mailbox/mailbox-frame";
import { mayReadMailbox } from "@/lib/mailbox/access";
import { metadataOf } from "@/lib/seo/metadata";

export const generateMetadata = () => metadataOf("/mailbox/:path*");

export default async function MailboxLayout({ children }: { children: ReactNode }) {
  await connection();
  if (!(await mayReadMailbox())) notFound();
  return <MailboxFrame>{children}</MailboxFrame>;
}
