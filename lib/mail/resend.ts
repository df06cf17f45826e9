import { setTimeout as delay } from "node:timers/promises";
import { domainToASCII } from "node:url";
import { Resend } from "resend";
import { MailRefusal } from "@/lib/mail/refusal";
import type { MailTransport, OutgoingMail } from "@/lib/mail/transport";

/** Milliseconds per attempt: far less than a claim lasts. */
const TIMEOUT_MS = 15_000;

/** Milliseconds for which a mail is retried at once while Resend's limit per second is reached. */
const PATIENCE_MS = 10_000;

/**
 * Statuses of a permanent refusal. After all others the mail is retried, even if the shop's owner has to
 * fix a key, a domain or a quota first (401, 403, 429).
 */
const PERMANENT: ReadonlySet<number> = new Set([400, 413, 422]);

/** Whether Resend refuses every mail from this sender: mails wait until MAIL_FROM is fixed. */
const isAboutSender = ({ name, message }: { name: string; message: string }) =>
  name === "invalid_from_address" || /`from` field/i.test(message);

/** Sends through Resend, or a server with the same API. */
export function resendTransport({
  apiKey,
  baseUrl,
  timeout = TIMEOUT_MS,
}: {
  apiKey: string;
  baseUrl: string;
  timeout?: number;
}): MailTransport {
  const resend = new Resend(apiKey, { baseUrl });
  /** @returns null, or why the mail was not accepted */
  async function attempt(mail: OutgoingMail) {
    const { from, subject, html, text, replyTo, attachments } = mail;
    const signal = AbortSignal.timeout(timeout);
    const { error, headers } = await resend.emails.send(
      {
        from,
        to: asciiEmail(mail.to),
        subject,
        html,
        text,
        ...(replyTo !== null && { replyTo: asciiEmail(replyTo) }),
        ...(attachments.length > 0 && {
          attachments: attachments.map(({ content, ...file }) => ({
            ...file,
            content: Buffer.from(content),
          })),
        }),
      },
      { idempotencyKey: mail.key, signal },
    );
    if (error === null) return null;
    if (signal.aborted) return new MailRefusal(`Resend did not answer within ${timeout} ms`);

    const status = typeof error.statusCode === "number" ? error.statusCode : null;
    // The idempotency key was accepted with other content, because a template changed between two attempts:
    // the mail has been sent.
    if (status === 409 && error.name === "invalid_idempotent_request") return null;
    return new MailRefusal(`Resend: ${status ?? "no answer"} ${error.name}: ${error.message}`, {
      isPermanent: status !== null && PERMANENT.has(status) && !isAboutSender(error),
      isTooFast: error.name === "rate_limit_exceeded",
      retryAfter: parseRetryAfter(headers?.["retry-after"]),
    });
  }

  return {
    async send(mail) {
      for (const end = Date.now() + PATIENCE_MS; ; ) {
        const refusal = await attempt(mail);
        if (refusal === null) return;
        const wait = (refusal.retryAfter ?? 1) * 1_000;
        if (!refusal.isTooFast || Date.now() + wait > end) throw refusal;
        await delay(wait);
      }
    },
  };
}

/** Parses `Retry-After`, in seconds or as a date. @returns seconds */
function parseRetryAfter(header: string | undefined): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}

/** A bare e-mail address with its domain in punycode, which every mail server understands. */
function asciiEmail(email: string): string {
  const at = email.lastIndexOf("@") + 1;
  return email.slice(0, at) + (domainToASCII(email.slice(at)) || email.slice(at));
}
