import type Stripe from "stripe";

/**
 * The version of Stripe's API that is spoken on both sides. It is the one that the installed
 * package describes in its types: after an upgrade of the package the compiler points here.
 */
export const STRIPE_API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";
