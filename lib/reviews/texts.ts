// Messages about reviews. Keep their exact wording.

export const CONTENT_TOO_SHORT = "Veuillez saisir un commentaire d'au moins 10 caractères";
export const RATING_MISSING = "Veuillez attribuer une note";
export const AUTHOR_UNKNOWN = "Erreur d'authentification. Veuillez vous reconnecter.";

export const LOGIN_TO_REVIEW = "Connectez-vous pour laisser un avis sur ce produit.";
export const BUY_TO_REVIEW = "Vous devez acheter ce produit avant de pouvoir laisser un avis.";
export const ALREADY_REVIEWED = "Vous avez déjà laissé un avis sur ce produit.";
export const ALREADY_REVIEWED_BY_USER = "Cet utilisateur a déjà laissé un avis sur ce produit.";
export const UNKNOWN_PRODUCT = "Ce produit n'existe pas ou n'est plus en vente.";

export const LOAD_FAILED = "Impossible de charger les avis. Veuillez réessayer plus tard.";
export const CREATED = "Votre avis a été soumis et sera visible après modération. Merci !";
export const CREATE_FAILED = "Erreur lors de la soumission de l'avis. Veuillez réessayer.";
export const EDITED = "Votre avis a été modifié avec succès et sera visible après modération.";
export const EDIT_FAILED = "Erreur lors de la modification de l'avis.";
export const DELETED = "Avis supprimé avec succès";
export const DELETE_FAILED = "Erreur lors de la suppression de l'avis";

/** The reason shown for a rejected review without one. */
export const UNEXPLAINED_REJECTION = "il ne respecte pas nos règles de publication.";

/** "1 étoile", "4 étoiles". */
export const starsText = (stars: number): string =>
  stars > 1 ? `${stars} étoiles` : `${stars} étoile`;
