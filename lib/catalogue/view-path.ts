import { CACHE_TAGS } from "@/lib/http/cache/cache-tags";
import { decoded } from "@/lib/text/percent-encoding";
import { isRenderedPerRequest, VIEW_PARAMETERS, type ViewParameter } from "./url";

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
 * The path of the stored page of a view, below `/products`: the order of the parameters does not matter, unknown
 * parameters are ignored. Null for a text search and for filters with very many combinations: they rarely repeat, and their
 * page is rendered for each request at half the cost of one that is stored (docs/decisions/002).
 */
export function viewPathOf(query: URLSearchParams): string | null {
  if (isRenderedPerRequest(lastOfEach(query))) return null;
  const segments = VIEW_PARAMETERS.flatMap((parameter) => {
    const value = query.getAll(parameter).at(-1) ?? "";
    return value && parameter !== "search" ? [parameter, encode(value)] : [];
  });
  return segments.join("/") || "page/1";
}

/** Of a parameter of one value that is sent several times, the last counts; a cleared one (`search=`) is none. */
function lastOfEach(query: URLSearchParams): URLSearchParams {
  const last = new URLSearchParams();
  for (const [name, value] of query)
    if (name.endsWith("]")) last.append(name, value);
    else last.set(name, value);
  return last;
}

/** Does the query contain a parameter of a view? Without one, the catalogue has its own stored page. */
export const hasView = (query: URLSearchParams): boolean =>
  isRenderedPerRequest(query) || VIEW_PARAMETERS.some((parameter) => query.has(parameter));

/** "." and ".." would be resolved as path segments. The page refuses "dots" just as it refuses them. */
const encode = (value: string) =>
  value === "." || value === ".." ? "dots" : encodeURIComponent(value);

/** The query parameters in a cached view's path: `["category", "3", "page", "2"]`. */
export function parametersOfPath(path: readonly string[]): Partial<Record<ViewParameter, string>> {
  const parameters: Record<string, string> = {};
  for (let i = 0; i + 1 < path.length; i += 2) {
    const [name = "", segment = ""] = path.slice(i);
    // A malformed segment stays as it is: the page refuses it.
    parameters[name] = decoded(segment);
  }
  return parameters;
}

/** The same text for all spellings that search_normalise treats as equal. */
export const sameWords = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/(?<=\p{Script=Latin}\p{M}*)[\u0300-\u036f]/gu, "")
    .normalize("NFC")
    .toLowerCase();
