import type { Transaction } from "@/db";
import { contactMail } from "@/lib/env";
import { enqueueMail } from "@/lib/mail/outbox";

// Mails about the end of an account, to its owner: somebody else might have closed it.

interface Notice {
  email: string;
  /** Closed by staff, not from within the account. */
  isByShop: boolean;
}

export async function sendDeactivationNotice(
  tx: Transaction,
  { userId, email, isByShop }: Notice & { userId: number },
): Promise<void> {
  await enqueueMail(tx, {
    template: "account-deactivated",
    data: { at: new Date().toISOString(), isByShop },
    to: email,
    replyTo: contactMail(),
    userId,
  });
}

/** Belongs to no account: the one that it is about is gone. */
export async function sendErasureNotice(
  tx: Transaction,
  { email, isByShop }: Notice,
): Promise<void> {
  await enqueueMail(tx, {
    template: "account-erased",
    data: { at: new Date().toISOString(), isByShop },
    to: email,
    replyTo: contactMail(),
  });
}
