// Sentences of several domains, apart from what makes schemas of them: the contact form has no zod.

/** What a required field says when it is empty, where the specification gives no sentence. */
export const REQUIRED = "Ce champ est obligatoire.";

export const WRONG_EMAIL = "Veuillez saisir une adresse e-mail valide.";

export const TURNS_DIRECTION =
  "Ce texte contient un caractère invisible qui change le sens de lecture. Effacez-le, puis saisissez-le de nouveau.";

export const tooLong = (maxLength: number) =>
  `Ce champ doit contenir au plus ${maxLength} caractères.`;
