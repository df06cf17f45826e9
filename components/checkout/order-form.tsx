import type { ReactNode } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import type { OpenedCheckout } from "@/components/checkout/checkout-screen";
import type { Problem, useOrder } from "@/components/checkout/use-order";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";

export interface OrderStepProps {
  checkout: OpenedCheckout;
  /** Has the seller published general terms? */
  hasTerms: boolean;
  onBack: () => void;
}

interface OrderFormProps extends OrderStepProps {
  ordering: ReturnType<typeof useOrder>;
  /** Is everything available that the order needs? */
  isReady: boolean;
  /** There is no way back to the addresses. */
  isFinal?: boolean;
  /** Words of the consent: the buyer's act, "payant", and the event that opens the files, "le paiement". */
  consentWords: { by: string; from: string };
  /** The button's text; while it is busy, `pendingLabel`. */
  label: string;
  pendingLabel: string;
  /** Shown above the addresses: the card. */
  children: ReactNode;
}

/** Step 2: the contents of the order, and the button that places the order. */
export function OrderForm({
  checkout,
  hasTerms,
  onBack,
  ordering: { order, isOrdering, isDone, problem, setProblem },
  isReady,
  isFinal = false,
  consentWords,
  label,
  pendingLabel,
  children,
}: OrderFormProps) {
  const { items, shipping, billing } = checkout;
  const hasObjects = items.some(({ product }) => product.productType === "physical");
  const hasFiles = items.some(({ product }) => product.productType !== "physical");

  function goBack() {
    // The problem is not about the step that is opened next.
    setProblem(null);
    onBack();
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-6"
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) void order();
      }}
    >
      {children}
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
      <Consent hasTerms={hasTerms} hasFiles={hasFiles} consentWords={consentWords} />
      {problem && <ProblemAlert problem={problem} />}
      <div className="flex flex-col-reverse gap-3 sm:flex-row">
        <Button variant="secondary" size="lg" onClick={goBack} disabled={isOrdering || isFinal}>
          Retour
        </Button>
        <Button
          type="submit"
          size="lg"
          className="flex-1"
          disabled={!isReady}
          busy={isOrdering}
          pendingLabel={isDone ? "Commande enregistrée..." : pendingLabel}
        >
          {label}
        </Button>
      </div>
    </form>
  );
}

/** The terms that the buyer agrees to by ordering. */
function Consent({
  hasTerms,
  hasFiles,
  consentWords: { by, from },
}: Pick<OrderFormProps, "hasTerms" | "consentWords"> & { hasFiles: boolean }) {
  return (
    <p className="text-muted text-sm">
      {hasTerms && (
        <span>
          <span>{`En ${by}, vous acceptez nos `}</span>
          <a href="/conditions-generales-de-vente" target="_blank" className="link" rel="noopener">
            conditions générales de vente
          </a>
          .{" "}
        </span>
      )}
      {hasFiles && (
        <span>
          {`Les fichiers à télécharger sont disponibles dès ${from}\u00a0: vous y consentez, et renoncez pour eux à votre droit de rétractation.`}
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
