import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { lexemesNear, MAX_EXPANSIONS, readSearchWords, type SearchWord } from "./vocabulary";

/** Beyond that many expansions only the stem of a word counts for relevance. */
const MAX_RANKED_PARTS = 8;

/** A parsed search text. */
export type TextQuery = {
  /**
   * `tsquery`s for the index, which must all match; none where all words are common parts. Separate,
   * since the index then compares a product with the next only where it matched the one before.
   */
  tsqueries: readonly string[];
  /** Parts of very many words: in the name as they are, or anywhere by their stem (a `tsquery`). */
  commonParts: readonly { part: string; stem: string | null }[];
  /** What relevance is measured by: a `tsquery`, or null. */
  ranking: string | null;
  /** Single letters ("taille M", "C++"), which the index ignores: names that have them come first. */
  letters: readonly string[];
};

/**
 * The query of a search text, or null where it has no words. Each word must match: by its French stem
 * anywhere, as a part of a word of the name, or by its letters and digits beside each other. Words that a
 * product writes as one match by that, too. Stop words ("de", "la") count only where there are no
 * others; single letters then only affect the order.
 */
export function exactQuery(all: readonly SearchWord[]): TextQuery | null {
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
    // Lexemes hold only letters and digits (see search_canonical), so that quoting is enough.
    commonParts: words
      .filter(isCommonPart)
      .map(({ word, stem }) => ({ part: word, stem: stem && `'${stem}'` })),
    letters: single.filter(isStopLetter).map(({ word }) => word),
  };
}

/**
 * As `exactQuery`, with unknown words replaced by those within a typing error. Null where a word
 * resembles none of the vocabulary, and where no word was replaced.
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

/** Words that some product writes as one: "porte monnaie" for "portemonnaie"; or a single word. */
interface WordGroup {
  words: readonly SearchWord[];
  /** The lexeme of what they are as one; null for a single word. */
  joined: string | null;
}

/** The longest joined words first, from the left. */
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

/** Stop words at an end are a part of it only where a hyphen says so: "t-shirt", but "sac à dos". */
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

/** A `tsquery` for words as one, or for all of them; null for a single word. */
function joinedQuery({ words, joined }: WordGroup): string | null {
  if (joined === null) return null;
  const apart = words
    .filter(({ isStopWord }) => !isStopWord)
    .map((word) => alternativesOf(word, MAX_EXPANSIONS));
  const isKnown = !isStopEdged(words) && apart.every((lexemes) => lexemes.length > 0);
  const all = apart.map((lexemes) => `(${disjunction(lexemes)})`).join(" & ");
  return isKnown ? `'${joined}' | (${all})` : `'${joined}'`;
}

/** It is not in the vocabulary, but searched for in the names. */
const isStopLetter = ({ word, isStopWord }: SearchWord) => isStopWord && word.length === 1;

const disjunction = (lexemes: readonly string[]) => [...new Set(lexemes)].join(" | ");

/**
 * A part that equals the stem is redundant, and its restriction to names would cost a recheck.
 *
 * @param maxParts with more parts only the stem counts
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

/** Do the words match? */
export function textCondition({ tsqueries, commonParts }: TextQuery): SQL {
  const conditions = commonParts.map(({ part, stem }) => {
    const isInName = sql`p.name_key like ${`%${part}%`}`;
    return stem ? sql`(p.search_vector @@ ${stem}::tsquery or ${isInName})` : isInName;
  });
  const indexed = tsqueries.map((tsquery) => sql`p.search_vector @@ ${tsquery}::tsquery`);
  return sql.join([...indexed, ...conditions], sql` and `);
}

/** The rank of a match; single letters in the name outweigh everything else. */
export function relevance({ ranking, letters }: TextQuery): SQL {
  const rank = ranking ? sql`ts_rank(p.search_vector, ${ranking}::tsquery)` : sql`0::real`;
  const held = letters.map(
    (letter) => sql`(' ' || p.name_key || ' ' like ${`% ${letter} %`})::int::real`,
  );
  return sql`(${sql.join([rank, ...held], sql` + `)})`;
}

/** A text as it is typed. */
export async function searchCondition(search: string): Promise<SQL> {
  const query = exactQuery(await readSearchWords(search));
  return query ? textCondition(query) : sql`false`;
}

/**
 * A part of a name's word, given as a pattern of `like` on `' ' || name_key`: a condition for a single
 * row, and one for the index, which is null where the part stands in too many words.
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
