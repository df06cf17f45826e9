import { createHmac } from "node:crypto";

/**
 * The `Stripe-Signature` header of a webhook.
 *
 * @param secret "whsec_…"
 * @param timestamp seconds since 1970; receivers refuse timestamps older than five minutes
 */
export function signWebhook({
  payload,
  secret,
  timestamp,
}: {
  payload: string;
  secret: string;
  timestamp: number;
}): string {
  const digest = createHmac("sha256", secret).update(`${timestamp}.${payload}`).digest("hex");
  return `t=${timestamp},v1=${digest}`;
}
