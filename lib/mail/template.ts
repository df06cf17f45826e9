import type { ReactNode } from "react";
import type { z } from "zod";

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

export interface MailContext {
  /** The shop's public address, without a slash at its end: links of mails are whole. */
  siteUrl: string;
}

/** How the data of one kind of mail becomes what is sent. The frame is put around `body`. */
export interface MailTemplate<S extends z.ZodType> {
  /** What the outbox keeps, as JSON, until the mail is sent. */
  data: S;
  /**
   * The data opens something (a link with a token): it is encrypted in the outbox, so that reading
   * the table, or a backup of it, opens nothing.
   */
  isConfidential?: boolean;
  /** Seconds after which what it says no longer holds: from then on it is not sent any more. */
  lifetime?: number;
  subject(data: z.output<S>): string;
  /** What a mailbox shows beside the subject. */
  preheader(data: z.output<S>): string;
  body(data: z.output<S>, context: MailContext): ReactNode;
  /**
   * Files that go along, made when the mail is sent, at each attempt. The same data must give the
   * same bytes: the provider recognises a repeated mail by its content, too.
   */
  attachments?(data: z.output<S>): Promise<MailAttachment[]>;
}

/** Infers the type of `data` for the other functions. */
export function defineTemplate<S extends z.ZodType>(template: MailTemplate<S>): MailTemplate<S> {
  return template;
}
