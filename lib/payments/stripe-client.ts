import Stripe from "stripe";
import { z } from "zod";
import { Failure, fail } from "@/lib/errors/failure";
import { log } from "@/lib/http/server/log";
import { paymentProvider, STRIPE_API_VERSION } from "@/lib/payment-settings";
import { withSpan } from "@/lib/runtime/span";
import { PROVIDER_AWAY } from "./texts";

// The connection to the payment provider. Only this folder uses Stripe's package on the server. No
// database transaction may be open while one of its functions is awaited.

/** Milliseconds for one response. */
const TIMEOUT = 6_000;
/** Retries use the same idempotency key; the customer waits some 12 seconds at most. */
const MAX_RETRIES = 1;

let current: { client: Stripe; apiBase: string; secretKey: string } | undefined;

export function stripe(): Stripe {
  const { apiBase, secretKey } = paymentProvider();
  if (current?.apiBase === apiBase && current.secretKey === secretKey) return current.client;
  const { protocol, hostname, port } = new URL(apiBase);
  const isHttp = protocol === "http:";
  const client = new Stripe(secretKey, {
    apiVersion: STRIPE_API_VERSION,
    protocol: isHttp ? "http" : "https",
    host: hostname,
    port: port || (isHttp ? 80 : 443),
    timeout: TIMEOUT,
    maxNetworkRetries: MAX_RETRIES,
    telemetry: false,
  });
  current = { client, apiBase, secretKey };
  return client;
}

/** The provider answered with a failure. The caller answers 503. */
export class ProviderRefusal extends Failure {
  constructor(
    /** The provider's answer; `isRepeated` if the same key would get the same answer. */
    readonly answer: {
      isRepeated: boolean;
      status: number;
      code: string;
      message: string;
      requestId: string;
    },
  ) {
    super("unavailable", PROVIDER_AWAY, { retryAfter: 5 });
  }
}

/** Converts errors of the provider's package into the shop's failures. */
export async function callProvider<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withSpan({ name: "payment provider" }, call);
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (!(error instanceof Stripe.errors.StripeError)) {
      // The package throws such an error for JSON of an unknown shape.
      log.error({ err: error }, "payment provider's answer not understood");
      throw fail.unavailable(PROVIDER_AWAY);
    }
    const { type, code, statusCode, requestId, message } = error;
    // An error, not a warning: with an invalid key, nobody can pay.
    const level = statusCode === 401 || statusCode === 403 ? "error" : "warn";
    const about = { type, code, statusCode, providerRequestId: requestId, reason: message };
    log[level](about, "payment provider failed");
    const isUndecided =
      error instanceof Stripe.errors.StripeConnectionError || statusCode === 409 || !statusCode;
    if (isUndecided || statusCode === 429) throw fail.unavailable(PROVIDER_AWAY);
    const headers = error.headers ?? {};
    const isRepeated =
      headers["stripe-should-retry"] === "false" || headers["idempotent-replayed"] === "true";
    throw new ProviderRefusal({
      isRepeated,
      status: statusCode,
      code: code ?? "",
      message,
      requestId: requestId ?? "",
    });
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Stripe.errors.StripeError && error.code === code;
}

/** A response that does not fit the request: it decides nothing. */
export function unexpectedAnswer(answer: unknown): Failure {
  const { id } = z
    .object({ id: z.string().optional().catch(undefined) })
    .catch({})
    .parse(answer);
  log.error({ about: id ?? null }, "payment provider contradicts itself");
  return fail.unavailable(PROVIDER_AWAY);
}
