import { formatEuros } from "@/lib/money";
import { POSTAL_ZONES } from "@/lib/shop/postal-zones";
import type { DeliveryPromise } from "./rules";

export const METHOD_GONE = "Ce mode de livraison n'est plus proposé. Veuillez en choisir un autre.";
export const METHOD_TOO_WEAK =
  "Ce mode de livraison ne convient pas au poids de votre panier. Veuillez en choisir un autre.";
export const METHOD_ELSEWHERE =
  "Ce mode de livraison ne dessert pas cette adresse. Veuillez en choisir un autre.";
export const notServed = (postalCode: string) =>
  `Nous ne livrons pas au code postal ${postalCode}. Veuillez choisir une autre adresse de livraison.`;
/** For overseas destinations. */
export const LOCAL_TAXES =
  "À l'arrivée, des taxes locales peuvent vous être demandées, comme l'octroi de mer.";
export const TOO_HEAVY =
  "Votre panier est trop lourd pour nos modes de livraison. Retirez des articles, ou passez plusieurs commandes.";

/** Before a price. */
export const STARTING_FROM = "Livraison à partir de";
export const FREE = "Livraison offerte";
/** "Livraison à partir de 5,90 €", "Livraison offerte". */
export const startingFrom = (cents: number): string =>
  cents === 0 ? FREE : `${STARTING_FROM} ${formatEuros(cents)}`;
/** "Livraison à partir de 5,90 €, 2 à 3 jours ouvrés": a price, and the delay of the method that has it. */
export const startingFromWithin = (cents: number, delay: string): string =>
  [startingFrom(cents), ...(delay ? [delay] : [])].join(", ");
/**
 * "Livraison à partir de 2,90 €, 3 à 4 jours ouvrés · offerte dès 60,00 €": the method that becomes free may
 * be another one, whose delay is not that of the price.
 */
export const deliveryText = ({ priceCents, freeFromCents, delay }: DeliveryPromise): string =>
  startingFromWithin(priceCents, delay) +
  (freeFromCents === null ? "" : `\u00a0· offerte dès ${formatEuros(freeFromCents)}`);
export const untilFree = (amount: string) => `Plus que ${amount} pour la livraison offerte.`;
/** "dès 60,00 € d’achats, hors fichiers" */
export const freeFrom = (cents: number) => `dès ${formatEuros(cents)} d’achats, hors fichiers`;

// Back office.

export const WRONG_WEIGHT = "Veuillez saisir un poids en grammes, sans décimale.";
export const WRONG_BANDS = "Les tranches doivent être une liste de poids et de prix.";
export const SAME_WEIGHT = "Deux tranches ont le même poids.";
export const tooManyBands = (max: number) => `Un mode de livraison a ${max} tranches au plus.`;
export const WRONG_ZONES = `Les zones sont une liste, parmi\u00a0: ${POSTAL_ZONES.join(", ")}.`;
export const WRONG_POSTAL_CODES =
  "Un code postal a cinq chiffres, comme 69003, et un début de code en a deux à quatre, comme 974.";
export const tooManyPostalCodes = (max: number) =>
  `Un mode de livraison a ${max} codes postaux au plus.`;
export const NO_DESTINATION = "Choisissez au moins une zone, ou saisissez un code postal.";
export const WRONG_ORDER = "L'ordre doit être un nombre entier à partir de 0.";
