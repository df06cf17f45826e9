import type { Step } from "@/lib/http/server/exchange";
import { pathOf, searchOf } from "@/lib/http/url";
import { segmentOf, VIEW_HEADER, VIEW_PARAMETERS } from "./url";

const CATALOGUE = "/products";

/** Tells Next.js's rewrites (url.ts) which cached page a view of the catalogue is. */
export const noteCatalogueView: Step = ({ request }, next) => {
  noteView(request);
  next();
};

interface NotedRequest {
  url?: string | undefined;
  headers: Record<string, unknown>;
}

/** Sets the header with the path of a view's cached page. One that the client sent is discarded. */
export function noteView({ url = "", headers }: NotedRequest): void {
  if (VIEW_HEADER in headers) delete headers[VIEW_HEADER];
  const query = queryOf(url);
  if (!query || isSearch(query)) return;
  const view = VIEW_PARAMETERS.flatMap((parameter) => {
    const value = lastOf(query, parameter);
    return value === "" ? [] : [parameter, segmentOf(value)];
  });
  headers[VIEW_HEADER] = view.length > 0 ? view.join("/") : "page/1";
}

/** Is it the catalogue with a text search, which has no cached page? */
export function isTextSearch(url: string): boolean {
  const query = queryOf(url);
  return query !== null && isSearch(query);
}

/** The parameters of the catalogue's URL; null for another page's. */
function queryOf(url: string): URLSearchParams | null {
  if (!url.startsWith(CATALOGUE) || pathOf(url) !== CATALOGUE) return null;
  return new URLSearchParams(searchOf(url));
}

const isSearch = (query: URLSearchParams) => lastOf(query, "search").trim() !== "";

const lastOf = (query: URLSearchParams, parameter: string) => query.getAll(parameter).at(-1) ?? "";
