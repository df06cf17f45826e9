import { createHash } from "node:crypto";

// The demonstration's orders were never paid. The ids of their payments contain the amount, so that the
// card sandbox can refund them like any other payment. Stripe does not know these payments.

const PATTERN = /^pi_demo([1-9]\d{0,8})x[0-9A-Za-z]{12}$/;

export function demoPaymentId({
  number,
  totalCents,
}: {
  number: string;
  totalCents: number;
}): string {
  const digest = createHash("sha256").update(number).digest("base64url");
  return `pi_demo${totalCents}x${digest.replace(/[-_]/g, "0").slice(0, 12)}`;
}

/** The amount of a demonstration order's payment, in cents; null for any other payment. */
export function centsOfDemoPayment(id: string): number | null {
  const cents = PATTERN.exec(id)?.[1];
  return cents === undefined ? null : Number(cents);
}
