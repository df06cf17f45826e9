import type Stripe from "stripe";

export type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

export interface ErrorDetails {
  type: ErrorType;
  /** In French: it may be shown. */
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  advice_code?: string;
  network_decline_code?: string;
  charge?: string;
  payment_intent?: Stripe.PaymentIntent;
  payment_method?: Stripe.PaymentMethod;
}

/** An answer other than 200, in Stripe's shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Is it what came out of the request's work, and not a refusal to begin it? Then what was done
   * stays done, and the answer is remembered under the idempotency key.
   */
  readonly isOutcome: boolean;

  constructor({
    status,
    headers = {},
    isOutcome = false,
    ...details
  }: ErrorDetails & { status: number; headers?: Record<string, string>; isOutcome?: boolean }) {
    super(details.message);
    this.status = status;
    this.details = details;
    this.headers = headers;
    this.isOutcome = isOutcome;
  }

  get body(): { error: ErrorDetails & { doc_url?: string } } {
    const { code } = this.details;
    return { error: { ...this.details, ...(code ? { doc_url: documentationOf(code) } : {}) } };
  }
}

export function documentationOf(code: string): string {
  return `https://stripe.com/docs/error-codes/${code.replaceAll("_", "-")}`;
}

/** A parameter that cannot be accepted: nothing was begun. */
export function invalidParam(details: {
  message: string;
  param?: string;
  code?: string;
}): ApiError {
  return new ApiError({ status: 400, type: "invalid_request_error", ...details });
}

/** Something that does not exist: 404 for the address itself, 400 for what a parameter names. */
export function missing({
  what,
  id,
  param,
  status = 404,
}: {
  what: string;
  id: string;
  param: string;
  status?: 400 | 404;
}): ApiError {
  return new ApiError({
    status,
    type: "invalid_request_error",
    code: "resource_missing",
    message: `Objet introuvable (${what}) : '${id}'`,
    param,
  });
}

/** What a payment's state does not allow. */
export function unexpectedState({
  message,
  intent,
}: {
  message: string;
  intent: Stripe.PaymentIntent;
}): ApiError {
  return new ApiError({
    status: 400,
    type: "invalid_request_error",
    code: "payment_intent_unexpected_state",
    message,
    payment_intent: intent,
    isOutcome: true,
  });
}
