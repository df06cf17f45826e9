import { centsFromEuros, formatEuros } from "@/lib/money";
import { MIN_PAYMENT } from "@/lib/shop/card-payment-limits";

/** A warning for admins about a typed price, which is accepted nevertheless. */
export function priceWarning(typed: string): string | null {
  const cents = centsFromEuros(typed);
  if (cents === null || cents < 0 || cents >= MIN_PAYMENT) return null;
  return cents === 0
    ? `Ce produit sera gratuit\u00a0: un panier dont le total est de ${formatEuros(0)} se commande sans paiement.`
    : `Un paiement par carte est d'au moins ${formatEuros(MIN_PAYMENT)}\u00a0: à ce prix, une seule pièce ne peut être commandée qu'avec d'autres produits ou une livraison payante.`;
}
