/** Stands in the built page where each answer has its own reference. */
export const REFERENCE_MARK = "reference-de-la-reponse";
