import { createHash } from "node:crypto";

// The orders of the demonstration shop were never paid. Their payments' ids say how much they would have
// been, so that the card sandbox can give them back like any other; Stripe does not know them.

const PATTERN = /^pi_demo([1-9]\d{0,8})x[0-9A-Za-z]{12}$/;

/** The id of the payment of a demonstration order. */
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

/** What a demonstration order was paid with; null for any other payment. */
export function centsOfDemoPayment(id: string): number | null {
  const cents = PATTERN.exec(id)?.[1];
  return cents === undefined ? null : Number(cents);
}
