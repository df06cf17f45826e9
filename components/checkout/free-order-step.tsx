"use client";

import { OrderForm, type OrderStepProps } from "@/components/checkout/order-form";
import { refreshPayment, useOrder } from "@/components/checkout/use-order";
import { FREE_CHANGED } from "@/lib/checkout/texts";
import { formatEuros } from "@/lib/money";

/** Step 2 of a cart that costs nothing: no card is asked for. */
export function FreeOrderStep(props: OrderStepProps) {
  const { checkout } = props;
  const ordering = useOrder({ checkout });

  async function confirmSame(): Promise<string | null> {
    if (await refreshPayment(checkout)) return checkout.paymentIntentId ?? null;
    ordering.setProblem({ text: FREE_CHANGED, isAboutCart: true });
    return null;
  }

  return (
    <OrderForm
      {...props}
      ordering={{ ...ordering, order: () => ordering.order(confirmSame) }}
      isReady
      consentWords={{ by: "confirmant", from: "la confirmation" }}
      // The law requires 'avec obligation de paiement' only if there is something to pay
      // (Code de la consommation, L221-14).
      label="Confirmer la commande – sans obligation de paiement"
      pendingLabel="Confirmation en cours..."
    >
      <p>
        {`Le total de votre commande est de ${formatEuros(0)}\u00a0: vous n’avez rien à payer, et aucune carte ne vous est demandée.`}
      </p>
    </OrderForm>
  );
}
