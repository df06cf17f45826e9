/** What a request asks for, in few enough kinds to measure each. */
export type RouteClass =
  | "api-read"
  | "api-write"
  | "asset"
  | "backoffice"
  | "download"
  | "image"
  | "page"
  | "probe";

const BY_BEGINNING: readonly [string, RouteClass][] = [
  ["/api/health", "probe"],
  ["/api/ready", "probe"],
  ["/_next/image", "image"],
  ["/_next/", "asset"],
  ["/images/", "image"],
  ["/og/", "image"],
  ["/downloads/", "download"],
  ["/backoffice", "backoffice"],
];

/** Methods that are none of HTTP's would be as many measures as somebody likes to invent. */
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

export function methodClass(method: string | undefined): string {
  return method !== undefined && METHODS.has(method) ? method : "_OTHER";
}

export function routeClass({ url, method }: { url: string; method: string }): RouteClass {
  const known = BY_BEGINNING.find(([beginning]) => url.startsWith(beginning));
  if (known) return known[1];
  if (!url.startsWith("/api")) return "page";
  return method === "GET" || method === "HEAD" || method === "OPTIONS" ? "api-read" : "api-write";
}
