/** Replaced in the built page by the response's reference. */
export const REFERENCE_PLACEHOLDER = "reference-de-la-reponse";

/** Replaced in the built page by the message of the page that could not be shown. */
export const SENTENCE_PLACEHOLDER = "phrase-de-la-reponse";
