import type Stripe from "stripe";

/**
 * The version of Stripe's API that shop and sandbox use: the one of the installed package's types, so
 * that after an upgrade of the package the compiler points here.
 */
export const STRIPE_API_VERSION: Stripe.LatestApiVersion = "2026-10-28.endive";
