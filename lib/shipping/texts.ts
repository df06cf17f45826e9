// Sentences about shipping, on the server and on screen.

export const METHOD_GONE = "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.";
export const METHOD_TOO_WEAK =
  "Ce mode de livraison ne convient pas au poids de votre panier. Veuillez en choisir un autre.";
export const TOO_HEAVY =
  "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.";

export const startingFrom = (price: string) => `Livraison à partir de ${price}`;
export const FREE = "Livraison offerte";
export const untilFree = (amount: string) => `Plus que ${amount} pour la livraison offerte.`;

// In the back office.

export const WRONG_WEIGHT = "Veuillez saisir un poids en grammes, sans décimale.";
export const WRONG_BANDS = "Les tranches doivent être une liste de poids et de prix.";
export const SAME_WEIGHT = "Deux tranches ont le même poids.";
export const tooManyBands = (max: number) => `Un mode de livraison a ${max} tranches au plus.`;
export const WRONG_ORDER = "L'ordre doit être un nombre entier à partir de 0.";
