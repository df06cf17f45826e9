"use client";

import { CardElement, Elements, useElements } from "@stripe/react-stripe-js";
import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";
import { ExpressCheckout } from "@/components/checkout/express-checkout";
import { type LoadedStripe, loadStripe } from "@/components/checkout/load-stripe";
import { OrderForm, type OrderStepProps } from "@/components/checkout/order-form";
import { SandboxNotice } from "@/components/checkout/sandbox-notice";
import { usePayment } from "@/components/checkout/use-payment";
import { Button } from "@/components/ui/button";
import { LockIcon } from "@/components/ui/icons";
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
      <PaymentForm {...props} loaded={loaded} />
    </Elements>
  );
}

const ELEMENTS = { locale: "fr" } as const;

/** For Stripe's iframe, to which the page's styles do not apply. */
const CARD: StripeCardElementOptions = {
  hidePostalCode: true,
  style: { base: { fontSize: "16px", color: "#15201b", "::placeholder": { color: "#55605a" } } },
};

type PaymentFormProps = OrderStepProps & { loaded: LoadedStripe };

function PaymentForm({ loaded: { stripe, fillCard }, ...props }: PaymentFormProps) {
  const { checkout } = props;
  const { isReady, isPaid, payWithWallet, ...ordering } = usePayment(checkout);
  const elements = useElements();
  const [isComplete, setIsComplete] = useState(false);
  const { problem } = ordering;

  useEffect(() => {
    // The card was declined: another number comes next.
    if (problem && !problem.isPaid && !problem.isAboutCart) elements?.getElement("card")?.focus?.();
  }, [problem, elements]);

  return (
    <OrderForm
      {...props}
      ordering={ordering}
      isReady={isComplete && isReady}
      isFinal={isPaid}
      consentWords={{ by: "payant", from: "le paiement" }}
      label={`Payer ${formatEuros(checkout.totalCents)} – commande avec obligation de paiement`}
      pendingLabel="Paiement en cours..."
      express={
        <ExpressCheckout stripe={stripe} amountCents={checkout.totalCents} onPay={payWithWallet} />
      }
    >
      <div className="flex flex-col gap-3">
        <CardElement
          options={CARD}
          // The sandbox's fields have their own borders.
          className={fillCard ? undefined : "control py-3.5"}
          onChange={({ complete }) => setIsComplete(complete)}
        />
        <p className="flex gap-2 text-muted text-sm">
          <LockIcon size={16} className="mt-0.75 shrink-0" />
          Paiement chiffré par Stripe&nbsp;: votre carte ne passe pas par la boutique.
        </p>
        {fillCard && (
          <SandboxNotice onFill={(number) => fillCard(elements?.getElement("card"), number)} />
        )}
      </div>
    </OrderForm>
  );
}
