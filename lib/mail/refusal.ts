/** Why a mail was not accepted, and whether a retry can help. */
export class MailRefusal extends Error {
  /** The mail itself is refused: no retry. */
  readonly isPermanent: boolean;
  /** Seconds; the provider's `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(message: string, more: { isPermanent?: boolean; retryAfter?: number } = {}) {
    super(message);
    this.name = "MailRefusal";
    this.isPermanent = more.isPermanent ?? false;
    this.retryAfter = more.retryAfter;
  }
}
