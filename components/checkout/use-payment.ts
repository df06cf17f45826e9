"use client";

import { useElements, useStripe } from "@stripe/react-stripe-js";
import type { PaymentIntentResult, Stripe, StripeElements } from "@stripe/stripe-js";
import { useRef, useState } from "react";
import type { OpenedCheckout } from "@/components/checkout/checkout-screen";
import { refreshPayment, useOrder } from "@/components/checkout/use-order";
import { readSession } from "@/lib/browser/session";
import { NOT_PAID, TOTAL_CHANGED } from "@/lib/checkout/texts";

/** Charges the card, creates the order and leads to its confirmation. */
export function usePayment(checkout: OpenedCheckout) {
  const stripe = useStripe();
  const elements = useElements();
  /** The card has been charged: there is no way back to the addresses. */
  const [isPaid, setIsPaid] = useState(false);
  /** Payments that were attempted: the result is checked before the next attempt. */
  const attemptedSecrets = useRef(new Set<string>());
  const paidId = useRef<{ secret: string; id: string } | null>(null);
  const { clientSecret, billing } = checkout;
  const isCharged = () => paidId.current?.secret === clientSecret;
  const { setProblem, order, ...ordering } = useOrder({ checkout, isCharged });

  function payWithCard(): Promise<boolean> {
    return order(async () => {
      const card = elements?.getElement("card");
      if (!stripe || !card) return null;
      return charge(stripe, () =>
        stripe.confirmCardPayment(clientSecret, {
          payment_method: { card, billing_details: billingDetails(billing) },
        }),
      );
    });
  }

  /** @param wallet the elements that hold the wallet's button */
  function payWithWallet(wallet: StripeElements): Promise<boolean> {
    return order(async () => {
      if (!stripe) return null;
      return charge(stripe, async () => {
        const { error } = await wallet.submit();
        if (error) return { error };
        return stripe.confirmPayment({
          elements: wallet,
          clientSecret,
          confirmParams: { return_url: window.location.href },
          redirect: "if_required",
        });
      });
    });
  }

  /**
   * Charges the buyer unless that was done before. Returns null, with an error shown, if it fails.
   *
   * @param confirm confirms the payment with the provider
   */
  async function charge(
    stripe: Stripe,
    confirm: () => Promise<PaymentIntentResult>,
  ): Promise<string | null> {
    if (paidId.current && isCharged()) return paidId.current.id;
    // The response to an earlier attempt may have been lost: the payment's status tells.
    if (attemptedSecrets.current.has(clientSecret)) {
      const { paymentIntent } = await stripe.retrievePaymentIntent(clientSecret);
      if (paymentIntent?.status === "succeeded") return recordPaid(paymentIntent.id);
    }
    if (!(await refreshPayment(checkout))) {
      setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
      return null;
    }
    attemptedSecrets.current.add(clientSecret);
    const { error, paymentIntent } = await confirm();
    const result = paymentIntent ?? error?.payment_intent;
    if (result?.status === "succeeded") return recordPaid(result.id);
    // Another tab has opened the payment step with another cart, which canceled this payment.
    if (result?.status === "canceled") setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
    else setProblem({ text: error?.message || NOT_PAID });
    return null;
  }

  function recordPaid(id: string): string {
    paidId.current = { secret: clientSecret, id };
    setIsPaid(true);
    return id;
  }

  return {
    ...ordering,
    order: payWithCard,
    payWithWallet,
    setProblem,
    isPaid,
    isReady: stripe !== null,
  };
}

function billingDetails({
  street,
  complement,
  city,
  postalCode,
  phone,
}: OpenedCheckout["billing"]) {
  const { firstName, lastName } = readSession();
  return {
    name: `${firstName ?? ""} ${lastName ?? ""}`.trim(),
    ...(phone && { phone }),
    address: {
      line1: street,
      ...(complement && { line2: complement }),
      city,
      postal_code: postalCode,
      country: "FR",
    },
  };
}
