import { VERBS } from "@/lib/http/api/verbs";

/** The kind of a request: few values, to keep the cardinality of metrics low. */
type RouteClass =
  | "api-read"
  | "api-write"
  | "asset"
  | "backoffice"
  | "download"
  | "image"
  | "page"
  | "probe";

const BY_PREFIX: readonly [string, RouteClass][] = [
  ["/api/health", "probe"],
  ["/api/ready", "probe"],
  ["/_next/image", "image"],
  ["/_next/", "asset"],
  ["/images/", "image"],
  ["/og/", "image"],
  ["/downloads/", "download"],
  ["/backoffice", "backoffice"],
];

/** Unknown methods give "_OTHER": arbitrary methods would have unbounded cardinality. */
export function methodClass(method: string | undefined): string {
  return VERBS.find((verb) => verb === method) ?? "_OTHER";
}

export function routeClass({ url, method }: { url: string; method: string }): RouteClass {
  const known = BY_PREFIX.find(([prefix]) => url.startsWith(prefix));
  if (known) return known[1];
  if (!url.startsWith("/api")) return "page";
  return method === "GET" || method === "HEAD" || method === "OPTIONS" ? "api-read" : "api-write";
}
