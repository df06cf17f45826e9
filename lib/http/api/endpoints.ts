import type { Handler, Verb } from "@/lib/http/api/route";

// The endpoints whose files Next.js has loaded, by which the shop answers calls without it:
// docs/decisions/052.

/** One path of the API. */
export interface Endpoint {
  /** With its parameters: `/api/products/{id}`. */
  path: string;
  handlers: Record<Verb, Handler>;
}

/** The endpoint that serves a path, and its parameters, decoded. */
export interface EndpointMatch extends Endpoint {
  params: Record<string, string>;
}

interface Registry {
  /** Paths without parameters. */
  fixed: Map<string, Endpoint>;
  /** Paths with parameters, by their own text. */
  patterns: Map<string, Endpoint & { pattern: RegExp }>;
}

// Next.js loads this module once for the API and once for the server itself.
const KEY = Symbol.for("mini-ecommerce.endpoints");
const shared = globalThis as { [KEY]?: Registry };
shared[KEY] ??= { fixed: new Map(), patterns: new Map() };
const registry = shared[KEY];

/** No such path has a character that means something in a regular expression, but its parameters'. */
const patternOf = (path: string) =>
  new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);

/** Makes an endpoint known, in place of an earlier one of the same path. */
export function registerEndpoint(endpoint: Endpoint): void {
  const { path } = endpoint;
  if (path.includes("{")) registry.patterns.set(path, { ...endpoint, pattern: patternOf(path) });
  else registry.fixed.set(path, endpoint);
}

/**
 * The endpoint of a path, if it is known.
 *
 * @param path well-formed, as sent; spelt otherwise than the endpoint's (a slash at its end, needless
 *   percent-encoding) it finds none
 */
export function findEndpoint(path: string): EndpointMatch | null {
  const fixed = registry.fixed.get(path);
  if (fixed) return { ...fixed, params: {} };
  for (const endpoint of registry.patterns.values()) {
    const values = endpoint.pattern.exec(path)?.groups;
    if (!values) continue;
    const decoded = Object.entries(values).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { ...endpoint, params: Object.fromEntries(decoded) };
  }
  return null;
}
