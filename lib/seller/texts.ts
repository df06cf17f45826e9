export const WRONG_SIREN =
  "Ce SIREN n'existe pas : neuf chiffres, dont le dernier est une clé de contrôle.";
export const WRONG_VAT_NUMBER =
  "Ce numéro de TVA n'est pas valable : en France, FR, une clé de deux caractères, puis le SIREN.";
export const WRONG_EMAIL = "Cette adresse e-mail n'est pas valide.";
