import type { ApiIndex } from "@/lib/http/api/operations";
import type { Handler } from "@/lib/http/api/route-definition";
import type { Verb } from "@/lib/http/api/verbs";

/** One path of the API. */
interface Endpoint {
  /** With its parameters: `/api/products/{id}`. */
  path: string;
  handlers: Record<Verb, Handler>;
}

/** The endpoint that serves a path, and its parameters, decoded. */
export interface EndpointMatch extends Endpoint {
  params: Record<string, string>;
}

/**
 * Gives the function that finds the endpoint of a path.
 *
 * @param path well-formed, as sent; spelt otherwise than the endpoint's (a slash at its end, needless
 *   percent-encoding) it finds none
 */
export function endpointFinder(index: ApiIndex): (path: string) => EndpointMatch | null {
  const endpoints: readonly Endpoint[] = Object.values(index)
    .flatMap((routes) => Object.entries(routes))
    .map(([path, handlers]) => ({ path, handlers }));
  /** Paths without parameters. */
  const fixed = new Map(
    endpoints
      .filter(({ path }) => !path.includes("{"))
      .map((endpoint) => [endpoint.path, endpoint]),
  );
  /** Paths with parameters. They have no character that means something in a regular expression besides. */
  const patterns = endpoints
    .filter(({ path }) => path.includes("{"))
    .map((endpoint) => ({
      endpoint,
      pattern: new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`),
    }));
  return (path) => {
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
  };
}
