import { openDatabase } from "@/bench/database";
import { mediansInTurn, type Part, type Row, runLoad } from "@/bench/measure";
import { drawRequests } from "@/bench/requests";
import type { BenchOptions } from "@/bench/run";
import { NEXT_START, startShop } from "@/bench/shop";

// Requests per second of public pages, product lists and single products, from the shop's own server and from
// `next start`. Both are compared with the least that `next start` sends: an empty cached page and a constant
// JSON response (app/bench).

const CONNECTIONS = 16;

interface Target {
  name: string;
  paths: readonly string[];
  /** The bare target that it is compared with. */
  bare: Bare;
  /** Requested before, so that stored responses are measured. */
  isStored: boolean;
}

const BARES = { page: "/bench/1", route: "/bench/json" } as const;
type Bare = keyof typeof BARES;

async function listTargets(url: string): Promise<Target[]> {
  const { productIds, views, searches } = await drawRequests(url);
  const [oneId] = productIds;
  const texts = searches.map((text) => `search=${encodeURIComponent(text)}`);
  const page = (name: string, paths: readonly string[], isStored = true): Target => ({
    name,
    paths,
    bare: "page",
    isStored,
  });
  const api = (...target: Parameters<typeof page>): Target => ({
    ...page(...target),
    bare: "route",
  });
  const listed = (query: string) => `/api/products?${query}&itemsPerPage=24`;
  return [
    page("/", ["/"]),
    page("/products", ["/products"]),
    page(
      `${views.length} catalogue views`,
      views.map((view) => `/products?${view}`),
    ),
    page("one /product/{id}", [`/product/${oneId}`]),
    page(
      `${productIds.length} /product/{id}`,
      productIds.map((id) => `/product/${id}`),
    ),
    page(
      "/products?search=…, never twice",
      texts.toReversed().map((text) => `/products?${text}`),
      false,
    ),
    api("GET /api/products (24)", ["/api/products?itemsPerPage=24"]),
    api(`${views.length} filtered lists (24)`, views.map(listed)),
    api("one GET /api/products/{id}", [`/api/products/${oneId}`]),
    api(
      `${productIds.length} GET /api/products/{id}`,
      productIds.map((id) => `/api/products/${id}`),
    ),
    api("GET /api/products?search=…, never twice", texts.map(listed), false),
  ];
}

async function requestOnce(url: string): Promise<void> {
  const response = await fetch(url);
  await response.arrayBuffer();
  // A small catalogue lacks the later pages of some views: 404.
  if (!response.ok && response.status !== 404) throw new Error(`GET ${url}: ${response.status}`);
}

export async function measurePages({ services, products, seconds }: BenchOptions): Promise<Part> {
  const database = await openDatabase({ services, products });
  const own = await startShop({ services, databaseUrl: database.url });
  const next = await startShop({ services, databaseUrl: database.url, args: NEXT_START });
  const targets = await listTargets(database.url);
  /** Each burst continues where the last one ended. */
  const burst = (origin: string, paths: readonly string[]) => {
    let first = 0;
    return async () => {
      const { requests, perSecond } = await runLoad({
        origin,
        paths,
        first,
        connections: CONNECTIONS,
        seconds,
      });
      first += requests;
      return perSecond;
    };
  };
  const rows: Row[] = [];
  for (const { name, paths, bare, isStored } of targets) {
    // Just before: stored pages are rendered again after five minutes. Twice: the shop's server sends itself what
    // Next.js has sent from the cache.
    for (const { origin } of isStored ? [own, own, next] : [])
      for (const path of paths) await requestOnce(origin + path);
    const [bareRate = 0, ...rates] = await mediansInTurn([
      burst(next.origin, [BARES[bare]]),
      burst(own.origin, paths),
      burst(next.origin, paths),
    ]);
    rows.push({ name, unit: "/s", shop: rates, other: rates.map(() => bareRate) });
  }
  await own.stop({ isForced: false });
  await next.stop({ isForced: false });
  await database.stop({ isForced: false });
  return {
    title: `Pages and API, ${products} products, ${CONNECTIONS} connections: server.mjs / next start, beside a bare page or JSON route of next start`,
    rows,
  };
}
