import type { ReactNode } from "react";
import type { z } from "zod";

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * How the data of one kind of mail becomes what is sent. The frame is put around `body`.
 *
 * @typeParam D what the mail is made from, if that is more than the outbox keeps
 */
export interface MailTemplate<S extends z.ZodType, D = z.output<S>> {
  /** What the outbox keeps, as JSON, until the mail is sent. */
  data: S;
  /** Reads the rest, at each attempt. */
  load?(stored: z.output<S>): Promise<D>;
  /**
   * The data holds a secret (a link with a token): it is encrypted in the outbox, so that neither the
   * table nor a backup of it reveals it.
   */
  isConfidential?: boolean;
  /**
   * The recipient's account has been erased: their address is encrypted in the outbox, and the row is
   * deleted once the mail is sent or given up.
   */
  isRecipientErased?: boolean;
  /** Seconds after which it is no longer sent. Its reader waits for it: it goes before the others. */
  lifetime?: number;
  subject(data: D): string;
  /** What a mailbox shows beside the subject. */
  preheader(data: D): string;
  /** @param context the shop's public origin, for links */
  body(data: D, context: { siteUrl: string }): ReactNode;
  /**
   * Files that go along, made when the mail is sent, at each attempt. The same data must give the
   * same bytes: the provider recognises a repeated mail by its content, too.
   */
  attachments?(data: D): Promise<MailAttachment[]>;
}

/** Infers the type of `data` for the other functions. */
export function defineTemplate<S extends z.ZodType, D = z.output<S>>(
  template: MailTemplate<S, D>,
): MailTemplate<S, D> {
  return template;
}
