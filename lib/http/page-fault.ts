import { pathOf, searchOf } from "@/lib/http/url";

/**
 * What a page says that could not be rendered: the sentence of its screen, where there is one.
 *
 * @param address path and query, as the visitor knows them
 */
export function faultSentence(address: string): string {
  const path = pathOf(address);
  if (path.startsWith("/product/"))
    return "Impossible de charger les détails du produit. Veuillez réessayer plus tard.";
  if (path === "/products")
    return searchOf(address).length <= 1
      ? "Erreur lors du chargement des produits."
      : "Erreur lors du filtrage des produits.";
  return "La page n’a pas pu être affichée. Réessayez dans un instant.";
}
