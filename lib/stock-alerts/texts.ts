// Sentences about mails that tell when a product is back in stock.

export const CHECK_MAILBOX = "Vérifiez votre boîte mail pour confirmer votre demande.";
export const UNKNOWN_PRODUCT = "Ce produit n'existe pas ou n'est plus en vente.";

export const CONFIRMED = "C'est noté\u00a0: nous vous écrirons dès que ce produit sera disponible.";
export const LINK_ENDED =
  "Ce lien n'est plus valable\u00a0: il a expiré, ou votre demande a déjà reçu sa réponse.";
export const CANCELLED = "Votre demande est annulée et votre adresse effacée.";

export const SEND_FAILED = "Votre demande n'a pas pu être envoyée. Veuillez réessayer.";
export const CONFIRM_FAILED = "Une erreur est survenue. Veuillez rouvrir le lien.";
export const CANCEL_FAILED = "Votre demande n'a pas pu être annulée. Veuillez réessayer.";
