"use client";

import { CardElement, Elements } from "@stripe/react-stripe-js";
import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";
import { type LoadedStripe, loadStripe } from "@/components/checkout/load-stripe";
import { OrderForm, type OrderStepProps } from "@/components/checkout/order-form";
import { SandboxNotice } from "@/components/checkout/sandbox-notice";
import { usePayment } from "@/components/checkout/use-payment";
import { Button } from "@/components/ui/button";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiError } from "@/lib/api-error";
import { formatEuros } from "@/lib/money";

/** Step 2: the card. */
export function PaymentStep(props: OrderStepProps) {
  const [loaded, setLoaded] = useState<LoadedStripe | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  const load = useCallback(() => {
    setHasFailed(false);
    loadStripe().then(setLoaded, (error: unknown) => {
      if (!(error instanceof ApiError && error.isSessionOver)) setHasFailed(true);
    });
  }, []);
  useEffect(load, [load]);

  if (hasFailed)
    return (
      <RetryAlert message="Le service de paiement n'a pas pu être chargé." onRetry={load}>
        <Button variant="secondary" onClick={props.onBack}>
          Retour
        </Button>
      </RetryAlert>
    );
  if (!loaded)
    return (
      <>
        <p role="status" className="sr-only">
          Chargement du paiement...
        </p>
        <Skeleton className="h-72" />
      </>
    );
  return (
    <Elements stripe={loaded.stripe} options={ELEMENTS}>
      <PaymentForm {...props} isSandbox={loaded.isSandbox} />
    </Elements>
  );
}

const ELEMENTS = { locale: "fr" } as const;

/** For Stripe's iframe, to which the page's styles do not apply. */
const CARD: StripeCardElementOptions = {
  hidePostalCode: true,
  style: { base: { fontSize: "16px", color: "#15201b", "::placeholder": { color: "#55605a" } } },
};

function PaymentForm({ isSandbox, ...props }: OrderStepProps & { isSandbox: boolean }) {
  const { isReady, isPaid, ...ordering } = usePayment(props.checkout);
  const [isComplete, setIsComplete] = useState(false);
  return (
    <OrderForm
      {...props}
      ordering={ordering}
      isReady={isComplete && isReady}
      isFinal={isPaid}
      consentWords={{ by: "payant", from: "le paiement" }}
      label={`Payer ${formatEuros(props.checkout.totalCents)} – commande avec obligation de paiement`}
      pendingLabel="Paiement en cours..."
    >
      {isSandbox && <SandboxNotice />}
      <CardElement
        options={CARD}
        // The sandbox's fields have their own borders.
        className={isSandbox ? undefined : "control py-3.5"}
        onChange={({ complete }) => setIsComplete(complete)}
      />
    </OrderForm>
  );
}
