/** Why a mail was not taken over, and whether trying again can help. */
export class MailRefusal extends Error {
  /** The mail itself is at fault: it will never be taken. */
  readonly isPermanent: boolean;
  /** Seconds that the provider asks us to wait. */
  readonly retryAfter: number | undefined;

  constructor(message: string, more: { isPermanent?: boolean; retryAfter?: number } = {}) {
    super(message);
    this.name = "MailRefusal";
    this.isPermanent = more.isPermanent ?? false;
    this.retryAfter = more.retryAfter;
  }
}
