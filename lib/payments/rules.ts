/** The state of a payment, whatever the provider calls it. */
export type PaymentState = "open" | "processing" | "paid" | "cancelled";

/** `requires_capture` does not occur: payments are taken at once. */
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
/** Failed attempts, some four hours of them, after which one is logged as an error. */
const ALERT_AFTER_ATTEMPTS = 20;

/** How a failed attempt is logged. */
export const failureLevel = (attempts: number) =>
  attempts >= ALERT_AFTER_ATTEMPTS ? "error" : "warn";

/** Seconds until a failed call about a payment is retried: exponential backoff. */
export function retryDelay(attempts: number): number {
  return Math.min(HOUR / 4, 5 * 2 ** Math.min(attempts, 10));
}
