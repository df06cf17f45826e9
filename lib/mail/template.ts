import type { ReactNode } from "react";
import type { z } from "zod";

export interface MailAttachment {
  filename: string;
  contentType: string;
  content: Uint8Array;
}

/**
 * Renders one kind of mail from its data. MailFrame is put around `body`.
 *
 * @typeParam D the data to render, if it is more than the outbox stores
 */
export interface MailTemplate<S extends z.ZodType, D = z.output<S>> {
  /** Schema of the data that the outbox stores, as JSON, until the mail is sent. */
  data: S;
  /** Loads the rest of the data, at each attempt. */
  load?(stored: z.output<S>): Promise<D>;
  /**
   * The data contains a secret (a link with a token): it is encrypted in the outbox, so that neither the
   * table nor a backup reveals the secret.
   */
  isConfidential?: boolean;
  /**
   * The recipient's account was erased: the address is encrypted in the outbox, and the row is deleted once
   * the mail is sent or has failed.
   */
  isRecipientErased?: boolean;
  /** Seconds after which the mail is no longer sent. A mail with a lifetime is urgent: it is sent first. */
  lifetime?: number;
  /** The recipient is the shop itself. */
  isToShop?: boolean;
  /** The recipient has bought something: the foot leads to the withdrawal. */
  isAboutOrder?: boolean;
  subject(data: D): string;
  /** The preview text that a mailbox shows beside the subject. */
  preheader(data: D): string;
  /** @param context the shop's public origin, for links */
  body(data: D, context: { siteUrl: string }): ReactNode;
  /**
   * Attached files, created at each attempt. The same data must give the same bytes: the provider compares
   * the content of a mail that is sent again.
   */
  attachments?(data: D): Promise<MailAttachment[]>;
}

/** Infers the parameter types of a template's functions from `data`. */
export function defineTemplate<S extends z.ZodType, D = z.output<S>>(
  template: MailTemplate<S, D>,
): MailTemplate<S, D> {
  return template;
}
