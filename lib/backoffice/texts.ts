// Sentences of the back office, on the server and on screen. The specification's stand as it writes
// them.

export const ALL_FIELDS_REQUIRED = "Tous les champs sont obligatoires.";
export const USER_REQUIRED = "Veuillez sélectionner un utilisateur.";
export const UNKNOWN_USER = "Cet utilisateur n'existe pas.";
export const UNKNOWN_PRODUCT = "Ce produit n'existe pas.";
export const QUANTITY_TOO_LOW = "La quantité doit être d'au moins 1.";
export const WRONG_AMOUNT = "Veuillez saisir un montant en euros, avec deux décimales au plus.";

/** Who saves a copy that is older than what is stored is told who was first. */
export const changedMeanwhile = (name: string | null) =>
  name === null
    ? "Cet objet a été modifié entre-temps."
    : `Cet objet a été modifié entre-temps par ${name}.`;
