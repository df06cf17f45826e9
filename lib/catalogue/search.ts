import { sql } from "drizzle-orm";
import { db } from "@/db";

/** Words of a search text that count; people rarely type more than five. */
const MAX_WORDS = 10;
/** Vocabulary words that one part of a word may stand for. */
const MAX_EXPANSIONS = 400;

/**
 * A search text as a `tsquery`, ready for `search_vector @@ $1::tsquery`, or null where it holds no
 * word at all. Each word must match: by its French stem anywhere, or as a part of a word of the
 * name. Words that French search passes over ("de", "la") count only where there are no others.
 */
export async function searchQuery(search: string): Promise<string | null> {
  const words = await expandedWords(search);
  return conjunction(words.map(alternativesOf));
}

/**
 * As `searchQuery`, with the words that nothing holds replaced by those within a typing error of
 * them. Null where a word resembles none that the shop knows.
 */
export async function approximateQuery(search: string): Promise<string | null> {
  const words = await expandedWords(search);
  const alternatives = await Promise.all(
    words.map(async ({ word, stem, parts, known }) => {
      const own = alternativesOf({ stem: known ? stem : null, parts });
      return own.length > 0 ? own : await lexemesNear(word);
    }),
  );
  return alternatives.some((lexemes) => lexemes.length === 0) ? null : conjunction(alternatives);
}

/** Lexemes hold only letters and digits (see search_normalise), so that quoting is enough. */
function conjunction(words: string[][]): string | null {
  if (words.length === 0 || words.some((lexemes) => lexemes.length === 0)) return null;
  return words.map((lexemes) => `(${[...new Set(lexemes)].join(" | ")})`).join(" & ");
}

/** A part that is the stem itself adds nothing, and its limit to names would cost a second look. */
const alternativesOf = ({ stem, parts }: Pick<ExpandedWord, "stem" | "parts">) =>
  stem ? [`'${stem}'`, ...parts.filter((part) => part !== `'${stem}':A`)] : parts;

type ExpandedWord = {
  word: string;
  /** Its French stem; null for a word that search passes over. */
  stem: string | null;
  /** Does any product hold a word of this stem? */
  known: boolean;
  /** Lexemes of the words of names that it is a part of, quoted and limited to names. */
  parts: string[];
};

async function expandedWords(search: string): Promise<ExpandedWord[]> {
  const { rows } = await db.execute<{
    word: string;
    stem: string | null;
    known: boolean;
    parts: string[];
  }>(sql`
    with words as (
      select word, min(position) as position, (ts_lexize('pg_catalog.french_stem', word))[1] as stem
      from unnest(string_to_array(search_normalise(${search}), ' ')) with ordinality as w(word, position)
      where word <> ''
      group by word
      order by position
      limit ${MAX_WORDS}
    ), counted as (
      select * from words
      where stem is not null or not exists (select from words where stem is not null)
    )
    select word, stem,
      exists (select from search_words s where s.lexeme = counted.stem) as known,
      array(
        select distinct quote_literal(lexeme) || ':A'
        from (
          select lexeme from search_words s
          where s.in_name and s.word like '%' || counted.word || '%'
          limit ${MAX_EXPANSIONS}
        ) found
      ) as parts
    from counted
    order by position
  `);
  return rows;
}

/** Lexemes of the words that are one typing error away, two for long words. */
async function lexemesNear(word: string): Promise<string[]> {
  const { rows } = await db.execute<{ word: string; lexeme: string }>(
    sql`select word, lexeme from search_words_near(${word})`,
  );
  const near = rows
    .map((row) => ({ ...row, distance: typingErrors(word, row.word) }))
    .filter(({ distance }) => distance <= toleratedErrors(word));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === least).map(({ lexeme }) => `'${lexeme}'`);
}

/** Short words resemble too many others. */
export const toleratedErrors = (word: string) => (word.length < 4 ? 0 : word.length < 8 ? 1 : 2);

/**
 * The number of letters to add, remove, replace or swap with their neighbour to come from one word
 * to the other (the optimal string alignment distance).
 */
export function typingErrors(a: string, b: string): number {
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
