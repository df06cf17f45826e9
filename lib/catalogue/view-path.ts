import { MAX_SEARCH_LENGTH } from "@/lib/http/api/query";
import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import type { Step } from "@/lib/http/server/exchange";
import { canonicalRequestUrl, pathOf, searchOf } from "@/lib/http/url";
import { searchText, VIEW_HEADER, VIEW_PARAMETERS, type ViewParameter } from "./url";

const CATALOGUE = "/products";

/** The cache tags of search results, and the seconds they are kept: sales change their order. */
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
 * Notes the page of a catalogue view, for Next.js's rewrites (url.ts) and the following steps, and makes its
 * URL canonical. Text searches rarely repeat. Next.js renders them per request, at half the cost of a page
 * that it stores: docs/decisions/002.
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

/** The start of a search's path: the text is its first parameter. */
const SEARCH = "search/";

/**
 * Sets the header with the path of a view's cached page. A text search has no cached page, so it gets no
 * header. A header sent by the client is discarded.
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

/** The path of a view: the order of the parameters does not matter, unknown parameters are ignored. */
function viewPath(query: URLSearchParams): string {
  const segments = VIEW_PARAMETERS.flatMap((parameter) => {
    const value = query.getAll(parameter).at(-1) ?? "";
    const segment = value && encode[parameter === "search" ? "text" : "word"](value);
    return segment ? [parameter, segment] : [];
  });
  return segments.length > 0 ? segments.join("/") : "page/1";
}

const encode = {
  /** "." and ".." would be resolved as path segments. The page refuses "dots" just as it refuses them. */
  word: (value: string) => (value === "." || value === ".." ? "dots" : encodeURIComponent(value)),
  /** Free text, encoded without "/" in base64url. The page cuts off what exceeds the limit. */
  text: (value: string) =>
    Buffer.from(searchText(value).slice(0, MAX_SEARCH_LENGTH + 1)).toString("base64url"),
};

/** The query parameters in a cached view's path: `["category", "3", "page", "2"]`. */
export function parametersOfPath(path: readonly string[]): Partial<Record<ViewParameter, string>> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < path.length; i += 2) {
    const [name = "", segment = ""] = path.slice(i);
    parameters[name] = decoded(segment);
  }
  return parameters;
}

export function canonicalUrlOf(view: string): string {
  const { search, ...parameters } = parametersOfPath(view.split("/"));
  if (Object.keys(parameters).join() === "page" && parameters.page === "1") delete parameters.page;
  const query = new URLSearchParams({
    ...(search && { search: Buffer.from(search, "base64url").toString() }),
    ...parameters,
  }).toString();
  return query ? `${CATALOGUE}?${query}` : CATALOGUE;
}

/** A malformed segment stays as it is: the page refuses it. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The same text for all spellings that search_normalise treats as equal. */
export const sameWords = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin}\p{M}*)[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
