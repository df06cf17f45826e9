"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from "react";
import { useCart } from "@/components/cart/use-cart";
import type { EntryState } from "@/components/checkout/address-entry";
import { AddressStep } from "@/components/checkout/address-step";
import { CheckoutSummary } from "@/components/checkout/checkout-summary";
import { FreeOrderStep } from "@/components/checkout/free-order-step";
import type { OrderStepProps } from "@/components/checkout/order-form";
import { ShippingChoice } from "@/components/checkout/shipping-choice";
import { useCheckoutAddresses } from "@/components/checkout/use-checkout-addresses";
import { useDirectPayment } from "@/components/checkout/use-direct-payment";
import { Alert } from "@/components/ui/alert";
import { ButtonLink } from "@/components/ui/button";
import { RetryAlert } from "@/components/ui/retry-alert";
import { Skeleton } from "@/components/ui/skeleton";
import { useIsUnmounted } from "@/components/ui/use-is-unmounted";
import { useLoaded } from "@/components/ui/use-loaded";
import { type AddressJson, listAddresses } from "@/lib/addresses/client";
import { type AddressType, usualAddresses, withAddress } from "@/lib/addresses/rules";
import { ApiError } from "@/lib/api-error";
import { cartState, refreshCart } from "@/lib/cart/client";
import {
  type CartItemJson,
  canCheckOut,
  chosenOffer,
  hasVat,
  itemTotals,
  offerPriceCents,
  offersTo,
  type ShippingOfferJson,
} from "@/lib/cart/rules";
import { LOAD_FAILED } from "@/lib/cart/texts";
import { openPayment } from "@/lib/checkout/client";
import type { OpenedPayment } from "@/lib/checkout/schemas";
import { PAYMENT_FAILED } from "@/lib/checkout/texts";

// Lazy, since it imports Stripe's elements.
const loadPaymentStep = () => import("@/components/checkout/payment-step");
const PaymentStep = lazy(async () => ({ default: (await loadPaymentStep()).PaymentStep }));

/** The snapshot taken when the second step opened. */
export interface OpenedCheckout extends OpenedPayment {
  /** The items and the shipping. */
  totalCents: number;
  items: readonly CartItemJson[];
  /** The shipping method; null if there was none to choose. */
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

/** State of the history entry that shows the second step. */
const PAYMENT_STATE = { step: "payment" };

const ADDRESS_TITLES = { objects: "Où souhaitez-vous être livré\u202f?", files: "Vos adresses" };

const PAYMENT_TITLES = { free: "Confirmation de la commande", paid: "Paiement par carte" };

/** The two steps: addresses and shipping; then the card, or a confirmation if there is nothing to pay. */
export function CheckoutScreen({ hasTerms }: { hasTerms: boolean }) {
  const { items, cartShipping, isVatIncluded, isSettled, hasFailed, load } = useFreshCart();
  const addresses = useLoaded("/api/addresses_front", listAddresses);
  const choice = useCheckoutAddresses(addresses.data);
  const [typed, setTyped] = useState<Partial<Record<AddressType, EntryState>>>({});
  const [methodId, setMethodId] = useState<number | null>(null);
  const places = placesOf({ choice, typed });
  const offered =
    cartShipping && places.shipping ? offersTo(cartShipping, places.shipping) : cartShipping;
  const method = chosenOffer({ shipping: offered, chosenId: methodId });
  const cannotBeSent = offered?.methods.length === 0;
  const [payment, setPayment] = useState<OpenedCheckout | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const { step, heading, show } = useStep({ hasPayment: payment !== null });
  const isUnmounted = useIsUnmounted();

  const totalCents = itemTotals(items ?? []).totalCents + (method ? offerPriceCents(method) : 0);

  async function open({ shipping, billing }: Pick<OpenedCheckout, "shipping" | "billing">) {
    if (!items) return;
    setRefusal(null);
    try {
      const opened = await openPayment({ shipping, billing, method, totalCents });
      // The URL is that of another page by now.
      if (isUnmounted.current) return;
      setPayment({ ...opened, totalCents, items, method, shipping, billing });
      history.pushState(PAYMENT_STATE, "");
      show(2);
      await keep({ shipping, billing });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      await keep({ shipping, billing });
      // The address was deleted meanwhile: reload the list without it.
      if (isAboutAddress(error)) await addresses.mutate();
      if (!error.isSessionOver) setRefusal(await refusalOf(error));
    }
  }

  /** Shows saved addresses in the place of their forms. */
  async function keep(saved: Pick<OpenedCheckout, "shipping" | "billing">) {
    if (!choice.entries.shipping && !choice.entries.billing) return;
    await addresses.mutate(
      (list) => withAddress(withAddress(list ?? [], saved.shipping), saved.billing),
      { revalidate: false },
    );
    choice.keep(saved);
  }

  const isDirect = useDirectPayment({
    isLoaded: items !== null && isSettled && addresses.data !== undefined,
    open: async () => {
      const usual = usualAddresses(addresses.data ?? []);
      if (usual && !cannotBeSent) await open(usual);
    },
  });

  if (hasFailed) return <RetryAlert className="mt-6" message={LOAD_FAILED} onRetry={load} />;

  const hasObjects = !items?.every(({ product }) => product.productType !== "physical");
  const shown =
    step === 2 && payment
      ? payment
      : items && isSettled
        ? { items, method, totalCents, ...places }
        : null;
  const kind = shown?.totalCents === 0 ? "free" : "paid";
  return (
    <>
      <Steps current={step} last={kind === "free" ? "Confirmation" : "Paiement"} />
      <div className="mt-6 grid items-start gap-8 lg:mt-10 lg:grid-cols-[minmax(0,1fr)_min(25rem,40%)] lg:gap-16">
        <div className="min-w-0 lg:sticky lg:top-22 lg:col-start-2 lg:row-start-1">
          {shown ? (
            <CheckoutSummary
              items={shown.items}
              method={shown.method}
              hasVat={hasVat({ ...shown, isVatExempt: !isVatIncluded })}
            />
          ) : (
            <Skeleton className="h-14 lg:h-64" />
          )}
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-start-1">
          <h2 ref={heading} tabIndex={-1} className="text-heading focus-visible:outline-none">
            {step === 1 ? ADDRESS_TITLES[hasObjects ? "objects" : "files"] : PAYMENT_TITLES[kind]}
          </h2>
          <div hidden={step !== 1} className="mt-6">
            <AddressStep
              addresses={isDirect ? undefined : addresses.data}
              choice={choice}
              typed={typed}
              onTyped={(type, state) => setTyped((before) => ({ ...before, [type]: state }))}
              hasObjects={hasObjects}
              hasFailed={addresses.failure !== null}
              onRetry={() => addresses.mutate()}
              isReady={shown !== null && !cannotBeSent}
              onContinue={open}
              shippingChoice={
                isSettled && offered ? (
                  <ShippingChoice
                    shipping={offered}
                    address={places.shipping}
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
            // Hidden after 'Retour', not unmounted: typed values stay.
            <div hidden={step !== 2} className="mt-6">
              <LastStep checkout={payment} hasTerms={hasTerms} onBack={() => history.back()} />
            </div>
          )}
        </div>
      </div>
    </>
  );
}

/**
 * The step that is shown. The browser's Back leads from the card to the addresses, as 'Retour' does, and
 * Forward to the card.
 */
function useStep({ hasPayment }: { hasPayment: boolean }) {
  const [step, setStep] = useState<1 | 2>(1);
  const heading = useRef<HTMLHeadingElement>(null);

  function show(next: 1 | 2) {
    setStep(next);
    requestAnimationFrame(() => {
      heading.current?.focus();
      // The second press of a double click has selected text of the step that appeared in between.
      getSelection()?.removeAllRanges();
    });
  }

  const onHistory = useEffectEvent(({ state }: PopStateEvent) => {
    const next = hasPayment && state?.step === PAYMENT_STATE.step ? 2 : 1;
    if (next !== step) show(next);
  });
  useEffect(() => {
    addEventListener("popstate", onHistory);
    return () => removeEventListener("popstate", onHistory);
  }, []);

  return { step, heading, show };
}

/** Where the order goes, by the addresses that are chosen or being typed. */
function placesOf({
  choice: { chosen, entries, isBillingShared },
  typed,
}: {
  choice: ReturnType<typeof useCheckoutAddresses>;
  typed: Partial<Record<AddressType, EntryState>>;
}): Record<AddressType, { postalCode: string } | undefined> {
  const placeOf = (type: AddressType) => {
    if (!entries[type]) return chosen[type];
    const postalCode = typed[type]?.postalCode;
    return postalCode ? { postalCode } : undefined;
  };
  const shipping = placeOf("shipping");
  const isSame = isBillingShared && !entries.billing;
  return { shipping, billing: isSame ? shipping : placeOf("billing") };
}

function LastStep(props: OrderStepProps) {
  return props.checkout.paymentIntentId ? (
    <FreeOrderStep {...props} />
  ) : (
    <Suspense fallback={<Skeleton className="h-72" />}>
      <PaymentStep {...props} />
    </Suspense>
  );
}

/** The cart, loaded anew; redirects to the cart's page if the cart cannot be paid for. */
function useFreshCart() {
  const router = useRouter();
  const { items, shipping: cartShipping, isVatIncluded, hasFailed } = useCart();
  const [isSettled, setIsSettled] = useState(false);
  const isUnmounted = useIsUnmounted();

  function load() {
    setIsSettled(false);
    void refreshCart().then(() => {
      if (isUnmounted.current) return;
      const latest = cartState();
      // The cart is empty, cannot be paid, or not everything is available: the cart's page says why.
      if (latest.items && !canCheckOut(latest)) router.replace("/cart");
      else setIsSettled(true);
    });
    void loadPaymentStep().catch(() => undefined);
  }
  const loadFirst = useEffectEvent(load);
  useEffect(() => loadFirst(), []);

  return {
    items,
    cartShipping,
    isVatIncluded,
    isSettled,
    hasFailed: items === null && isSettled && hasFailed,
    load,
  };
}

function Steps({ current, last }: { current: 1 | 2; last: string }) {
  return (
    <ol className="mt-6 flex gap-6 border-line border-b text-sm sm:text-base">
      {["Adresses", last].map((label, index) => (
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
  const isRefused = status === 409 || status === 422;
  // Items paid for in another tab are no longer in the cart, and shipping methods may have changed.
  if (isRefused) await refreshCart();
  const isAboutCart = isRefused && !isAboutAddress(error) && !isAboutMethod(error);
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
