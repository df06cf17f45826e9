import { subscribe } from "node:diagnostics_channel";
import { prepareRendering } from "@/lib/http/incoming";
import type { Exchange } from "@/lib/http/request-log";
import { pathOf, searchOf } from "@/lib/http/url";
import { segmentOf, VIEW_HEADER, VIEW_PARAMETERS } from "./address";

const CATALOGUE = "/products";
const SUBSCRIBED = Symbol.for("mini-ecommerce.catalogue-requests");

/**
 * Tells the rewrites (address.ts) where the cached page of a view is: its path is put into a header
 * of the request before Next.js sees it. Called when the server starts; only the first call counts.
 */
export function watchCatalogueRequests(): void {
  const global = globalThis as { [SUBSCRIBED]?: true };
  if (global[SUBSCRIBED]) return;
  global[SUBSCRIBED] = true;
  // A channel of node:http itself, published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    const exchange = message as Exchange;
    if (noteView(exchange.request) === "search") prepareRendering(exchange);
  });
}

type NotedRequest = { url?: string | undefined; headers: Record<string, unknown> };

/**
 * A text search has no cached page, and is told so to the caller. What a client sends in that header
 * is discarded.
 */
export function noteView({ url = "", headers }: NotedRequest): "search" | undefined {
  if (VIEW_HEADER in headers) delete headers[VIEW_HEADER];
  if (!url.startsWith(CATALOGUE)) return undefined;
  if (pathOf(url) !== CATALOGUE) return undefined;
  const query = new URLSearchParams(searchOf(url));
  const lastOf = (parameter: string) => query.getAll(parameter).at(-1) ?? "";
  if (lastOf("search").trim() !== "") return "search";
  const view = VIEW_PARAMETERS.flatMap((parameter) => {
    const value = lastOf(parameter);
    return value === "" ? [] : [parameter, segmentOf(value)];
  });
  headers[VIEW_HEADER] = view.length > 0 ? view.join("/") : "page/1";
  return undefined;
}
