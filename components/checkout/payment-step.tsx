"use client";

import { CardElement, Elements, useElements, useStripe } from "@stripe/react-stripe-js";
import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { useRouter } from "next/navigation";
import { useCallback, useEffect, useRef, useState } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import type { OpenedPayment } from "@/components/checkout/checkout-screen";
import { type LoadedStripe, loadStripe } from "@/components/checkout/load-stripe";
import { SandboxNotice } from "@/components/checkout/sandbox-notice";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { Skeleton } from "@/components/ui/skeleton";
import { trackEvent } from "@/lib/analytics/client";
import { EVENTS } from "@/lib/analytics/events";
import { ApiError } from "@/lib/api-client";
import { readSession } from "@/lib/browser-session";
import { confirmOrder, endCheckout, openPayment } from "@/lib/checkout/client";
import { NOT_PAID, PAYMENT_FAILED, TOTAL_CHANGED } from "@/lib/checkout/texts";
import { formatEuros } from "@/lib/money";
import { rememberLastOrder } from "@/lib/orders/client";

interface PaymentStepProps {
  payment: OpenedPayment;
  /** Has the seller published general terms? */
  hasTerms: boolean;
  onBack: () => void;
}

/** Step 2: the card. */
export function PaymentStep(props: PaymentStepProps) {
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
      <div className="flex flex-col items-start gap-4">
        <Alert kind="error">Le service de paiement n'a pas pu être chargé.</Alert>
        <div className="flex flex-wrap gap-3">
          <Button variant="secondary" onClick={props.onBack}>
            Retour
          </Button>
          <Button onClick={load}>Réessayer</Button>
        </div>
      </div>
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

interface Problem {
  text: string;
  /** The card has been charged: trying again creates the order. */
  isPaid?: boolean;
  /** Trying again is of no use: links to the cart. */
  isAboutCart?: boolean;
}

function PaymentForm({
  payment,
  hasTerms,
  onBack,
  isSandbox,
}: PaymentStepProps & { isSandbox: boolean }) {
  const router = useRouter();
  const stripe = useStripe();
  const elements = useElements();
  const [isComplete, setIsComplete] = useState(false);
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

  const { clientSecret, items, method, shipping, billing, totalCents } = payment;
  const hasFiles = items.some(({ product }) => product.productType !== "physical");

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
    if (!(await refreshPayment())) {
      setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
      return null;
    }
    attemptedSecrets.current.add(clientSecret);
    const { firstName, lastName } = readSession();
    const { error, paymentIntent } = await stripe.confirmCardPayment(clientSecret, {
      payment_method: {
        card,
        billing_details: {
          name: `${firstName ?? ""} ${lastName ?? ""}`.trim(),
          address: {
            line1: billing.street,
            city: billing.city,
            postal_code: billing.postalCode,
            country: "FR",
          },
        },
      },
    });
    const result = paymentIntent ?? error?.payment_intent;
    if (result?.status === "succeeded") return recordPaid(result.id);
    // Another cart was taken to the payment step in another tab, which canceled this payment.
    if (result?.status === "canceled") setProblem({ text: TOTAL_CHANGED, isAboutCart: true });
    else setProblem({ text: error?.message || NOT_PAID });
    return null;
  }

  /**
   * Sends what is shown here once more: in another tab others may have been chosen for the same
   * payment. Returns false if the cart has another payment by now. Other refusals (a price has changed
   * since, an address was deleted) do not matter: the payment keeps its snapshot.
   */
  async function refreshPayment(): Promise<boolean> {
    const chosen = {
      shippingAddressId: shipping.id,
      billingAddressId: billing.id,
      shippingMethodId: method?.id ?? null,
    };
    try {
      return (await openPayment({ ...chosen, total: totalCents / 100 })) === clientSecret;
    } catch (error) {
      if (!(error instanceof ApiError) || error.isSessionOver) throw error;
      return true;
    }
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
        const { orderId, orderTotal } = await confirmOrder({
          shippingAddressId: shipping.id,
          billingAddressId: billing.id,
          paymentIntentId,
        });
        finish({ orderId, orderTotal });
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

  /** Clears the error, which is not about the payment that is opened next. */
  function goBack() {
    setProblem(null);
    onBack();
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isComplete) void pay();
      }}
    >
      {isSandbox && <SandboxNotice />}
      <CardElement
        options={CARD}
        // The sandbox's fields have their own borders.
        className={isSandbox ? undefined : "control py-3.5"}
        onChange={({ complete }) => setIsComplete(complete)}
      />
      <dl className="grid gap-4 rounded-lg bg-surface p-5 sm:grid-cols-2">
        {[
          { title: "Livraison", address: shipping },
          { title: "Facturation", address: billing },
        ].map(({ title, address }) => (
          <div key={title}>
            <dt className="text-muted text-sm">{title}</dt>
            <dd>
              <AddressLines address={address} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="text-muted text-sm">
        {hasTerms && (
          <>
            En payant, vous acceptez nos{" "}
            <a
              href="/conditions-generales-de-vente"
              target="_blank"
              className="link"
              rel="noopener"
            >
              conditions générales de vente
            </a>
            .{" "}
          </>
        )}
        {hasFiles && (
          <>
            Les fichiers à télécharger sont disponibles dès le paiement&nbsp;: vous y consentez, et
            renoncez pour eux à votre droit de rétractation.
          </>
        )}
      </p>
      {problem && <ProblemAlert problem={problem} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row">
        <Button variant="secondary" size="lg" onClick={goBack} disabled={isPaying || isPaid}>
          Retour
        </Button>
        <Button
          type="submit"
          size="lg"
          className="flex-1"
          disabled={!isComplete || !stripe}
          busy={isPaying}
          pendingLabel={isDone ? "Commande enregistrée..." : "Paiement en cours..."}
        >
          Payer {formatEuros(totalCents)} – commande avec obligation de paiement
        </Button>
      </div>
    </form>
  );
}

function ProblemAlert({ problem: { text, isPaid, isAboutCart } }: { problem: Problem }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <Alert kind="error" className="w-full">
        {text}
      </Alert>
      {isAboutCart && (
        <ButtonLink href="/cart" prefetch={false} variant="secondary">
          Voir le panier
        </ButtonLink>
      )}
      {isPaid && (
        <>
          <p className="text-sm">
            Votre paiement a été accepté&nbsp;: réessayez pour finaliser la commande, vous ne serez
            pas débité une seconde fois.
          </p>
          <ButtonLink href="/orders" prefetch={false} variant="secondary" size="sm">
            Voir mes commandes
          </ButtonLink>
        </>
      )}
    </div>
  );
}
