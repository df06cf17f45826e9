/** The shop's own names for the states of a payment. */
export type PaymentState = "open" | "processing" | "paid" | "cancelled";

/** `requires_capture` does not occur: payments are captured at once. */
export function paymentState(status: string): PaymentState {
  switch (status) {
    case "succeeded":
      return "paid";
    case "canceled":
      return "cancelled";
    case "processing":
    case "requires_capture":
      return "processing";
    default:
      return "open";
  }
}

const HOUR = 60 * 60;
/** Failed attempts (some four hours) after which a further failure is logged as an error. */
const ALERT_AFTER_ATTEMPTS = 20;

/** The log level of a failed attempt. */
export const failureLevel = (attempts: number) =>
  attempts >= ALERT_AFTER_ATTEMPTS ? "error" : "warn";

/** Seconds until a failed call about a payment is retried: exponential backoff. */
export function retryDelay(attempts: number): number {
  return Math.min(HOUR / 4, 5 * 2 ** Math.min(attempts, 10));
}
