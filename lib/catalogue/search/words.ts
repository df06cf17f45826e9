import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { fromReplica } from "@/db/replica";

/** Words of a search text that are used; people rarely type more than five. */
const MAX_WORDS = 10;
/** Words of the vocabulary that a part of a word is expanded to; beyond that the names are searched. */
const MAX_EXPANSIONS = 64;
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
 * anywhere, or as a part of a word of the name. Stop words ("de", "la") count only where there are no
 * others; single letters then only affect the order.
 */
export function exactQuery(all: readonly SearchWord[]): TextQuery | null {
  const contentWords = all.filter((word) => !word.isStopWord);
  const words = contentWords.length > 0 ? contentWords : all;
  const isCommonPart = (word: SearchWord) =>
    word.parts.length > MAX_EXPANSIONS || isStopLetter(word);
  const alternatives = words.filter((word) => !isCommonPart(word)).map(alternativesOf);
  if (words.length === 0 || alternatives.some((lexemes) => lexemes.length === 0)) return null;
  return {
    tsqueries: alternatives.map(disjunction),
    ranking:
      words
        .map(({ stem, parts }) =>
          alternativesOf({ stem, parts: parts.length > MAX_RANKED_PARTS ? [] : parts }),
        )
        .filter((lexemes) => lexemes.length > 0)
        .map((lexemes) => `(${disjunction(lexemes)})`)
        .join(" & ") || null,
    // Lexemes hold only letters and digits (see search_normalise), so that quoting is enough.
    commonParts: words
      .filter(isCommonPart)
      .map(({ word, stem }) => ({ part: word, stem: stem && `'${stem}'` })),
    letters: all.filter(isStopLetter).map(({ word }) => word),
  };
}

/**
 * As `exactQuery`, with unknown words replaced by those within a typing error. Null where a word
 * resembles none of the vocabulary, and where no word was replaced.
 */
export async function approximateQuery(words: readonly SearchWord[]): Promise<TextQuery | null> {
  let hasReplaced = false;
  const replaced = await Promise.all(
    words.map(async (word) => {
      if (word.known || word.parts.length > 0 || isStopLetter(word))
        return { ...word, stem: word.known ? word.stem : null };
      hasReplaced = true;
      return { ...word, stem: null, parts: await lexemesNear(word.word) };
    }),
  );
  return hasReplaced ? exactQuery(replaced) : null;
}

/** It is not in the vocabulary, but searched for in the names. */
const isStopLetter = ({ word, isStopWord }: SearchWord) => isStopWord && word.length === 1;

const disjunction = (lexemes: readonly string[]) => [...new Set(lexemes)].join(" | ");

/** A part that equals the stem is redundant, and its restriction to names would cost a recheck. */
const alternativesOf = ({ stem, parts }: Pick<SearchWord, "stem" | "parts">) =>
  stem ? [`'${stem}'`, ...parts.filter((part) => part !== `'${stem}':A`)] : parts;

type SearchWord = {
  word: string;
  /** Its French stem; null for a stop word. */
  stem: string | null;
  isStopWord: boolean;
  /** Does any product have a word with this stem? */
  known: boolean;
  /**
   * Lexemes of the words of names that it is a part of, quoted and restricted to names; at most one
   * more than `MAX_EXPANSIONS`.
   */
  parts: string[];
};

/** The words of a search text, with their entries in the vocabulary. */
export async function readSearchWords(search: string): Promise<SearchWord[]> {
  return fromReplica((db) =>
    db.execute<SearchWord>(sql`
    with words as (
      select word, min(position) as position, search_lexeme(word) as stem
      from unnest(string_to_array(search_normalise(${search}), ' ')) with ordinality as w(word, position)
      where word <> ''
      group by word
      order by position
      limit ${MAX_WORDS}
    ), counted as (
      select * from words
      where stem is not null or length(word) = 1
        or not exists (select from words where stem is not null)
    )
    select word, stem, stem is null as "isStopWord",
      exists (select from search_words s where s.lexeme = counted.stem) as known,
      array(
        select quote_literal(lexeme) || ':A' from search_words s
        where s.in_name and s.word like '%' || counted.word || '%'
        limit ${MAX_EXPANSIONS + 1}
      ) as parts
    from counted
    order by position
  `),
  );
}

/** Lexemes of the words that are one typing error away, two for long words. */
async function lexemesNear(word: string): Promise<string[]> {
  const rows = await fromReplica((db) =>
    db.execute<{ word: string; lexeme: string }>(
      sql`select word, lexeme from search_words_near(${word})`,
    ),
  );
  const near = rows
    .map((row) => ({ ...row, distance: typingErrors(word, row.word) }))
    .filter(({ distance }) => distance <= toleratedErrors(word));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === least).map(({ lexeme }) => `'${lexeme}'`);
}

/** Short words are similar to too many others. */
const toleratedErrors = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * The number of letters to add, remove, replace or swap with their neighbour to come from one word
 * to the other (the optimal string alignment distance).
 */
function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(i - 2, j - 2) + 1);
      }
      row.push(least);
    }
  }
  return at(a.length, b.length);
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
