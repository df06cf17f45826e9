// Some of these sentences are prescribed word for word.

export const NOT_PAID = "Le paiement n'a pas pu être confirmé. Veuillez réessayer.";
export const PAYMENT_FAILED = "Erreur lors du paiement ou de la commande.";

export const EMPTY_CART = "Votre panier est vide.";
export const UNKNOWN_ADDRESS = "Cette adresse n'est pas dans votre carnet d'adresses.";
export const PRICE_CHANGED =
  "Le prix d'un produit de votre panier a changé. Vérifiez votre panier avant de payer.";
export const TOTAL_CHANGED =
  "Votre panier a changé entre-temps. Vérifiez son nouveau total avant de payer.";
export const tooMuch = (most: string) =>
  `Le total d'un paiement par carte ne peut pas dépasser ${most}. Passez plusieurs commandes.`;

export const UNKNOWN_PAYMENT = "Ce paiement n'existe pas.";
export const UNKNOWN_ORDER = "Cette commande n'existe plus.";
export const alreadyPaid = (number: string) =>
  `Votre paiement a bien été reçu\u00a0: votre commande ${number} est enregistrée. Vous la trouverez dans «\u00a0Mes commandes\u00a0».`;
export const PROCESSING =
  "Votre paiement est en cours de traitement. Réessayez dans quelques instants.";
export const REFUNDED =
  "Le montant payé ne correspond pas à une commande en cours\u00a0: il vous est remboursé.";
export const SOLD_OUT =
  "Un produit de votre commande a été vendu entre-temps\u00a0: votre paiement vous est remboursé.";
export const FREE_CHANGED =
  "Votre panier a changé entre-temps. Vérifiez-le avant de confirmer la commande.";
export const FREE_SOLD_OUT =
  "Un produit de votre commande n'est plus en stock. Vérifiez votre panier.";
export const SELLER_INCOMPLETE =
  "La boutique ne peut pas encore vendre\u00a0: l'identité du vendeur ou ses conditions générales manquent. Votre carte n'est pas débitée.";
export const BAD_SIGNATURE = "La signature de cette notification n'est pas valable.";
