import { WITHDRAWAL_DAYS } from "./rules";

export const WITHDRAWN = "Votre rétractation est enregistrée.";
export const ALREADY_WITHDRAWN = "Vous vous êtes déjà rétracté de cette commande.";
/** The right of withdrawal, as a promise beside a product. */
export const CHANGE_OF_MIND = `${WITHDRAWAL_DAYS} jours pour changer d’avis`;
export const TOO_LATE = "Le délai de rétractation de cette commande est passé.";
export const ALREADY_REFUNDED = "Les objets de cette commande sont déjà remboursés.";
export const ONLY_FILES =
  "Cette commande ne comporte que des fichiers, pour lesquels vous avez renoncé au droit de rétractation.";
export const WITHDRAWAL_FAILED =
  "Votre rétractation n'a pas pu être enregistrée. Veuillez réessayer.";
export const NO_OBJECT = "Veuillez choisir au moins un objet.";

export const REASON_REQUIRED = "Veuillez indiquer le motif du refus.";
export const ALREADY_SETTLED = "Cette rétractation est déjà réglée.";
export const REFUSAL_FAILED = "Le refus n’a pas pu être enregistré.";
