/** The methods that the API serves. */
export const VERBS = ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"] as const;
export type Verb = (typeof VERBS)[number];
