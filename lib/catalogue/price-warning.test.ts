import { expect, test } from "@playwright/test";
import { priceWarning } from "@/lib/catalogue/price-warning";

test("a price that a card cannot pay is accepted with a warning", () => {
  const free =
    "Ce produit sera gratuit\u00a0: un panier dont le total est de 0,00\u00a0€ se commande sans paiement.";
  const low =
    "Un paiement par carte est d'au moins 0,50\u00a0€\u00a0: à ce prix, une seule pièce ne peut être commandée qu'avec d'autres produits ou une livraison payante.";
  for (const [typed, warning] of [
    ["0", free],
    ["0,00", free],
    ["0.01", low],
    ["0,49", low],
    ["0.5", null],
    ["12,50", null],
    ["", null],
    ["-1", null],
    ["abc", null],
  ] as const)
    expect(priceWarning(typed), typed).toBe(warning);
});
