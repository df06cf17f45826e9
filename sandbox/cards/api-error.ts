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

/** An error response in Stripe's format; by default of an invalid request. */
export class ApiError extends Error {
  readonly status: number;
  readonly details: ErrorDetails;
  /**
   * Whether the request was executed, as opposed to rejected. If it was, its effects are kept and the
   * response is saved under the idempotency key.
   */
  readonly isExecuted: boolean;

  constructor({
    status = 400,
    isExecuted = false,
    ...details
  }: Partial<ErrorDetails> & { message: string; status?: number; isExecuted?: boolean }) {
    super(details.message);
    this.status = status;
    this.details = { type: "invalid_request_error", ...details };
    this.isExecuted = isExecuted;
  }
}

export const invalidParam = (param: string, message: string, code?: string): ApiError =>
  new ApiError({ param, message, code });

/** The error for an unknown object: 404 for an id in the path, 400 for an id in a parameter. */
export function resourceMissing(id: string, param: string, status: 400 | 404 = 404): ApiError {
  const message = `Objet introuvable : '${id}'`;
  return new ApiError({ status, code: "resource_missing", message, param });
}
