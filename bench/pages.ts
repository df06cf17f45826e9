import { openDatabase } from "@/bench/database";
import { mediansInTurn, type Part, runLoad } from "@/bench/measure";
import { drawRequests } from "@/bench/requests";
import type { BenchOptions } from "@/bench/run";
import { startShop } from "@/bench/shop";

// Requests per second of public pages, product lists and single products, compared with the least that Next.js
// serves: an empty cached page and a constant JSON response (app/bench).

const CONNECTIONS = 16;

interface Target {
  name: string;
  paths: readonly string[];
  /** The bare target that it is compared with. */
  bare: Bare;
  /** Requested once before, so that stored responses are measured. */
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
  const shop = await startShop({ services, databaseUrl: database.url });
  const targets = await listTargets(database.url);
  const stored = targets.flatMap(({ paths, isStored }) => (isStored ? paths : []));
  for (const path of [...Object.values(BARES), ...stored]) await requestOnce(shop.origin + path);

  /** Each burst continues where the last one ended. */
  const burst = (paths: readonly string[]) => {
    let first = 0;
    return async () => {
      const { requests, perSecond } = await runLoad({
        origin: shop.origin,
        paths,
        first,
        connections: CONNECTIONS,
        seconds,
      });
      first += requests;
      return perSecond;
    };
  };
  const [page = 0, route = 0, ...rates] = await mediansInTurn([
    burst([BARES.page]),
    burst([BARES.route]),
    ...targets.map(({ paths }) => burst(paths)),
  ]);
  const bareRates = { page, route };
  await shop.stop({ isForced: false });
  await database.stop({ isForced: false });
  return {
    title: `Pages and API, ${products} products, ${CONNECTIONS} connections, beside a bare page or JSON route of Next.js`,
    rows: targets.map(({ name, bare }, i) => ({
      name,
      unit: "/s",
      shop: [rates[i] ?? 0],
      other: [bareRates[bare]],
    })),
  };
}
