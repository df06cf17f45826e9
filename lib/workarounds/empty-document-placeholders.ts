/** Replaced in the built page by each response's reference. */
export const REFERENCE_PLACEHOLDER = "reference-de-la-reponse";

/** Replaced by the sentence of the page that could not be shown. */
export const SENTENCE_PLACEHOLDER = "phrase-de-la-reponse";
