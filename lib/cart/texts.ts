import { formatEuros } from "@/lib/money";
import { formatNumber } from "@/lib/numbers";
import { MIN_PAYMENT } from "@/lib/shop/card-payment-limits";
import { onlyLeft } from "@/lib/stock/texts";

// The wording of these sentences is prescribed, with its spelling and punctuation: it is not corrected.

export const LOAD_FAILED = "Impossible de charger le panier. Veuillez réessayer plus tard.";
export const QUANTITY_CHANGED = "Quantité mise à jour avec succès";
export const QUANTITY_FAILED = "Erreur lors de la mise à jour de la quantité";
export const REMOVED = "Produit retiré du panier avec succès";
export const REMOVE_FAILED = "Erreur lors de la suppression du produit";
export const EMPTIED = "Panier vidé avec succès";
export const EMPTY_FAILED = "Erreur lors du vidage du panier";

/** "1 article", "2 715 articles". */
export const articlesText = (pieces: number): string =>
  `${formatNumber(pieces)} ${pieces > 1 ? "articles" : "article"}`;

export const EMPTY_CART = "Votre panier est vide.";
export const UNAVAILABLE = "Ce produit n'est plus disponible";
export const BLOCKED = "Retirez les produits qui ne sont plus disponibles pour passer la commande.";
export const TOO_FEW_IN_STOCK =
  "Retirez les produits épuisés, ou réduisez leur quantité, pour passer la commande.";
/** For a cart whose total is not zero, but less than a card can pay. */
export const tooLittle = (missingCents: number) =>
  `Le total d'un paiement par carte doit être d'au moins ${formatEuros(MIN_PAYMENT)}\u00a0: il manque ${formatEuros(missingCents)}. Ajoutez un autre produit.`;
/** For an item with fewer pieces in stock than in the cart. */
export const shortageText = ({ left }: { left?: number | null }) =>
  left ? onlyLeft(left) : "Épuisé";

export const UNKNOWN_PRODUCT = "Ce produit n'existe pas ou n'est plus en vente.";
export const UNKNOWN_ITEM = "Cet article n'est pas dans votre panier.";
export const QUANTITY_TOO_LOW = "La quantité doit être d'au moins 1.";
export const quantityTooHigh = (max: number) =>
  `La quantité ne peut pas dépasser ${max} par produit.`;
export const sumTooHigh = (options: { max: number; present: number }) =>
  `La quantité ne peut pas dépasser ${options.max} par produit, et votre panier en contient déjà ${options.present}.`;
export const tooManyLines = (max: number) =>
  `Votre panier contient déjà ${max} produits différents, ce qui est le maximum.`;

export const UNKNOWN_LINE = "Cet article n'est pas dans ce panier.";
export const HAS_CART = "Cet utilisateur a déjà un panier.";
