/**
 * A segment that names what was requested: a word, a number, a UUID, a file. Tokens are longer;
 * names, e-mail addresses and search texts have other characters.
 */
const HARMLESS_SEGMENT = /^[\w.()-]{0,40}$/;

/** Characters of a path that are logged. */
const MAX_LENGTH = 200;

/**
 * A URL as logs, spans and metrics may show it: without query, and with an ellipsis for every segment
 * that may be a token or a name.
 *
 * @param url absolute or a path
 */
export function loggedPath(url: string): string {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
  return path
    .slice(0, MAX_LENGTH)
    .split("/")
    .map((segment) => (HARMLESS_SEGMENT.test(segment) ? segment : "…"))
    .join("/");
}
