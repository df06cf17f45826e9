import type { Transaction } from "@/db";
import { contactMail } from "@/lib/env";
import { enqueueMail } from "@/lib/mail/outbox";

/** Mails the owner that an account is closed: somebody else might have closed it. */
export async function sendClosingNotice(
  tx: Transaction,
  {
    template,
    email,
    userId,
    isByShop,
  }: {
    template: "account-deactivated" | "account-erased";
    email: string;
    /** Absent if the account is erased. */
    userId?: number;
    /** Closed by admins, not from within the account. */
    isByShop: boolean;
  },
): Promise<void> {
  await enqueueMail(tx, {
    template,
    data: { at: new Date().toISOString(), isByShop },
    to: email,
    replyTo: contactMail(),
    ...(userId !== undefined && { userId }),
  });
}
