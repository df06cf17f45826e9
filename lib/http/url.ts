// The two parts of a request's URL. `new URL` would be slow for many requests per second.

/** Without query. */
export function pathOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? url : url.slice(0, query);
}

/** The query with its question mark; empty where there is none. */
export function searchOf(url: string): string {
  const query = url.indexOf("?");
  return query === -1 ? "" : url.slice(query);
}

/** Is it below `/api`? */
export const isApiUrl = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);
