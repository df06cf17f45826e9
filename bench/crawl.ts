import { openDatabase, queryRows } from "@/bench/database";
import { residentMiB } from "@/bench/processes";
import { type Aim, aimOf, printAims, printTable, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, startShop } from "@/bench/shop";
import { listFilters } from "@/bench/workload";

// npm run bench -- crawl [--products N] – requests every product and every filter once, so that each
// is rendered and cached, and checks that the server's memory stays bounded.

const CONNECTIONS = 8;
const PAGES_PER_LIST = 5;
const SAMPLES = 10;
const MEMORY_LIMIT_MIB = 400;
/** Pages of a visitor during the crawl. */
const VISITED_PATHS = ["/", "/products", "/contact"];

/** Every path that the catalogue links to, in a crawler's order. */
async function listPaths(url: string): Promise<string[]> {
  const products = await queryRows<{ id: number }>({
    url,
    sql: "select id from products order by id",
  });
  const filters = await listFilters(url);
  const views = filters.flatMap((filter) =>
    Array.from({ length: PAGES_PER_LIST }, (_, index) => {
      const query = new URLSearchParams(filter);
      if (index > 0) query.set("page", String(index + 1));
      return query.size > 0 ? `/products?${query}` : "/products";
    }),
  );
  return [...views, ...products.map(({ id }) => `/product/${id}`)];
}

export async function run({ services, products }: BenchOptions): Promise<number> {
  console.log("Building the shop…");
  await buildShop(services);
  const database = await openDatabase({ services, products });
  const shop = await startShop({ services, databaseUrl: database.url });
  const paths = await listPaths(database.url);
  console.log(`Requesting ${paths.length} URLs over ${CONNECTIONS} connections…\n`);

  const samples: { requested: number; memory: number | null }[] = [];
  const step = Math.ceil(paths.length / SAMPLES);
  let requested = 0;
  let failures = 0;
  async function request(path: string) {
    const response = await fetch(shop.origin + path).catch(() => null);
    await response?.arrayBuffer();
    if (!response?.ok) failures++;
  }
  async function crawl() {
    for (let path = paths[requested++]; path !== undefined; path = paths[requested++]) {
      await request(path);
      if (requested < samples.length * step) continue;
      samples.push({ requested, memory: residentMiB(shop.pid) });
      for (const page of VISITED_PATHS) await request(page);
    }
  }
  const begin = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, crawl));
  const seconds = (performance.now() - begin) / 1000;

  printTable(
    ["URLs", "memory, MiB"],
    samples.map(({ requested, memory }) => [String(requested), memory?.toFixed(0) ?? "–"]),
  );
  const aims = [
    ...aimsOfMemory(samples.flatMap(({ memory }) => memory ?? [])),
    aimOf({ name: "failed requests", value: failures, atMost: 0, digits: 0 }),
  ];
  printAims(aims);
  saveResults("crawl", { products, urls: paths.length, seconds, samples, aims });
  await shop.stop({ isForced: false });
  await database.stop({ isForced: false });
  return aims.every(({ isMet }) => isMet) ? 0 : 1;
}

/** Empty where the system does not report memory. */
function aimsOfMemory(memory: readonly number[]): Aim[] {
  if (memory.length === 0) return [];
  const half = memory.slice(memory.length / 2);
  return [
    aimOf({
      name: "most memory",
      value: Math.max(...memory),
      atMost: MEMORY_LIMIT_MIB,
      unit: "MiB",
      digits: 0,
    }),
    // A leak per page would show in the second half, when the cache is full.
    aimOf({ name: "last : middle", value: (half.at(-1) ?? 0) / (half[0] ?? 1), atMost: 1.25 }),
  ];
}
