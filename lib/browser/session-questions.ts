// Questions to the visitor that the API needs answered before a call can be repeated. They are apart from
// lib/api-client.ts, so that every page can show their dialog without loading the client.

/** What proves that the visitor is still the session's user. */
export type Proof = "password" | "code";

/** A proof for a sensitive change, or a new login if the session is over. */
export type Question = Proof | "login";

/** Asks, and resolves to whether the session's token now allows the call. */
type Ask = (question: Question) => Promise<boolean>;

let handler: Ask | null = null;

/** Sets the function with which this page asks questions. Returns the function that removes it. */
export function handleQuestions(ask: Ask): () => void {
  handler = ask;
  return () => {
    if (handler === ask) handler = null;
  };
}

/** Asks the visitor; false if the page has no handler. */
export const askVisitor: Ask = async (question) => (await handler?.(question)) ?? false;
