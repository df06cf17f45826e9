import { env } from "@/lib/env";
import { fileTransport } from "@/lib/mail/files";
import { resendTransport } from "@/lib/mail/resend";
import type { MailAttachment } from "@/lib/mail/template";

/** A mail as it leaves the shop. */
export interface OutgoingMail {
  /**
   * Names this mail, at every attempt and in every instance the same: a transport that has
   * accepted a key already must not send it once more.
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

/** Takes a mail over, or throws a `MailRefusal` (or anything else, which counts as temporary). */
export interface MailTransport {
  send(mail: OutgoingMail): Promise<void>;
}

/** The provider's environment decides, when a mail is sent: nothing is kept between two mails. */
export function getTransport(): MailTransport {
  const { RESEND_API_KEY, RESEND_BASE_URL, MAIL_DIR } = env();
  return RESEND_API_KEY
    ? resendTransport({ apiKey: RESEND_API_KEY, baseUrl: RESEND_BASE_URL })
    : fileTransport({ folder: MAIL_DIR });
}
