"use client";

import { useElements, useStripe } from "@stripe/react-stripe-js";
import { useRouter } from "next/navigation";
import { useRef, useState } from "react";
import type { OpenedPayment } from "@/components/checkout/checkout-screen";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { ApiError } from "@/lib/api-error";
import { readSession } from "@/lib/browser-session";
import { confirmOrder, endCheckout, openPayment } from "@/lib/checkout/client";
import { NOT_PAID, PAYMENT_FAILED, TOTAL_CHANGED } from "@/lib/checkout/texts";
import { rememberLastOrder } from "@/lib/orders/client";

export interface Problem {
  text: string;
  /** The card has been charged: trying again creates the order. */
  isPaid?: boolean;
  /** Trying again is of no use: links to the cart. */
  isAboutCart?: boolean;
}

/** Charges the card, creates the order and leads to its confirmation. */
export function usePayment(payment: OpenedPayment) {
  const router = useRouter();
  const stripe = useStripe();
  const elements = useElements();
  const [isPaying, setIsPaying] = useState(false);
  const [isDone, setIsDone] = useState(false);
  /** The card has been charged: there is no way back to the addresses. */
  const [isPaid, setIsPaid] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  /** A ref, since it is set synchronously: the second of two clicks does nothing. */
  const isBusy = useRef(false);
  /** Payments with an earlier attempt, whose result is checked before the next one. */
  const attemptedSecrets = useRef(new Set<string>());
  const paidId = useRef<{ secret: string; id: string } | null>(null);
  const { clientSecret, shipping, billing } = payment;

  /** Charges the card unless it was charged before. Returns null, with an error shown, if that fails. */
  async function charge(): Promise<string | null> {
    const card = elements?.getElement("card");
    if (!stripe || !card) return null;
    if (paidId.current?.secret === clientSecret) return paidId.current.id;
    // The response to an earlier attempt may have been lost: the payment's status tells.
    if (attemptedSecrets.current.has(clientSecret)) {
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
      if (paymentIntent?.status === "succeeded") return recordPaid(paymentIntent.id);
    }
    if (!(await refreshPayment(payment))) {
      setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
      return null;
    }
    attemptedSecrets.current.add(clientSecret);
    const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
      payment_method: { card, billing_details: billingDetails(billing) },
    });
    const result = paymentIntent ?? error?.payment_intent;
    if (result?.status === "succeeded") return recordPaid(result.id);
    // Another cart was taken to the payment step in another tab, which canceled this payment.
    if (result?.status === "canceled") setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
    else setProblem({ text: error?.message || NOT_PAID });
    return null;
  }

  function recordPaid(id: string): string {
    paidId.current = { secret: clientSecret, id };
    setIsPaid(true);
    return id;
  }

  async function pay() {
    if (isBusy.current) return;
    isBusy.current = true;
    setIsPaying(true);
    setProblem(null);
    try {
      const paymentIntentId = await charge();
      if (paymentIntentId !== null) {
        finish(await confirmOrder({ shipping, billing, paymentIntentId }));
        // The button stays busy until the next page is there.
        return;
      }
    } catch (error) {
      if (error instanceof ApiError && error.isSessionOver) return;
      const text = (error instanceof ApiError && error.sentence) || PAYMENT_FAILED;
      // Permanent, as for a payment that was refunded, or worth another try?
      const isFinal = error instanceof ApiError && (error.status === 404 || error.status === 409);
      setProblem({
        text,
        isPaid: !isFinal && paidId.current?.secret === clientSecret,
        isAboutCart: isFinal,
      });
    }
    isBusy.current = false;
    setIsPaying(false);
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

  const isReady = stripe !== null;
  const clearProblem = () => setProblem(null);
  return { pay, isReady, isPaying, isPaid, isDone, problem, clearProblem };
}

/**
 * Sends what is shown here once more: in another tab others may have been chosen for the same payment.
 * Returns false if the cart has another payment by now. Other refusals (a price has changed since, an
 * address was deleted) do not matter: the payment keeps its snapshot.
 */
async function refreshPayment(payment: OpenedPayment): Promise<boolean> {
  try {
    return (await openPayment(payment)) === payment.clientSecret;
  } catch (error) {
    if (!(error instanceof ApiError) || error.isSessionOver) throw error;
    return true;
  }
}

function billingDetails({ street, city, postalCode }: OpenedPayment["billing"]) {
  const { firstName, lastName } = readSession();
  return {
    name: `${firstName ?? ""} ${lastName ?? ""}`.trim(),
    address: { line1: street, city, postal_code: postalCode, country: "FR" },
  };
}
