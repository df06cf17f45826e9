"use client";

import { CardElement, Elements } from "@stripe/react-stripe-js";
import type { StripeCardElementOptions } from "@stripe/stripe-js";
import { useCallback, useEffect, useState } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import type { OpenedPayment } from "@/components/checkout/checkout-screen";
import { type LoadedStripe, loadStripe } from "@/components/checkout/load-stripe";
import { SandboxNotice } from "@/components/checkout/sandbox-notice";
import { type Problem, usePayment } from "@/components/checkout/use-payment";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { ApiError } from "@/lib/api-error";
import { formatEuros } from "@/lib/money";

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

function PaymentForm({
  payment,
  hasTerms,
  onBack,
  isSandbox,
}: PaymentStepProps & { isSandbox: boolean }) {
  const { pay, isReady, isPaying, isPaid, isDone, problem, clearProblem } = usePayment(payment);
  const [isComplete, setIsComplete] = useState(false);
  const { items, shipping, billing, totalCents } = payment;
  const hasObjects = items.some(({ product }) => product.productType === "physical");
  const hasFiles = items.some(({ product }) => product.productType !== "physical");

  function goBack() {
    // It is not about the payment that is opened next.
    clearProblem();
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
          ...(hasObjects ? [{ title: "Livraison", address: shipping }] : []),
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
      <Consent hasTerms={hasTerms} hasFiles={hasFiles} />
      {problem && <ProblemAlert problem={problem} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row">
        <Button variant="secondary" size="lg" onClick={goBack} disabled={isPaying || isPaid}>
          Retour
        </Button>
        <Button
          type="submit"
          size="lg"
          className="flex-1"
          disabled={!isComplete || !isReady}
          busy={isPaying}
          pendingLabel={isDone ? "Commande enregistrée..." : "Paiement en cours..."}
        >
          {`Payer ${formatEuros(totalCents)} – commande avec obligation de paiement`}
        </Button>
      </div>
    </form>
  );
}

/** What the buyer agrees to by paying. */
function Consent({ hasTerms, hasFiles }: { hasTerms: boolean; hasFiles: boolean }) {
  return (
    <p className="text-muted text-sm">
      {hasTerms && (
        <span>
          En payant, vous acceptez nos{" "}
          <a href="/conditions-generales-de-vente" target="_blank" className="link" rel="noopener">
            conditions générales de vente
          </a>
          .{" "}
        </span>
      )}
      {hasFiles && (
        <span>
          Les fichiers à télécharger sont disponibles dès le paiement&nbsp;: vous y consentez, et
          renoncez pour eux à votre droit de rétractation.
        </span>
      )}
    </p>
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
