import { type ReactElement, type ReactNode, useEffect, useRef } from "react";
import { AddressLines } from "@/components/addresses/address-lines";
import type { OpenedCheckout } from "@/components/checkout/checkout-screen";
import type { Problem, useOrder } from "@/components/checkout/use-order";
import { Alert } from "@/components/ui/alert";
import { Button, ButtonLink } from "@/components/ui/button";
import { ChevronLeftIcon } from "@/components/ui/icons";
import { arrivalText } from "@/lib/shop/arrival";

export interface OrderStepProps {
  checkout: OpenedCheckout;
  /** Has the seller published general terms? */
  hasTerms: boolean;
  onBack: () => void;
}

interface OrderFormProps extends OrderStepProps {
  ordering: Omit<ReturnType<typeof useOrder>, "order"> & { order: () => Promise<boolean> };
  /** Is everything available that the order needs? */
  isReady: boolean;
  /** There is no way back to the addresses. */
  isFinal?: boolean;
  /** Words of the consent: the buyer's act, "payant", and the event that opens the files, "le paiement". */
  consentWords: { by: string; from: string };
  /** The button's text; while it is busy, `pendingLabel`. */
  label: string;
  pendingLabel: string;
  /** Other ways to pay, above the error and the card. */
  express?: ReactElement;
  /** Shown between the error of the last attempt and the addresses: the card. */
  children: ReactElement;
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
  express,
  children,
}: OrderFormProps) {
  const { items } = checkout;
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
      {express}
      {problem && <ProblemAlert problem={problem} />}
      {children}
      <Recap
        checkout={checkout}
        hasObjects={hasObjects}
        isDisabled={isOrdering || isFinal}
        onChange={goBack}
      />
      <Consent hasTerms={hasTerms} hasFiles={hasFiles} consentWords={consentWords} />
      <Button
        variant="ghost"
        className="-ml-5 self-start"
        onClick={goBack}
        disabled={isOrdering || isFinal}
      >
        <ChevronLeftIcon size={18} />
        Retour
      </Button>
      <div className="action-bar">
        <Button
          type="submit"
          size="lg"
          block
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

/** Where the order goes and by whom, with a way back to step 1. */
function Recap({
  checkout: { shipping, billing, method },
  hasObjects,
  isDisabled,
  onChange,
}: Pick<OrderFormProps, "checkout"> & {
  hasObjects: boolean;
  isDisabled: boolean;
  onChange: () => void;
}) {
  const isSame = hasObjects && shipping.id === billing.id;
  return (
    <dl className="divide-y divide-line rounded-lg border border-line text-sm">
      {hasObjects && (
        <RecapRow
          title="Livraison"
          changeLabel="Modifier la livraison"
          isDisabled={isDisabled}
          onChange={onChange}
        >
          <AddressLines address={shipping} />
          {method && (
            <span className="mt-1 block text-muted">
              {[method.name, arrivalText({ delay: method.delay, from: new Date() }) ?? method.delay]
                .filter(Boolean)
                .join(" · ")}
            </span>
          )}
        </RecapRow>
      )}
      <RecapRow
        title="Facturation"
        changeLabel="Modifier la facturation"
        isDisabled={isDisabled}
        onChange={onChange}
      >
        {isSame ? <span>Même adresse</span> : <AddressLines address={billing} />}
      </RecapRow>
    </dl>
  );
}

function RecapRow({
  title,
  changeLabel,
  isDisabled,
  onChange,
  children,
}: {
  title: string;
  changeLabel: string;
  isDisabled: boolean;
  onChange: () => void;
  children: ReactNode;
}) {
  return (
    <div className="grid grid-cols-[1fr_auto] gap-x-4 px-4 py-3 sm:grid-cols-[7rem_1fr_auto]">
      <dt className="text-muted max-sm:col-span-2">{title}</dt>
      <dd className="min-w-0">{children}</dd>
      <dd>
        <button
          type="button"
          aria-label={changeLabel}
          onClick={onChange}
          disabled={isDisabled}
          className="link min-h-6 disabled:text-muted disabled:no-underline"
        >
          Modifier
        </button>
      </dd>
    </div>
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

function ProblemAlert({ problem }: { problem: Problem }) {
  const { text, isPaid, isAboutCart } = problem;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The pressed button may be far below.
    if (problem) box.current?.scrollIntoView({ block: "center" });
  }, [problem]);
  return (
    <div ref={box} className="flex flex-col items-start gap-3">
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
