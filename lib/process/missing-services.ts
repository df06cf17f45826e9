import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";

/** Called at the start: says in the log what a shop that is no demonstration lacks. */
export function warnOfMissingServices(): void {
  const { SHOP_DEMO, RESEND_API_KEY, STRIPE_SECRET_KEY, MAIL_DIR } = env();
  if (SHOP_DEMO) return;
  if (RESEND_API_KEY === undefined)
    log.warn({ variable: "RESEND_API_KEY", folder: MAIL_DIR }, "no mail is sent, only written");
  if (STRIPE_SECRET_KEY === undefined)
    log.warn({ variable: "STRIPE_SECRET_KEY" }, "test cards pay for orders, no money moves");
}
