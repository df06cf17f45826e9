// What calls of the API need from the visitor before they can be repeated. Apart from lib/api-client.ts, so that every
// page can have a dialog for it without the client.

/** What proves that the visitor is still the session's user. */
export type Proof = "password" | "code";

/** A proof for a sensitive change, or a new login where the session is over. */
export type Question = Proof | "login";

/** Asks, and resolves to whether the session's token now allows the call. */
type Ask = (question: Question) => Promise<boolean>;

let handler: Ask | null = null;

/** Has questions asked by this page. Returns the function that ends this. */
export function handleQuestions(ask: Ask): () => void {
  handler = ask;
  return () => {
    if (handler === ask) handler = null;
  };
}

/** Asks the visitor; false where the page has nothing to ask with. */
export const askVisitor: Ask = async (question) => (await handler?.(question)) ?? false;
