export const WRONG_SIREN =
  "Ce SIREN n'existe pas\u00a0: neuf chiffres, dont le dernier est une clé de contrôle.";
export const WRONG_VAT_NUMBER =
  "Ce numéro de TVA n'est pas valable\u00a0: en France, FR, une clé de deux caractères, puis le SIREN.";
export const WRONG_EMAIL = "Cette adresse e-mail n'est pas valide.";
export const tooManyLines = (max: number) => `Ce champ doit tenir en ${max} lignes au plus.`;
