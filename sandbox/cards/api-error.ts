import type { StoredPaymentIntent } from "@/sandbox/cards/records";

type ErrorType = "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";

interface ErrorDetails {
  type: ErrorType;
  /** In French, since it is shown to buyers. */
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  payment_intent?: StoredPaymentIntent;
}

/** An error response in Stripe's shape. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Readonly<Record<string, string>>;
  /**
   * Did the request execute, as opposed to being rejected? Then its effects are kept, and the
   * response is saved under the idempotency key.
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

  get body(): { error: ErrorDetails } {
    return { error: this.details };
  }
}

/** An invalid parameter: the request was not executed. */
export function invalidParam(details: {
  message: string;
  param?: string;
  code?: string;
}): ApiError {
  return new ApiError({ status: 400, type: "invalid_request_error", ...details });
}

/** An unknown object: 404 where the path names it, 400 where a parameter does. */
export function resourceMissing({
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

/** An operation that the payment intent's status does not allow. */
export function unexpectedState({
  message,
  intent,
}: {
  message: string;
  intent: StoredPaymentIntent;
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
