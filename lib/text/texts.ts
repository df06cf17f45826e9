// Sentences that several domains share. They are apart from the zod schemas, since the contact form loads
// no zod.

/** The default sentence for an empty required field. */
export const REQUIRED = "Ce champ est obligatoire.";

export const WRONG_EMAIL = "Veuillez saisir une adresse e-mail valide.";

export const HAS_BIDI_CONTROLS =
  "Ce texte contient un caractère invisible qui change le sens de lecture. Effacez-le, puis saisissez-le de nouveau.";

export const tooLong = (maxLength: number) =>
  `Ce champ doit contenir au plus ${maxLength} caractères.`;
