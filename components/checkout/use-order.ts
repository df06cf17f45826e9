"use client";

import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { OpenedCheckout } from "@/components/checkout/checkout-screen";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { ApiError } from "@/lib/api-error";
import { confirmOrder, endCheckout, openPayment } from "@/lib/checkout/client";
import { PAYMENT_FAILED } from "@/lib/checkout/texts";
import { rememberLastOrder } from "@/lib/orders/client";

export interface Problem {
  text: string;
  /** The card has been charged: trying again creates the order. */
  isPaid?: boolean;
  /** Trying again is of no use: the message links to the cart. */
  isAboutCart?: boolean;
}

interface Ordering {
  checkout: OpenedCheckout;
  /** Has the card been charged? */
  isCharged?: () => boolean;
}

/** Returns the id of the payment that confirms the order, or null with a problem set. */
type Pay = () => Promise<string | null>;

/** Pays, creates the order and leads to its confirmation. */
export function useOrder({ checkout, isCharged = () => false }: Ordering) {
  const router = useRouter();
  const [isOrdering, setIsOrdering] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** A ref, since it is set synchronously: the second of two clicks does nothing. */
  const isBusy = useRef(false);

  /** Returns whether the order was made. */
  async function order(pay: Pay): Promise<boolean> {
    if (isBusy.current) return false;
    isBusy.current = true;
    setIsOrdering(true);
    setProblem(null);
    try {
      const paymentIntentId = await pay();
      if (paymentIntentId !== null) {
        finish(await confirmOrder({ ...checkout, paymentIntentId }));
        // The button stays busy until the next page is there.
        return true;
      }
    } catch (error) {
      if (error instanceof ApiError && error.isSessionOver) return false;
      const text = (error instanceof ApiError && error.sentence) || PAYMENT_FAILED;
      // 404 and 409 are permanent, as for a refunded payment; any other error is worth another try.
      const isFinal = error instanceof ApiError && (error.status === 404 || error.status === 409);
      setProblem({ text, isPaid: !isFinal && isCharged(), isAboutCart: isFinal });
    }
    isBusy.current = false;
    setIsOrdering(false);
    return false;
  }

  function finish({ orderId, orderTotal }: { orderId: number; orderTotal: number }) {
    setIsDone(true);
    rememberLastOrder(orderId);
    trackEvent({ ...EVENTS.cartPaid, value: orderTotal });
    trackEvent(EVENTS.orderCompletion);
    endCheckout();
    // Replaces this page in the history: going back leads to the cart, not to a payment.
    router.replace(`/order/${orderId}/confirmation`);
  }

  return { order, isOrdering, isDone, problem, setProblem };
}

/**
 * Sends the choices shown here once more: another tab may have sent other choices for the same payment.
 * Returns false if the cart has another payment by now. Other refusals (a price has changed since, an
 * address was deleted) do not matter: the payment keeps its snapshot.
 */
export async function refreshPayment(checkout: OpenedCheckout): Promise<boolean> {
  try {
    return (await openPayment(checkout)).clientSecret === checkout.clientSecret;
  } catch (error) {
    if (!(error instanceof ApiError) || error.isSessionOver) throw error;
    return true;
  }
}
