import { env } from "@/lib/env";
import { fileTransport } from "@/lib/mail/files";
import { resendTransport } from "@/lib/mail/resend";
import type { MailAttachment } from "@/lib/mail/template";

/** A rendered mail. */
export interface OutgoingMail {
  /**
   * Idempotency key, the same at every attempt and in every instance: a transport must not send a mail again
   * whose key it has accepted.
   */
  key: string;
  createdAt: Date;
  from: string;
  to: string;
  replyTo: string | null;
  subject: string;
  html: string;
  text: string;
  attachments: readonly MailAttachment[];
}

/** Sends a mail, or throws a `MailRefusal`. Any other error counts as temporary. */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
}

/** The transport that the environment configures; read for each mail. */
export function getTransport(): MailTransport {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_DIR } = env();
  return RESEND_API_KEY
    ? resendTransport({ apiKey: RESEND_API_KEY, baseUrl: RESEND_BASE_URL })
    : fileTransport({ folder: MAIL_DIR });
}
