import { expect, test } from "@playwright/test";
import { errorSentence } from "@/lib/http/server/page-error";

test("a page that fails to render shows the message of its screen", () => {
  const sentences = {
    "/product/7": "Impossible de charger les détails du produit. Veuillez réessayer plus tard.",
    "/product/7?category=3":
      "Impossible de charger les détails du produit. Veuillez réessayer plus tard.",
    "/products": "Erreur lors du chargement des produits.",
    "/products?": "Erreur lors du chargement des produits.",
    "/products?page=2": "Erreur lors du chargement des produits.",
    "/products?page=2&type=digital": "Erreur lors du filtrage des produits.",
    "/products?search=lampe": "Erreur lors du filtrage des produits.",
    "/": "La page n’a pas pu être affichée. Réessayez dans un instant.",
    "/backoffice/products": "La page n’a pas pu être affichée. Réessayez dans un instant.",
  };
  for (const [address, sentence] of Object.entries(sentences))
    expect(errorSentence(address), address).toBe(sentence);
});
