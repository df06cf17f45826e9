import { subscribe } from "node:diagnostics_channel";
import { prepareRendering } from "@/lib/http/server/incoming";
import type { Exchange } from "@/lib/http/server/request-log";
import { pathOf, searchOf } from "@/lib/http/url";
import { segmentOf, VIEW_HEADER, VIEW_PARAMETERS } from "./url";

const CATALOGUE = "/products";
const SUBSCRIBED_KEY = Symbol.for("mini-ecommerce.catalogue-requests");

/**
 * Sets a request header with the path of a view's cached page before Next.js handles the request, for
 * the rewrites (url.ts). Called when the server starts; only the first call has an effect.
 */
export function watchCatalogueRequests(): void {
  const global = globalThis as { [SUBSCRIBED_KEY]?: true };
  if (global[SUBSCRIBED_KEY]) return;
  global[SUBSCRIBED_KEY] = true;
  // A channel of node:http itself, published before the server's own request event.
  subscribe("http.server.request.start", (message) => {
    const exchange = message as Exchange;
    if (noteView(exchange.request) === "search") prepareRendering(exchange);
  });
}

type NotedRequest = { url?: string | undefined; headers: Record<string, unknown> };

/** A text search has no cached page. A header of the client's is discarded. */
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
