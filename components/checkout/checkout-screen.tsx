"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useCart } from "@/components/cart/use-cart";
import { AddressStep } from "@/components/checkout/address-step";
import { CheckoutSummary } from "@/components/checkout/checkout-summary";
import { ShippingChoice } from "@/components/checkout/shipping-choice";
import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";
import { useLoaded } from "@/components/ui/use-loaded";
import { type AddressJson, listAddresses } from "@/lib/addresses/client";
import { ApiError } from "@/lib/api-error";
import { cartState, refreshCart } from "@/lib/cart/client";
import {
  type CartItemJson,
  canCheckOut,
  chosenOffer,
  itemTotals,
  offerPriceCents,
  type ShippingOfferJson,
} from "@/lib/cart/rules";
import { LOAD_FAILED } from "@/lib/cart/texts";
import { openPayment } from "@/lib/checkout/client";
import { PAYMENT_FAILED } from "@/lib/checkout/texts";

// Lazy, since it brings Stripe's elements along.
const loadPaymentStep = () => import("@/components/checkout/payment-step");
const PaymentStep = lazy(async () => ({ default: (await loadPaymentStep()).PaymentStep }));

/** The snapshot taken when the payment step opened. */
export interface OpenedPayment {
  clientSecret: string;
  /** The items and the shipping. */
  totalCents: number;
  items: readonly CartItemJson[];
  /** How it is sent; null where nothing was to be chosen. */
  method: ShippingOfferJson | null;
  shipping: AddressJson;
  billing: AddressJson;
}

/** Why the payment step could not be opened, and whether the cart is the reason. */
interface Refusal {
  text: string;
  isAboutCart: boolean;
  isPaid: boolean;
}

/** Of the entry in the browser's history that shows the second step. */
const PAYMENT_STATE = { step: "payment" };

const ADDRESS_TITLES = { objects: "Où souhaitez-vous être livré\u202f?", files: "Vos adresses" };

/** The checkout's two steps: addresses and shipping, and the card. */
export function CheckoutScreen({ hasTerms }: { hasTerms: boolean }) {
  const { items, cartShipping, isSettled, hasFailed, load } = useFreshCart();
  const addresses = useLoaded("/api/addresses_front", listAddresses);
  const [methodId, setMethodId] = useState<number | null>(null);
  const method = chosenOffer({ shipping: cartShipping, chosenId: methodId });
  const isTooHeavy = cartShipping?.methods.length === 0;
  const [step, setStep] = useState<1 | 2>(1);
  const [payment, setPayment] = useState<OpenedPayment | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isOpening, setIsOpening] = useState(false);
  const heading = useRef<HTMLHeadingElement>(null);

  function show(next: 1 | 2) {
    setStep(next);
    requestAnimationFrame(() => {
      heading.current?.focus();
      // The second press of a double click has selected the step that came in between.
      getSelection()?.removeAllRanges();
    });
  }

  // The browser's Back leads from the card to the addresses, as 'Retour' does, and Forward to the card.
  const onHistory = useEffectEvent(({ state }: PopStateEvent) => {
    const next = payment && state?.step === PAYMENT_STATE.step ? 2 : 1;
    if (next !== step) show(next);
  });
  useEffect(() => {
    addEventListener("popstate", onHistory);
    return () => removeEventListener("popstate", onHistory);
  }, []);

  async function open({ shipping, billing }: Pick<OpenedPayment, "shipping" | "billing">) {
    if (!items || isOpening) return;
    setRefusal(null);
    setIsOpening(true);
    const totalCents = itemTotals(items).totalCents + (method ? offerPriceCents(method) : 0);
    try {
      const clientSecret = await openPayment({ shipping, billing, method, totalCents });
      setPayment({ clientSecret, totalCents, items, method, shipping, billing });
      history.pushState(PAYMENT_STATE, "");
      show(2);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Deleted meanwhile: reloads the list without it.
      if (isAboutAddress(error)) await addresses.mutate();
      if (!error.isSessionOver) setRefusal(await refusalOf(error));
    } finally {
      setIsOpening(false);
    }
  }

  if (hasFailed) return <RetryAlert className="mt-6" message={LOAD_FAILED} onRetry={load} />;

  const hasObjects = !items?.every(({ product }) => product.productType !== "physical");
  const shown = step === 2 && payment ? payment : items && isSettled ? { items, method } : null;
  return (
    <>
      <Steps current={step} />
      <div className="mt-8 grid items-start gap-8 lg:grid-cols-[minmax(0,1fr)_min(22rem,40%)] lg:gap-12 xl:grid-cols-[minmax(0,1fr)_min(24rem,40%)]">
        <div className="min-w-0">
          <h2 ref={heading} tabIndex={-1} className="text-heading focus-visible:outline-none">
            {step === 1 ? ADDRESS_TITLES[hasObjects ? "objects" : "files"] : "Paiement par carte"}
          </h2>
          <div hidden={step !== 1} className="mt-6">
            <AddressStep
              addresses={addresses.data}
              hasFailed={addresses.failure !== null}
              onRetry={() => addresses.mutate()}
              isReady={shown !== null && !isTooHeavy}
              isBusy={isOpening}
              onContinue={open}
              shippingChoice={
                isSettled && cartShipping ? (
                  <ShippingChoice
                    shipping={cartShipping}
                    chosenId={method?.id}
                    onChoose={setMethodId}
                  />
                ) : null
              }
            >
              {refusal && <RefusalAlert refusal={refusal} />}
            </AddressStep>
          </div>
          {payment && (
            // Hidden after 'Retour', not unmounted: what was typed stays.
            <div hidden={step !== 2} className="mt-6">
              <Suspense fallback={<Skeleton className="h-72" />}>
                <PaymentStep payment={payment} hasTerms={hasTerms} onBack={() => history.back()} />
              </Suspense>
            </div>
          )}
        </div>
        {shown ? (
          <CheckoutSummary items={shown.items} method={shown.method} />
        ) : (
          <Skeleton className="h-64" />
        )}
      </div>
    </>
  );
}

/** The cart, loaded anew; leads to the cart's page where it cannot be paid for. */
function useFreshCart() {
  const router = useRouter();
  const { items, shipping: cartShipping, hasFailed } = useCart();
  const [isSettled, setIsSettled] = useState(false);
  const isUnmounted = useIsUnmounted();

  function load() {
    setIsSettled(false);
    void refreshCart().then(() => {
      if (isUnmounted.current) return;
      const { items: latest } = cartState();
      // There is nothing to pay for, or not everything is available: the cart's page says why.
      if (latest && !canCheckOut(latest)) router.replace("/cart");
      else setIsSettled(true);
    });
    void loadPaymentStep().catch(() => undefined);
  }
  const loadFirst = useEffectEvent(load);
  useEffect(() => loadFirst(), []);

  return {
    items,
    cartShipping,
    isSettled,
    hasFailed: items === null && isSettled && hasFailed,
    load,
  };
}

function Steps({ current }: { current: 1 | 2 }) {
  return (
    <ol className="mt-6 flex gap-6 border-line border-b text-sm sm:text-base">
      {["Adresses", "Paiement"].map((label, index) => (
        <li
          key={label}
          aria-current={current === index + 1 ? "step" : undefined}
          className="flex items-center gap-2 border-transparent border-b-2 pb-3 text-muted aria-[current]:border-accent forced-colors:not-aria-[current]:border-[Canvas] aria-[current]:font-semibold aria-[current]:text-ink"
        >
          <span className="grid size-6 place-items-center rounded-full bg-surface-strong text-xs tabular-nums">
            {index + 1}
          </span>
          <span>{label}</span>
        </li>
      ))}
    </ol>
  );
}

const ADDRESSES = ["shippingAddressId", "billingAddressId"];

const isAboutAddress = ({ violations }: ApiError) =>
  violations.some(({ propertyPath }) => ADDRESSES.includes(propertyPath));

const isAboutMethod = ({ violations }: ApiError) =>
  violations.some(({ propertyPath }) => propertyPath === "shippingMethodId");

async function refusalOf(error: ApiError): Promise<Refusal> {
  const { status, violations, sentence } = error;
  const text = violations[0]?.message || sentence || PAYMENT_FAILED;
  const isRefused = (status === 409 || status === 422) && !isAboutAddress(error);
  // What was paid in another tab is no longer in the cart, and methods may have changed.
  if (isRefused) await refreshCart();
  const isAboutCart = isRefused && !isAboutMethod(error);
  const isPaid = isAboutCart && cartState().items?.length === 0;
  return { text, isAboutCart, isPaid };
}

function RefusalAlert({ refusal: { text, isAboutCart, isPaid } }: { refusal: Refusal }) {
  return (
    <div className="flex flex-col items-start gap-4">
      <Alert kind="error" className="w-full">
        {text}
      </Alert>
      {isAboutCart && (
        <ButtonLink href={isPaid ? "/orders" : "/cart"} prefetch={false} variant="secondary">
          {isPaid ? "Voir mes commandes" : "Voir le panier"}
        </ButtonLink>
      )}
    </div>
  );
}
