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

/** The parameter by which Next.js's router asks for a page's data: a hash of the request's headers. */
const ROUTER_PARAMETER = /[?&](_rsc(?:=[\w-]*)?)(?=&|$)/;

/**
 * The URL by which Next.js renders a page that is stored: the page's canonical one, whatever else stands in the
 * requested one. Next.js writes it into the page, which everybody gets. Only its router needs a parameter besides,
 * whose value it checks.
 */
export function canonicalRequestUrl(
  canonical: string,
  { url = "", headers }: { url?: string | undefined; headers: Record<string, unknown> },
): string {
  const [, parameter] = ("rsc" in headers && ROUTER_PARAMETER.exec(searchOf(url))) || [];
  return parameter ? `${canonical}${canonical.includes("?") ? "&" : "?"}${parameter}` : canonical;
}

/** Is it below `/api`? */
export const isApiUrl = (url: string): boolean => /^\/api(?:[/?]|$)/.test(url);
