import { openDatabase, queryRows } from "@/bench/database";
import { residentMiB } from "@/bench/processes";
import { aimOf, printAims, printTable, saveResults } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { buildShop, startShop } from "@/bench/shop";
import { listFilters } from "@/bench/workload";

// npm run bench -- crawl [--products N] – a crawler that asks for every product and every filter,
// each once, so that each is rendered and stored. Whatever it asks for, the server's memory stays.

const CONNECTIONS = 8;
const PAGES_PER_LIST = 5;
const SAMPLES = 10;
const MEMORY_MIB = 400;
/** Pages that a visitor who comes amidst the crawl opens: they have to be there as well. */
const VISITED = ["/", "/products", "/contact"];

/** Every address that a link of the catalogue leads to, in a crawler's order. */
async function listAddresses(url: string): Promise<string[]> {
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
  const addresses = await listAddresses(database.url);
  console.log(`Asking for ${addresses.length} addresses, ${CONNECTIONS} at once…\n`);

  const samples: { asked: number; memory: number }[] = [];
  const step = Math.ceil(addresses.length / SAMPLES);
  let asked = 0;
  let failures = 0;
  async function ask(path: string) {
    const response = await fetch(shop.origin + path).catch(() => null);
    await response?.arrayBuffer();
    if (!response?.ok) failures++;
  }
  async function crawl() {
    for (let path = addresses[asked++]; path !== undefined; path = addresses[asked++]) {
      await ask(path);
      if (asked < samples.length * step) continue;
      samples.push({ asked, memory: residentMiB(shop.pid) ?? 0 });
      for (const page of VISITED) await ask(page);
    }
  }
  const begin = performance.now();
  await Promise.all(Array.from({ length: CONNECTIONS }, crawl));
  const seconds = (performance.now() - begin) / 1000;

  printTable(
    ["addresses", "memory, MiB"],
    samples.map(({ asked, memory }) => [String(asked), memory.toFixed(0)]),
  );
  const half = samples.slice(samples.length / 2).map(({ memory }) => memory);
  const most = Math.max(...samples.map(({ memory }) => memory));
  const aims = [
    aimOf({ name: "most memory", value: most, atMost: MEMORY_MIB, unit: "MiB", digits: 0 }),
    // What grows with every page would show in the second half, which only repeats the first.
    aimOf({ name: "last : middle", value: (half.at(-1) ?? 0) / (half[0] ?? 1), atMost: 1.25 }),
    aimOf({ name: "failed requests", value: failures, atMost: 0, digits: 0 }),
  ];
  printAims(aims);
  saveResults("crawl", { products, addresses: addresses.length, seconds, samples, aims });
  await shop.stop({ isHurried: false });
  await database.stop({ isHurried: false });
  return failures > 0 ? 1 : 0;
}
