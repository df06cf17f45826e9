import { expect, test } from "@playwright/test";
import { errorSentence } from "@/lib/http/server/page-error";

test("a page that fails to render shows the message of its screen", () => {
  for (const [sentence, ...addresses] of [
    [
      "Impossible de charger les détails du produit. Veuillez réessayer plus tard.",
      ...["/product/7", "/product/7?category=3"],
    ],
    ["Erreur lors du chargement des produits.", ...["/products", "/products?", "/products?page=2"]],
    [
      "Erreur lors du filtrage des produits.",
      ...["/products?page=2&type=digital", "/products?search=lampe"],
    ],
    [
      "La page n’a pas pu être affichée. Réessayez dans un instant.",
      ...["/", "/backoffice/products"],
    ],
  ] as const)
    for (const address of addresses) expect(errorSentence(address), address).toBe(sentence);
});
