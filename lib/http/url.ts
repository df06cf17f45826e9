// The two parts of a request's address, which need no parsing. Who asks about many requests a second
// does not make a URL of each.

/** What stands before the question mark. */
export function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** The query with its question mark; empty where there is none. */
export function searchOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? "" : url.slice(query);
}
