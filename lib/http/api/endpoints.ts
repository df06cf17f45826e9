import { API_INDEX } from "@/lib/http/api/api-index";
import type { Handler } from "@/lib/http/api/route";
import type { Verb } from "@/lib/http/api/verbs";

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

const endpoints: readonly Endpoint[] = Object.values(API_INDEX)
  .flatMap((routes) => Object.entries<Record<Verb, Handler>>(routes))
  .map(([path, handlers]) => ({ path, handlers }));

/** Paths without parameters. */
const fixed = new Map(
  endpoints.filter(({ path }) => !path.includes("{")).map((endpoint) => [endpoint.path, endpoint]),
);

/** Paths with parameters. They have no character that means something in a regular expression besides. */
const patterns = endpoints
  .filter(({ path }) => path.includes("{"))
  .map((endpoint) => ({
    endpoint,
    pattern: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
  }));

/**
 * The endpoint of a path.
 *
 * @param path well-formed, as sent; spelt otherwise than the endpoint's (a slash at its end, needless
 *   percent-encoding) it finds none
 */
export function findEndpoint(path: string): EndpointMatch | null {
  const known = fixed.get(path);
  if (known) return { ...known, params: {} };
  for (const { endpoint, pattern } of patterns) {
    const values = pattern.exec(path)?.groups;
    if (!values) continue;
    const decoded = Object.entries(values).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { ...endpoint, params: Object.fromEntries(decoded) };
  }
  return null;
}
