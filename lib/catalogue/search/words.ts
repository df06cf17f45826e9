import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import {
  findReference,
  lexemesNear,
  MAX_EXPANSIONS,
  readSearchWords,
  type SearchWord,
} from "./vocabulary";

/** With more expansions, only the stem of a word counts for relevance. */
const MAX_RANKED_PARTS = 8;

/** A parsed search text. */
export type TextQuery = {
  /**
   * `tsquery`s for the index, which must all match; empty where all words are common parts. They are
   * separate, so that the index compares a product with the next `tsquery` only if it matched the one before.
   */
  tsqueries: readonly string[];
  /** Parts of very many words: searched as they are in the name, or by stem anywhere (a `tsquery`). */
  commonParts: readonly { part: string; stem: string | null }[];
  /** The `tsquery` from which relevance is computed, or null. */
  ranking: string | null;
  /**
   * Single letters ("taille M", "C++"), which the index ignores: products with them in the name come first.
   */
  letters: readonly string[];
  /** The `tsquery` of the reference or barcode that the whole text is; its product matches in any case. */
  reference?: string;
};

/**
 * The query of a search text; null where it has no words. Each word must match: by its French stem anywhere,
 * as a part of a word in the name, or by its letters and digits next to each other. Words that a product
 * writes as one also match as one. Stop words ("de", "la") count only where there are no other words. Beside
 * other words, single letters affect only the order.
 */
function exactQuery(all: readonly SearchWord[]): TextQuery | null {
  const groups = groupsOf(all);
  const single = groups.flatMap(({ words, joined }) => (joined ? [] : words));
  const contentWords = single.filter((word) => !word.isStopWord);
  const hasContent = contentWords.length > 0 || single.length < all.length;
  const words = hasContent ? contentWords : single;
  const isCommonPart = (word: SearchWord) =>
    word.parts.length > MAX_EXPANSIONS || isStopLetter(word);
  const alternatives = words
    .filter((word) => !isCommonPart(word))
    .map((word) => alternativesOf(word));
  if (all.length === 0 || alternatives.some((lexemes) => lexemes.length === 0)) return null;
  const joined = groups.flatMap((group) => joinedQuery(group) ?? []);
  const ranked = words
    .map((word) => alternativesOf(word, MAX_RANKED_PARTS))
    .filter((lexemes) => lexemes.length > 0)
    .map(disjunction);
  return {
    tsqueries: [...alternatives.map(disjunction), ...joined],
    ranking: [...ranked, ...joined].map((tsquery) => `(${tsquery})`).join(" & ") || null,
    // Lexemes contain only letters and digits (see search_canonical), so quoting is enough.
    commonParts: words
      .filter(isCommonPart)
      .map(({ word, stem }) => ({ part: word, stem: stem && `'${stem}'` })),
    letters: single.filter(isStopLetter).map(({ word }) => word),
  };
}

/**
 * Like `exactQuery`, with unknown words replaced by words within a typing error. Null where an unknown word
 * resembles no word of the vocabulary, or where no word was replaced.
 */
export async function approximateQuery(words: readonly SearchWord[]): Promise<TextQuery | null> {
  const joined = new Set(groupsOf(words).flatMap((group) => (group.joined ? group.words : [])));
  let hasReplaced = false;
  const replaced = await Promise.all(
    words.map(async (word) => {
      if (word.isStopWord || joined.has(word)) return word;
      if (word.known || word.parts.length > 0)
        return { ...word, stem: word.known ? word.stem : null };
      hasReplaced = true;
      return { ...word, stem: null, parts: await lexemesNear(word.word) };
    }),
  );
  return hasReplaced ? exactQuery(replaced) : null;
}

/** The words of a search text, and the query of its products, the one with this reference (SKU) or barcode first. */
export async function readQuery(
  search: string,
): Promise<{ words: SearchWord[]; exact: TextQuery | null }> {
  const [words, reference] = await Promise.all([readSearchWords(search), findReference(search)]);
  return { words, exact: orReference(exactQuery(words), reference) };
}

/** @param reference from `findReference` */
const orReference = (query: TextQuery | null, reference: string | null): TextQuery | null =>
  reference === null
    ? query
    : query
      ? { ...query, reference }
      : { tsqueries: [reference], commonParts: [], ranking: null, letters: [] };

/** Words that some product writes as one ("porte monnaie" for "portemonnaie"), or a single word. */
interface WordGroup {
  words: readonly SearchWord[];
  /** The lexeme of the joined words; null for a single word. */
  joined: string | null;
}

/** Groups the words from the left, the longest joins first. */
function groupsOf(all: readonly SearchWord[]): WordGroup[] {
  const groups: WordGroup[] = [];
  for (let i = 0; i < all.length; ) {
    const rest = all.slice(i);
    const join = rest[0]?.joins.findLast((candidate) => isJoin(rest, candidate));
    const words = rest.slice(0, join?.length ?? 1);
    groups.push({ words, joined: join?.lexeme ?? null });
    i += words.length;
  }
  return groups;
}

/** A stop word at an end belongs to the join only if it has a hyphen: "t-shirt", but not "sac à dos". */
function isJoin(
  rest: readonly SearchWord[],
  { length, isHyphenated }: SearchWord["joins"][number],
) {
  const run = rest.slice(0, length);
  const areAdjacent = run.every(({ position }, i) => position === (run[0]?.position ?? 0) + i);
  return run.length === length && areAdjacent && (isHyphenated || !isStopEdged(run));
}

const isStopEdged = (words: readonly SearchWord[]) =>
  Boolean(words[0]?.isStopWord || words.at(-1)?.isStopWord);

/** A `tsquery` for the words as one, or for all of them apart; null for a single word. */
function joinedQuery({ words, joined }: WordGroup): string | null {
  if (joined === null) return null;
  const apart = words
    .filter(({ isStopWord }) => !isStopWord)
    .map((word) => alternativesOf(word, MAX_EXPANSIONS));
  const isKnown = !isStopEdged(words) && apart.every((lexemes) => lexemes.length > 0);
  const all = apart.map((lexemes) => `(${disjunction(lexemes)})`).join(" & ");
  return isKnown ? `'${joined}' | (${all})` : `'${joined}'`;
}

/** A single letter is not in the vocabulary; it is searched for in names. */
const isStopLetter = ({ word, isStopWord }: SearchWord) => isStopWord && word.length === 1;

const disjunction = (lexemes: readonly string[]) => [...new Set(lexemes)].join(" | ");

/**
 * The lexemes by which a word may match. A part that equals the stem is left out: it is redundant, and its
 * restriction to names would cost a recheck.
 *
 * @param maxParts with more parts, only the stem counts
 */
function alternativesOf(
  { stem, parts, pieces }: Pick<SearchWord, "stem" | "parts" | "pieces">,
  maxParts = Number.POSITIVE_INFINITY,
): string[] {
  const own = pieces === null ? [] : [`(${pieces})`];
  const longer = parts.length > maxParts ? [] : parts;
  return stem
    ? [`'${stem}'`, ...longer.filter((part) => part !== `'${stem}':A`), ...own]
    : [...longer, ...own];
}

// Queries as conditions on `products p`.

/** The condition that the words match, or the reference. */
export function textCondition({ tsqueries, commonParts, reference }: TextQuery): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  const indexed = tsqueries.map((tsquery) => sql`p.search_vector @@ ${tsquery}::tsquery`);
  const words = sql.join([...indexed, ...conditions], sql` and `);
  return reference ? sql`(${words} or p.search_vector @@ ${reference}::tsquery)` : words;
}

/** The rank of a match. Single letters in the name, and a reference, outweigh everything else. */
export function relevance({ ranking, letters, reference }: TextQuery): SQL {
  const rank = ranking ? sql`ts_rank(p.search_vector, ${ranking}::tsquery)` : sql`0::real`;
  const held = letters.map(
    (letter) => sql`(' ' || p.name_key || ' ' like ${`% ${letter} %`})::int::real`,
  );
  const referred = reference
    ? [sql`(p.search_vector @@ ${reference}::tsquery)::int::real * 10`]
    : [];
  return sql`(${sql.join([rank, ...held, ...referred], sql` + `)})`;
}

/** The condition for a search text as it was typed. */
export async function searchCondition(search: string): Promise<SQL> {
  const { exact: query } = await readQuery(search);
  return query ? textCondition(query) : sql`false`;
}

/**
 * The conditions for a part of a word in a name, given as a `like` pattern on `' ' || name_key`. `condition`
 * is for a single row. `indexCondition` uses the index, and is null where too many words contain the part.
 */
export async function productsNamed(
  pattern: string,
): Promise<{ condition: SQL; indexCondition: SQL | null }> {
  const condition = sql`' ' || p.name_key like ${pattern}`;
  const rows = await db.execute<{ lexeme: string }>(sql`
    select distinct quote_literal(lexeme) || ':A' as lexeme from search_words
    where in_name and word like ${pattern.replace(/^% /, "")} limit ${MAX_EXPANSIONS + 1}`);
  if (rows.length > MAX_EXPANSIONS) return { condition, indexCondition: null };
  const query = rows.map(({ lexeme }) => lexeme).join(" | ");
  return {
    condition,
    indexCondition: query ? sql`p.search_vector @@ ${query}::tsquery and ${condition}` : sql`false`,
  };
}
