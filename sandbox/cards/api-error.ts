import type { StoredPaymentIntent } from "@/sandbox/cards/records";

interface ErrorDetails {
  type: "api_error" | "card_error" | "idempotency_error" | "invalid_request_error";
  /** In French, since it is shown to buyers. */
  message: string;
  code?: string | undefined;
  param?: string;
  decline_code?: string;
  payment_intent?: StoredPaymentIntent;
}

/** An error response in Stripe's shape; of an invalid request if nothing else is said. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  /**
   * Did the request execute, as opposed to being rejected? Then its effects are kept, and the
   * response is saved under the idempotency key.
   */
  readonly isOutcome: boolean;

  constructor({
    status = 400,
    isOutcome = false,
    ...details
  }: Partial<ErrorDetails> & { message: string; status?: number; isOutcome?: boolean }) {
    super(details.message);
    this.status = status;
    this.details = { type: "invalid_request_error", ...details };
    this.isOutcome = isOutcome;
  }
}

export const invalidParam = (param: string, message: string, code?: string): ApiError =>
  new ApiError({ param, message, code });

/** An unknown object: 404 where the path names it, 400 where a parameter does. */
export function resourceMissing(id: string, param: string, status: 400 | 404 = 404): ApiError {
  const message = `Objet introuvable : '${id}'`;
  return new ApiError({ status, code: "resource_missing", message, param });
}
