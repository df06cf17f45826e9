/**
 * A part of an address that says what was asked for: a word, a number, a UUID, a file. Tokens are
 * longer; names, e-mail addresses and what people search for have other characters.
 */
const PLAIN = /^[\w.()-]{0,40}$/;

/** Characters of an address that the log repeats. */
const MAX_LENGTH = 200;

/**
 * What logs, spans and metrics may say of an address: no query, and an ellipsis for every segment
 * that may be somebody's token or name.
 *
 * @param url a path, or a whole address
 */
export function loggedPath(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  return path
    .slice(0, MAX_LENGTH)
    .split("/")
    .map((segment) => (PLAIN.test(segment) ? segment : "…"))
    .join("/");
}
