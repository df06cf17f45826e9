import { Elements, ExpressCheckoutElement, useElements } from "@stripe/react-stripe-js";
import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementOptions,
} from "@stripe/stripe-js";
import clsx from "clsx";
import { useMemo, useState } from "react";

interface ExpressCheckoutProps {
  stripe: Stripe;
  amountCents: number;
  /** Pays with the wallet that these elements hold. Returns whether the order was made. */
  onPay: (elements: StripeElements) => Promise<boolean>;
}

/**
 * Apple Pay, Google Pay and Link, as far as the buyer's device has them: nothing is shown where it has none. The
 * elements are a group of their own, since Stripe's card element takes no amount.
 */
export function ExpressCheckout({ stripe, amountCents, onPay }: ExpressCheckoutProps) {
  const options = useMemo(
    () => ({
      mode: "payment" as const,
      amount: amountCents,
      currency: "eur",
      locale: "fr" as const,
      paymentMethodTypes: ["card"],
    }),
    [amountCents],
  );
  return (
    <Elements stripe={stripe} options={options}>
      <Wallets onPay={onPay} />
    </Elements>
  );
}

const WALLETS: StripeExpressCheckoutElementOptions = {
  buttonHeight: 48,
  buttonType: { applePay: "order", googlePay: "order" },
};

function Wallets({ onPay }: Pick<ExpressCheckoutProps, "onPay">) {
  const elements = useElements();
  const [isAvailable, setAvailable] = useState(false);
  return (
    // Stripe's element must have a size before it knows what it can offer.
    <div className={clsx(!isAvailable && "invisible absolute inset-x-0")}>
      <ExpressCheckoutElement
        options={WALLETS}
        onReady={({ availablePaymentMethods }) =>
          setAvailable(availablePaymentMethods !== undefined)
        }
        onConfirm={async ({ paymentFailed }) => {
          if (!elements || !(await onPay(elements))) paymentFailed({ reason: "fail" });
        }}
      />
      {isAvailable && (
        <>
          <p className="mt-2 text-muted text-sm">
            Le paiement vaut commande avec obligation de paiement.
          </p>
          <p className="mt-5 flex items-center gap-4 text-muted text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
            ou par carte
          </p>
        </>
      )}
    </div>
  );
}
