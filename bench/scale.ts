import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { type BenchDatabase, openDatabase, queryRows } from "@/bench/database";
import { type Load, runLoad, type Tool } from "@/bench/load";
import { cpuMsOfTree } from "@/bench/processes";
import { aimOf, formatFigure, printTable } from "@/bench/report";
import type { BenchOptions } from "@/bench/run";
import { type Server, startShop } from "@/bench/shop";
import { listFilters, misspell, wordsOf } from "@/bench/workload";
import { createRandom, type Random } from "@/db/seed/random";

// How does latency grow with the catalogue? The same requests go to a shop with 1,000 products and to
// one with many, one right after the other. Each request is made once, so that none is served from a
// cache (text searches are never cached).

const SMALL = 1_000;
const CONNECTIONS = 16;
const RATIO_LIMIT = 3;
/** A burst on a fast machine makes some thousands. */
const QUERIES_PER_SCENARIO = 12_000;
const SLOW_QUERY_MS = 30;
const SORTS: readonly Record<string, string>[] = [
  { price_sort: "asc" },
  { price_sort: "desc" },
  { date_sort: "newest" },
];

interface Scenario {
  name: string;
  /** The paths for a database's category and tag ids. */
  paths(facets: Facets): string[];
}

interface Facets {
  categories: string[];
  tags: string[];
  /** Every combination of one facet, type and sort. */
  filters: Record<string, string>[];
}

interface Words {
  /** Most frequent first. */
  common: string[];
  rare: string[];
  /** Names as lists of words. */
  names: string[][];
}

interface Side {
  products: number;
  database: BenchDatabase;
  shop: Server;
  facets: Facets;
}

export async function runScale(options: BenchOptions & { tool: Tool }) {
  const { services, products, tool, seconds, explain } = options;
  const sides: Side[] = [];
  for (const count of [SMALL, products]) {
    const database = await openDatabase({ services, products: count });
    await prewarmCatalogue(database);
    await setAutoExplain({ database, isEnabled: explain });
    const shop = await startShop({ services, databaseUrl: database.url });
    sides.push({ products: count, database, shop, facets: await readFacets(database.url) });
  }
  const [small, large] = sides;
  if (!small || !large) throw new Error("Nothing to compare.");

  const scenarios = listScenarios(await readWords(small.database.url));
  const results = [];
  let isSound = true;
  for (const { name, paths } of scenarios) {
    const [smallResult, largeResult] = [
      await measure({ side: small, paths: paths(small.facets), tool, seconds }),
      await measure({ side: large, paths: paths(large.facets), tool, seconds }),
    ];
    const ratio = largeResult.p99 / smallResult.p99;
    isSound &&= smallResult.failures + largeResult.failures === 0;
    results.push({ name, small: smallResult, large: largeResult, ratio });
    console.log(`  ${name}: ${formatFigure(ratio)}`);
    if (explain && ratio > RATIO_LIMIT && largeResult.plan) console.log(largeResult.plan);
  }

  console.log(
    `\np99 at ${CONNECTIONS} connections with ${products} products, to that with ${SMALL}`,
  );
  printTable(
    ["", "ratio", "p50", "p99", "DB ms", "req/s", "p50 small", "p99 small", "DB ms"],
    results.map(({ name, ratio, small, large }) => [
      name,
      formatFigure(ratio),
      formatFigure(large.p50),
      formatFigure(large.p99),
      formatFigure(large.databaseCpuMs),
      formatFigure(large.perSecond),
      formatFigure(small.p50),
      formatFigure(small.p99),
      formatFigure(small.databaseCpuMs),
    ]),
  );
  for (const { shop, database } of sides) {
    await shop.stop({ isForced: false });
    await setAutoExplain({ database, isEnabled: false });
    await database.stop({ isForced: false });
  }
  const aims = results.map(({ name, ratio }) =>
    aimOf({ name: `p99, ${name}`, value: ratio, atMost: RATIO_LIMIT }),
  );
  return { aims, isSound, results };
}

/** Loads the catalogue and its indexes into PostgreSQL's buffers, so that the disk is not measured. */
async function prewarmCatalogue({ url }: BenchDatabase): Promise<void> {
  await queryRows({ url, sql: "create extension if not exists pg_prewarm" });
  await queryRows({
    url,
    sql: `
      select pg_prewarm(part) from (
        select indrelid as part from pg_index union select indexrelid from pg_index
      ) parts
      join pg_class on oid = part
      where relname ~ '^(products|product_listings|search_words)(_|$)'
      order by pg_relation_size(part)`,
  });
}

// Requests ---------------------------------------------------------------------------------------

async function readFacets(url: string): Promise<Facets> {
  const ids = async (table: string) =>
    (
      await queryRows<{ id: string }>({ url, sql: `select id::text from ${table} order by id` })
    ).map(({ id }) => id);
  const [categories, tags] = await Promise.all([ids("categories"), ids("tags")]);
  return { categories, tags, filters: await listFilters(url) };
}

/** Words of the small catalogue, which the large one contains, too. */
async function readWords(url: string): Promise<Words> {
  const rows = await queryRows<{ name: string }>({
    url,
    sql: "select name from products order by id",
  });
  const names = rows.map(({ name }) => wordsOf(name)).filter((words) => words.length >= 3);
  const counts = new Map<string, number>();
  for (const word of names.flat()) counts.set(word, (counts.get(word) ?? 0) + 1);
  const words = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  return { common: words.slice(0, 40), rare: words.slice(-300), names };
}

function listScenarios({ common, rare, names }: Words): Scenario[] {
  const list = (
    name: string,
    draw: (facets: Facets, random: Random) => Record<string, string>,
    path = "/api/products",
  ): Scenario => ({
    name,
    paths: (facets) => {
      const random = createRandom(name.length);
      const paths = new Set<string>();
      for (let i = 0; paths.size < QUERIES_PER_SCENARIO && i < 3 * QUERIES_PER_SCENARIO; i++) {
        paths.add(`${path}?${new URLSearchParams(draw(facets, random))}`);
      }
      return [...paths];
    },
  });
  const search = (
    name: string,
    draw: (random: Random) => string,
    more: (facets: Facets, random: Random) => Record<string, string> = () => ({}),
  ) =>
    list(name, (facets, random) => ({
      search: draw(random),
      itemsPerPage: "24",
      ...more(facets, random),
    }));
  /** Random page sizes and pages, so that lists differ; within the small catalogue. */
  const pagination = (random: Random) => {
    const itemsPerPage = random.int(10, 40);
    return { itemsPerPage: String(itemsPerPage), page: String(random.int(1, 400 / itemsPerPage)) };
  };
  const prices = (random: Random) => {
    const least = random.int(500, 3_000);
    return {
      min_price: String(least / 100),
      max_price: String((least + random.int(500, 4_000)) / 100),
    };
  };
  const oneOf = (words: readonly string[]) => (random: Random) => random.pick(words);
  const phraseOf = (count: number) => (random: Random) => {
    const words = random.pick(names);
    return count === 2 ? `${words[0]} ${words.at(-1)}` : words.slice(0, count).join(" ");
  };
  const fragment = (random: Random) => {
    const word = random.pick(names.flat().filter((text) => text.length > 5));
    const begin = random.int(1, word.length - 4);
    return word.slice(begin, begin + random.int(3, 4));
  };
  return [
    list("lists by category, tag, type, sort", ({ filters }, random) => ({
      ...random.pick(filters),
      ...pagination(random),
    })),
    list("… within prices", ({ filters }, random) => ({
      ...random.pick(filters),
      ...prices(random),
      itemsPerPage: "24",
    })),
    list("… category and tag", ({ categories, tags }, random) => ({
      category: random.pick(categories),
      "tags.id": random.pick(tags),
      ...(random.chance(0.5) && { price_sort: "asc" }),
      ...prices(random),
      itemsPerPage: "24",
    })),
    list("… their 20th to 40th page", ({ filters }, random) => ({
      ...random.pick(filters.filter((filter) => !filter.category && !filter["tags.id"])),
      itemsPerPage: String(random.int(8, 12)),
      page: String(random.int(20, 40)),
      // No product is that cheap: only makes the request unique.
      min_price: String(random.int(1, 190) / 100),
    })),
    list(
      "catalogue pages within prices",
      ({ filters }, random) => ({ ...random.pick(filters), ...prices(random) }),
      "/products",
    ),
    list(
      "home, with recently viewed products",
      (_, random) =>
        Object.fromEntries([0, 1, 2].map((i) => [`recent[${i}]`, String(random.int(1, SMALL))])),
      "/api/home",
    ),
    search("search: common words", oneOf(common)),
    search("search: rare words", oneOf(rare)),
    search("search: two words", phraseOf(2)),
    search("search: three words", phraseOf(3)),
    search("search: parts of words", fragment),
    search("search: typing errors", (random) => misspell({ word: random.pick(rare), random })),
    search("search: nothing to be found", (random) => `zq${random.int(100, 999)}xw`),
    search("search: common words, 2nd to 4th page", oneOf(common), (_, random) => ({
      page: String(random.int(2, 4)),
    })),
    search("search: common words, sorted", oneOf(common), (_, random) => random.pick(SORTS)),
    search("search: rare words, sorted", oneOf(rare), (_, random) => random.pick(SORTS)),
    search("search: common words in a category", oneOf(common), ({ categories }, random) => ({
      category: random.pick(categories),
    })),
    search("search: common words within prices", oneOf(common), (_, random) => prices(random)),
    search(
      "search: common words, filtered and sorted",
      oneOf(common),
      ({ categories }, random) => ({
        category: random.pick(categories),
        ...prices(random),
        price_sort: "asc",
      }),
    ),
  ];
}

// Measurement ------------------------------------------------------------------------------------

interface Measurement extends Load {
  databaseCpuMs: number | null;
  /** The slowest query's, with --explain. */
  plan: string | null;
}

async function measure(options: {
  side: Side;
  paths: readonly string[];
  tool: Tool;
  seconds: number;
}): Promise<Measurement> {
  const { side, paths, tool, seconds } = options;
  const { database, shop } = side;
  // A second of warm-up, for the caches of both.
  const load = (first: number, length: number) =>
    runLoad({ tool, origin: shop.origin, paths, first, connections: CONNECTIONS, seconds: length });
  const { requests } = await load(0, 1);
  const log = logOf(database);
  const logged = statSync(log).size;
  const before = cpuMsOfTree(database.pid);
  const measured = await load(requests, seconds);
  const after = cpuMsOfTree(database.pid);
  return {
    ...measured,
    databaseCpuMs: before === null || after === null ? null : (after - before) / measured.requests,
    plan: slowestPlan(readFileSync(log).subarray(logged).toString("utf8")),
  };
}

/** PostgreSQL's log, beside its data. */
const logOf = ({ dataDir }: BenchDatabase) => path.join(realpathSync(dataDir), "server.log");

/** Logs the plans of slow queries; takes effect for new connections. */
async function setAutoExplain({
  database,
  isEnabled,
}: {
  database: BenchDatabase;
  isEnabled: boolean;
}): Promise<void> {
  const settings: Record<string, string> = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": String(SLOW_QUERY_MS),
    "auto_explain.log_analyze": "on",
    "auto_explain.log_buffers": "on",
    "auto_explain.log_timing": "off",
  };
  for (const [name, value] of Object.entries(settings)) {
    await queryRows({
      url: database.url,
      sql: isEnabled
        ? `alter role shop in database shop set ${name} = '${value}'`
        : `alter role shop in database shop reset ${name}`,
    });
  }
}

/** The slowest query's entry in auto_explain's log. */
function slowestPlan(log: string): string | null {
  const entries = log.split(/^(?=\d{4}-\d\d-\d\d )/m).filter((entry) => entry.includes("plan:"));
  const duration = (entry: string) => Number(entry.match(/duration: ([\d.]+) ms/)?.[1]);
  const [slowest] = entries.toSorted((a, b) => duration(b) - duration(a));
  // Truncates long lines: a word fragment can match hundreds of words.
  return slowest?.replace(/^(.{600}).+$/gm, "$1…") ?? null;
}
