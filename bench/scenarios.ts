import { queryRows } from "@/bench/database";
import { listFilters, misspell, wordsOf } from "@/bench/requests";
import { createRandom, type Random } from "@/db/seed/random";

// What is asked of a large shop: lists and searches of visitors, and the back office's lists.

/** Different ones of each scenario, so that no response is a stored one; searches by the API are never stored. */
const PATHS = 400;
const SORTS: readonly Record<string, string>[] = [
  { price_sort: "asc" },
  { price_sort: "desc" },
  { date_sort: "newest" },
];

/** One after the other: counts take turns, and refuse what would wait too long. */
const COUNTED = { count: 40, atOnce: 1 };

export interface Scenario {
  name: string;
  /** Requests of each side, where they differ from those of the other scenarios. */
  load?: { count: number; atOnce: number };
  /** The paths for a database's category and tag ids. */
  paths(facets: Facets): string[];
}

export interface Facets {
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

export async function readFacets(url: string): Promise<Facets> {
  const ids = async (table: string) =>
    (
      await queryRows<{ id: string }>({ url, sql: `select id::text from ${table} order by id` })
    ).map(({ id }) => id);
  const [categories, tags] = await Promise.all([ids("categories"), ids("tags")]);
  return { categories, tags, filters: await listFilters(url) };
}

/** Words of the small catalogue, which the large one contains, too. */
export async function readWords(url: string): Promise<Words> {
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

export function listScenarios({ common, rare, names }: Words): Scenario[] {
  const list = (
    name: string,
    draw: (facets: Facets, random: Random) => Record<string, string>,
    path = "/api/products",
  ): Scenario => ({
    name,
    paths: (facets) => {
      const random = createRandom(name.length);
      const paths = new Set<string>();
      for (let i = 0; paths.size < PATHS && i < 3 * PATHS; i++) {
        paths.add(`${path}?${new URLSearchParams(draw(facets, random))}`);
      }
      return [...paths];
    },
  });
  const counts = (...[name, draw]: Parameters<typeof list>): Scenario => ({
    ...list(name, draw, "/api/product_facets"),
    load: COUNTED,
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
    counts("counts beside the filters, of lists within prices", ({ filters }, random) => ({
      ...random.pick(filters),
      ...prices(random),
    })),
    counts("counts beside the filters, of searches", (_, random) => ({
      search: random.pick(names).slice(0, 2).join(" "),
      ...prices(random),
    })),
    list(
      "suggestions for the first letters of words",
      (_, random) => ({ q: random.pick(names.flat()).slice(0, random.int(2, 8)) }),
      "/api/suggestions",
    ),
    list(
      "suggestions for typing errors",
      (_, random) => ({ q: misspell({ word: random.pick(rare), random }) }),
      "/api/suggestions",
    ),
    list(
      "home, with recently viewed products",
      (_, random) =>
        Object.fromEntries([0, 1, 2].map((i) => [`recent[${i}]`, String(random.int(1, 1_000))])),
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

const ADMIN_LISTS: Record<string, readonly string[]> = {
  products: [
    "",
    "order[name]=asc",
    "order[price]=desc",
    "search=lampe",
    "withoutImage=true",
    "stockState=low",
    "stockState=sold_out",
    "order[stock]=asc",
    "page=20",
  ],
  users: [
    "",
    "order[email]=asc",
    "search=durand",
    "role=ROLE_ADMIN",
    "isVerified=false",
    "page=20",
  ],
  addresses: ["", "order[city]=asc", "search=lilas", "type=billing", "page=20"],
  admin_orders: [
    "",
    "order[total]=desc",
    "search=durand",
    "search=lampe",
    "search=lampe durand ville 42",
    "search=01234",
    "search=42,90",
    "search=FA-2026-000042",
    "search=pi_42",
    "search=6A42",
    "date[after]=2026-03-01&date[before]=2026-03-02",
    "todo=prepare",
    "todo=ship",
    "todo=ship&order[date]=asc",
    "todo=refund",
    "status=shipped",
    "status=delivered",
    "status=cancelled",
    "page=20",
  ],
  // Without a page, a thousand of them: what grows is the answer.
  "admin/invoices": [
    "page=1",
    "search=FA-2026-000007",
    "date[after]=2026-03-01&date[before]=2026-03-02&page=1",
    "page=20",
  ],
  reviews: ["", "status=PENDING", "order[rating]=asc", "search=durand", "page=20"],
  carts: ["", "search=durand", "page=20"],
  categories: [""],
  tags: [""],
  orders: [
    "interval=day&date[after]=2026-03-01&date[before]=2026-03-30",
    "interval=month&date[after]=2026-01-01",
  ],
  "admin/dashboard": ["period=30d", "period=12m"],
};

/** The back office's lists: sorted, filtered, searched and on far pages. */
export const ADMIN_PATHS = Object.entries(ADMIN_LISTS).flatMap(([list, queries]) =>
  queries.map((query) => `/api/${list}${query && `?${query}`}`),
);
