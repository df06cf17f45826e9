import { MAX_SEARCH_LENGTH } from "@/lib/http/api/query";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { Step } from "@/lib/http/server/exchange";
import { canonicalRequestUrl, pathOf, searchOf } from "@/lib/http/url";
import { searchText, VIEW_HEADER, VIEW_PARAMETERS, type ViewParameter } from "./url";

const CATALOGUE = "/products";

/** What is found by a text depends on these tags, and is kept for so many seconds: sales change its order. */
export const KEPT_SEARCH = {
  tags: [
    CACHE_TAGS.catalogue,
    CACHE_TAGS.categories,
    CACHE_TAGS.tags,
    CACHE_TAGS.searches,
    CACHE_TAGS.availability,
  ],
  seconds: 60,
} as const;

/**
 * Notes which page a view of the catalogue is, for Next.js's rewrites (url.ts) and the following steps, and makes
 * its URL canonical. Text
 * searches hardly repeat. Next.js renders them per request, at half the cost of a page that it stores:
 * docs/decisions/092.
 */
export const noteCatalogueView: Step = ({ request, context }, next) => {
  const view = noteView(request);
  if (view !== undefined) {
    context.pagePath = `${CATALOGUE}/${view}`;
    const url = canonicalUrlOf(view);
    request.url = canonicalRequestUrl(url, request);
    if (view.startsWith(SEARCH)) context.keep = { ...KEPT_SEARCH, url };
  }
  next();
};

interface NotedRequest {
  url?: string | undefined;
  headers: Record<string, unknown>;
}

/** How the path of a search begins: its text is the first parameter. */
const SEARCH = "search/";

/**
 * Sets the header with the path of a view's cached page, which a search does not have. One that the client
 * sent is discarded.
 *
 * @returns the path of the view; undefined for other pages
 */
export function noteView({ url = "", headers }: NotedRequest): string | undefined {
  if (VIEW_HEADER in headers) delete headers[VIEW_HEADER];
  if (!url.startsWith(CATALOGUE) || pathOf(url) !== CATALOGUE) return undefined;
  const view = viewPath(new URLSearchParams(searchOf(url)));
  if (!view.startsWith(SEARCH)) headers[VIEW_HEADER] = view;
  return view;
}

/** The same filters in another order, or with others that the page does not know, are the same view. */
function viewPath(query: URLSearchParams): string {
  const segments = VIEW_PARAMETERS.flatMap((parameter) => {
    const value = query.getAll(parameter).at(-1) ?? "";
    const segment = value && encode[parameter === "search" ? "text" : "word"](value);
    return segment ? [parameter, segment] : [];
  });
  return segments.length > 0 ? segments.join("/") : "page/1";
}

const encode = {
  /** "." and ".." would be resolved; "dots" is refused just the same. */
  word: (value: string) => (value === "." || value === ".." ? "dots" : encodeURIComponent(value)),
  /** Free text: in letters that separate no segments. What is beyond the limit is cut by the page. */
  text: (value: string) =>
    Buffer.from(searchText(value).slice(0, MAX_SEARCH_LENGTH + 1)).toString("base64url"),
};

/** The pairs of a cached view's path, `["category", "3", "page", "2"]`, as query parameters. */
export function parametersOfPath(path: readonly string[]): Partial<Record<ViewParameter, string>> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < path.length; i += 2) {
    const [name = "", segment = ""] = path.slice(i);
    parameters[name] = decoded(segment);
  }
  return parameters;
}

/** The URL of the view with this path. */
export function canonicalUrlOf(view: string): string {
  const { search, ...parameters } = parametersOfPath(view.split("/"));
  if (Object.keys(parameters).join() === "page" && parameters.page === "1") delete parameters.page;
  const query = new URLSearchParams({
    ...(search && { search: Buffer.from(search, "base64url").toString() }),
    ...parameters,
  }).toString();
  return query ? `${CATALOGUE}?${query}` : CATALOGUE;
}

/** A malformed segment stays as it is, and is refused by the page. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same text for every spelling that search_normalise takes for the same. */
export const sameWords = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin}\p{M}*)[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
