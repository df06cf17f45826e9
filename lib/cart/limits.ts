// In a module of its own: a product's page loads it without the rules for totals, VAT and shipping.

/** The most pieces of one product in a cart. */
export const MAX_QUANTITY = 99;
/** The most different products in a cart. */
export const MAX_LINES = 100;
