/** Stands in the built page where each answer has its own reference. */
export const REFERENCE_MARK = "reference-de-la-reponse";

/** Stands where each answer says what could not be shown. */
export const SENTENCE_MARK = "phrase-de-la-reponse";
