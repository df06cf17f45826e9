import { sql } from "drizzle-orm";
import { db } from "@/db";
import { cachedText } from "@/lib/http/cache/cache";
import { eurosFromCents } from "@/lib/money";
import { shownStock } from "@/lib/stock/rules";
import { normalise } from "@/lib/text/normalise";
import { listCategories } from "./labels";
import { listProductsByIds, type ProductRow } from "./product-rows";
import { type SearchWord, similarWords, wordsNear } from "./search/vocabulary";
import { approximateQuery, readQuery, type TextQuery, textCondition } from "./search/words";
import type { Suggestions } from "./suggestion-schemas";
import { inTurn } from "./turns";
import { KEPT_SEARCH, sameWords } from "./view-path";

// What is suggested while a search is typed. It must be quick, not complete: whatever the size of the catalogue, a
// bounded number of products is read.

const MAX_PRODUCTS = 6;
const MAX_CATEGORIES = 3;
const MAX_NEAR = 3;
/** From this many characters on. */
const MIN_LENGTH = 2;

/** The best sold products that are looked at, and the matches of which the best are suggested. */
const READ_BEST_SOLD = 500;
const RANKED = 48;
/** If the best sold products have too few matches, this many further matches are read. */
const READ_MATCHES = 1_000;

const NOTHING: Suggestions = { products: [], categories: [], corrected: null };

/** Suggestions for a typed text, from the cache if they are known. @throws 503 where they have waited too long for their turn */
export async function getSuggestions(text: string): Promise<Suggestions> {
  const typed = sameWords(text.replace(/\s+/g, " ").trim());
  if ([...typed].length < MIN_LENGTH) return NOTHING;
  const known = await cachedText({
    key: ["suggestions", typed],
    tags: KEPT_SEARCH.tags,
    run: async () => JSON.stringify(await inTurn(() => suggest(typed))),
  });
  return JSON.parse(known);
}

async function suggest(typed: string): Promise<Suggestions> {
  const [{ words, exact }, categories] = await Promise.all([readQuery(typed), listCategories()]);
  const key = normalise(typed);
  const named = categories
    .filter(({ name }) => key !== "" && ` ${normalise(name)}`.includes(` ${key}`))
    .slice(0, MAX_CATEGORIES)
    .map(({ id, name }) => ({ id, name }));
  const found = exact ? await bestMatches(exact, key) : [];
  if (found.length > 0) return { ...NOTHING, products: found.map(productJson), categories: named };
  const near = await approximateQuery(words);
  const similar = near ? await bestMatches(near, key) : [];
  if (similar.length > 0)
    return {
      ...NOTHING,
      products: similar.map(productJson),
      categories: named,
      corrected: await correctedText(words, similar),
    };
  const others = await nearWords(words);
  return { ...NOTHING, categories: named, ...(others.length > 0 && { near: others }) };
}

const productJson = (row: ProductRow): Suggestions["products"][number] => ({
  id: row.id,
  name: row.name,
  image: row.image,
  price: eurosFromCents(row.priceCents),
  availability: shownStock(row).availability,
});

/** Matches among the best sold products or, if too few, among all; names with a word that begins with `key` come first. */
async function bestMatches(query: TextQuery, key: string): Promise<ProductRow[]> {
  const condition = sql`p.status = 'active' and ${textCondition(query)}`;
  const bestSold = sql`select id from (
      select * from products order by sales_count desc nulls last, id limit ${READ_BEST_SOLD}
    ) p where ${condition} limit ${RANKED}`;
  const ids = await rankedIds(bestSold, key);
  // Common parts of words are in no index: only the best sold products are searched for them.
  if (ids.length === MAX_PRODUCTS || query.tsqueries.length === 0) return listProductsByIds(ids);
  const all = sql`select id from products p where ${condition} limit ${READ_MATCHES}`;
  return listProductsByIds(await rankedIds(all, key));
}

async function rankedIds(matches: ReturnType<typeof sql>, key: string): Promise<number[]> {
  const rows = await db.execute<{ id: number }>(sql`
    with found as materialized (${matches})
    select p.id from products p where p.id in (select id from found)
    order by strpos(' ' || p.name_key, ${` ${key}`}) = 0, p.sales_count desc, p.id
    limit ${MAX_PRODUCTS}`);
  return rows.map(({ id }) => id);
}

/** The typed text with the words that were understood, as a found product writes them: "théière" for "teière". */
async function correctedText(
  words: readonly SearchWord[],
  found: readonly ProductRow[],
): Promise<string | null> {
  const written = new Map(
    found
      .flatMap(({ name, description }) => `${name} ${description}`.match(/[\p{L}\p{N}]+/gu) ?? [])
      .map((word) => [normalise(word), word.toLowerCase()]),
  );
  const corrected = await Promise.all(
    words.map(async ({ word, known, parts, isStopWord }) => {
      if (known || isStopWord || parts.length > 0) return word;
      const near = (await wordsNear(word)).map((each) => each.word);
      const understood = near.find((each) => written.has(each)) ?? near[0] ?? word;
      return written.get(understood) ?? understood;
    }),
  );
  return corrected.join(" ");
}

/** Words of the shop that look like the typed ones, for a search without any result. */
async function nearWords(words: readonly SearchWord[]): Promise<string[]> {
  const unknown = words.filter(
    ({ known, isStopWord, word }) => !known && !isStopWord && word.length > 2,
  );
  const near = await Promise.all(
    unknown.slice(0, MAX_NEAR).map(({ word }) => similarWords(word, { limit: MAX_NEAR })),
  );
  return [...new Set(near.flat())].slice(0, MAX_NEAR);
}
