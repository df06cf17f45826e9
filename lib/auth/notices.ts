import type { Transaction } from "@/db";
import { enqueueMail } from "@/lib/mail/outbox";
import type { SecurityEvent } from "@/lib/mail/templates/security-notice";

/** Mails an account's owner about a change that somebody else might have made. */
export async function sendSecurityNotice(
  tx: Transaction,
  {
    userId,
    email,
    event,
    codesLeft,
  }: { userId: number; email: string; event: SecurityEvent; codesLeft?: number },
): Promise<void> {
  await enqueueMail(tx, {
    template: "security-notice",
    data: { event, at: new Date().toISOString(), codesLeft },
    to: email,
    userId,
  });
}
