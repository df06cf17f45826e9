/**
 * What the error page says: the sentence of the screen that could not be rendered, if it has one.
 *
 * @param url path and query, as the visitor knows them
 */
export function errorSentence(url: string): string {
  const { pathname: path, searchParams } = new URL(`http://localhost${url}`);
  if (path.startsWith("/product/"))
    return "Impossible de charger les détails du produit. Veuillez réessayer plus tard.";
  if (path === "/products")
    return isFiltered(searchParams)
      ? "Erreur lors du filtrage des produits."
      : "Erreur lors du chargement des produits.";
  return "La page n’a pas pu être affichée. Réessayez dans un instant.";
}

/** Does the query ask for more than a page of the unfiltered list? */
const isFiltered = (query: URLSearchParams) =>
  [...query].some(([name, value]) => name !== "page" && value !== "");
