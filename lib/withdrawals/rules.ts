/** Days that a consumer has after receiving an object (Code de la consommation, L221-18). */
const WITHDRAWAL_DAYS = 14;

/** Days after a withdrawal in which the shop has to refund (L221-24). */
const REFUND_DAYS = 14;

/** Days that the law leaves for the delivery (L216-1). */
const DELIVERY_DAYS = 30;

const DAY = 24 * 3600 * 1000;

/** Characters in which a buyer may say which objects. */
export const ITEMS_MAX_LENGTH = 500;

/**
 * May the period still run? The shop does not know when an order was received: it takes the latest
 * day. A withdrawal that comes too late after all is the seller's to refuse.
 */
export const isWithinPeriod = (orderedAt: Date, now = Date.now()): boolean =>
  now <= orderedAt.getTime() + (DELIVERY_DAYS + WITHDRAWAL_DAYS) * DAY;

/** Until when the shop has to refund. */
export const refundDate = (withdrawnAt: Date): Date =>
  new Date(withdrawnAt.getTime() + REFUND_DAYS * DAY);
