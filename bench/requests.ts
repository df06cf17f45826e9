import { queryRows } from "@/bench/database";
import { createRandom, type Random } from "@/db/seed/random";

// The requests of a benchmark, drawn with a fixed seed so that all runs request the same.

const SEED = 20_260_101;
const PRODUCTS = 2_000;
const VIEWS = 300;
/** More than a run asks for. */
const SEARCHES = 30_000;

/** Products, and different catalogue views (as query strings) and texts to search for. */
export async function drawRequests(url: string) {
  const random = createRandom(SEED);
  const sample = await queryRows<{ id: number; name: string }>({
    url,
    sql: "select id, name from products order by hashint8extended(id, 7) limit 20000",
  });
  return {
    productIds: sample.slice(0, PRODUCTS).map(({ id }) => id),
    views: drawViews({ filters: await listFilters(url), random }),
    searches: drawSearches({ names: sample.map(({ name }) => name), random }),
  };
}

type Filter = Partial<Record<"category" | "tags.id" | "type" | "price_sort" | "date_sort", string>>;

const TYPES = ["digital", "physical"] as const;
const SORTS: readonly Filter[] = [
  {},
  { price_sort: "asc" },
  { price_sort: "desc" },
  { date_sort: "newest" },
  { date_sort: "oldest" },
];

/** Every combination of a category or tag, a type and a sort. */
export async function listFilters(url: string): Promise<Filter[]> {
  const ids = (table: "categories" | "tags") =>
    queryRows<{ id: string }>({ url, sql: `select id::text from ${table} order by id` });
  const [categories, tags] = await Promise.all([ids("categories"), ids("tags")]);
  const lists: Filter[] = [
    {},
    ...categories.map(({ id }) => ({ category: id })),
    ...tags.map(({ id }) => ({ "tags.id": id })),
  ];
  return lists.flatMap((list) =>
    [{}, ...TYPES.map((type) => ({ type }))].flatMap((kind) =>
      SORTS.map((sort) => ({ ...list, ...kind, ...sort })),
    ),
  );
}

function drawViews({ filters, random }: { filters: readonly Filter[]; random: Random }): string[] {
  const views = new Set<string>();
  while (views.size < VIEWS) {
    const view = new URLSearchParams(random.pick(filters));
    // A third has a price limit, half are further pages.
    if (random.chance(0.33)) view.set("max_price", String(random.int(8, 40) * 5));
    if (random.chance(0.5)) view.set("page", String(random.int(2, 8)));
    if (view.size > 0) views.add(view.toString());
  }
  return [...views];
}

/** The words of a text that are long enough to search for. */
export const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 3);

/** One, two or three words of a name, a part of a word, or a misspelt word. */
function drawSearches({ names, random }: { names: readonly string[]; random: Random }): string[] {
  const searches = new Set<string>();
  for (let attempt = 0; searches.size < SEARCHES && attempt < 20 * SEARCHES; attempt++) {
    const words = wordsOf(random.pick(names));
    if (words.length < 2) continue;
    const word = random.pick(words);
    const kind = random.weighted([2, 5, 4, 2, 1]);
    if (kind === 0) searches.add(word);
    else if (kind === 1) searches.add(`${words[0]} ${words.at(-1)}`);
    else if (kind === 2) searches.add(words.slice(0, 3).join(" "));
    else if (kind === 3) searches.add(fragmentOf({ word, random }));
    else searches.add(misspell({ word, random }));
  }
  return [...searches];
}

function fragmentOf({ word, random }: { word: string; random: Random }): string {
  const length = Math.min(word.length, random.int(3, 5));
  const begin = random.int(0, word.length - length);
  return word.slice(begin, begin + length);
}

/** Swaps two neighbouring letters. */
export function misspell({ word, random }: { word: string; random: Random }): string {
  const at = random.int(1, Math.max(1, word.length - 2));
  return word.slice(0, at) + (word[at + 1] ?? "") + (word[at] ?? "") + word.slice(at + 2);
}
