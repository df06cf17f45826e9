// Of additions to the cart. Apart from the other texts of the cart: every product's page loads them. The wording is
// prescribed, with its spelling and punctuation: it is not corrected.

export const ADDED = "Produit ajouté au panier avec succès";
export const ADDED_REDIRECTING = "Produit ajouté au panier avec succès, Redirection ....";
export const LOGIN_TO_ADD = "Veuillez vous connecter pour ajouter des produits au panier";
export const ADD_FAILED = "Erreur lors de l'ajout au panier";
/** With the shop's reasons, if it gave any. */
export const addFailed = (details: string) => `${ADD_FAILED}\n${details}`.trim();
