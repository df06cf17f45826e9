/** Why a mail was not accepted, and whether a retry can help. */
export class MailRefusal extends Error {
  /** The mail itself is refused: no retry. */
  readonly isPermanent: boolean;
  /** The provider's limit of mails per second is reached: retry within seconds. */
  readonly isTooFast: boolean;
  /** Seconds; the provider's `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    message: string,
    more: { isPermanent?: boolean; isTooFast?: boolean; retryAfter?: number | undefined } = {},
  ) {
    super(message);
    this.name = "MailRefusal";
    this.isPermanent = more.isPermanent ?? false;
    this.isTooFast = more.isTooFast ?? false;
    this.retryAfter = more.retryAfter;
  }
}
