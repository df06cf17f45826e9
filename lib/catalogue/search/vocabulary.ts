import { sql } from "drizzle-orm";
import { db } from "@/db";

// Looks up the words of a search in the vocabulary of the catalogue (docs/decisions/006).

/** Most words of a search text that are used; people rarely type more than five. */
const MAX_WORDS = 10;
/** Most vocabulary words that a part of a word is expanded to; with more, names are searched instead. */
export const MAX_EXPANSIONS = 64;

export type SearchWord = {
  word: string;
  /** The word's place in the text, from 1. */
  position: number;
  /** The French stem; null for a stop word. */
  stem: string | null;
  isStopWord: boolean;
  /** Does any product have a word with this stem? */
  known: boolean;
  /**
   * Lexemes of the words in names that contain this word, quoted and restricted to names; at most
   * `MAX_EXPANSIONS` + 1.
   */
  parts: string[];
  /** A `tsquery` for adjacent letters and digits: "500 ml" for "500ml"; null for other words. */
  pieces: string | null;
  /** Joins of this word with the following words into one word that products have; the longest is last. */
  joins: { length: number; lexeme: string; isHyphenated: boolean }[];
};

/** Most words that products may write as one. */
const MAX_JOINED = 4;

/**
 * The words of a search text, with their entries in the vocabulary. "T-shirt" and "tee shirt" are the same
 * word, which is indexed under both spellings (search_terms).
 */
export async function readSearchWords(search: string): Promise<SearchWord[]> {
  return db.execute<SearchWord>(sql`
    with typed as (
      select word, token, row_number() over (order by token, part)::int as position
      from unnest(string_to_array(regexp_replace(
          search_canonical(${search}), '\\mt(ee)?[ -]?shirt', 't-shirt', 'g'), ' '))
          with ordinality as t (chunk, token),
        unnest(string_to_array(chunk, '-')) with ordinality as w (word, part)
      where word <> ''
    ), words as (
      select word, min(position) as position, search_lexeme(word) as stem
      from typed
      group by word
      order by position
      limit ${MAX_WORDS}
    )
    select word, position, stem, stem is null as "isStopWord",
      exists (select from search_words s where s.lexeme = words.stem) as known,
      array(
        select quote_literal(lexeme) || ':A' from search_words s
        where s.in_name and s.word like '%' || words.word || '%'
          -- A number is no part of a longer one.
          and (words.word !~ '^\\d' or s.word ~ ('(^|\\D)' || words.word))
          and (stem is not null or not exists (select from words where stem is not null))
        limit ${MAX_EXPANSIONS + 1}
      ) as parts,
      case when search_apart(word) <> word
        then nullif(phraseto_tsquery('french', search_apart(word))::text, '')
      end as pieces,
      coalesce((
        select json_agg(json_build_object(
          'length', length, 'lexeme', lexeme, 'isHyphenated', hyphenated) order by length)
        from (
          select length, search_lexeme(string_agg(t.word, '' order by t.position)) as lexeme,
            count(*) = length as whole, min(t.token) = max(t.token) as hyphenated
          from generate_series(2, ${MAX_JOINED}) length
          join typed t on t.position between words.position and words.position + length - 1
          group by length
        ) run
        where whole and exists (
          select from search_words s where s.lexeme = run.lexeme and (s.in_name or hyphenated))
      ), '[]') as joins
    from words
    order by position
  `);
}

/**
 * The `tsquery` of the reference (SKU) or barcode that the whole text is, without case, spaces and punctuation;
 * null where no product has it. The lexemes are made by search_references.
 */
export async function findReference(search: string): Promise<string | null> {
  const rows = await db.execute<{ query: string }>(sql`
    select string_agg(quote_literal(lexeme), ' | ') as query
    from (select distinct unnest(search_references(${search}, case when ${search} ~ '^[\\d\\s-]+$'
      then regexp_replace(${search}, '\\D', '', 'g') end)) as lexeme) own
    -- Counted: for a condition with "exists", the planner might read the table until the first match.
    where (select count(*) from products p where p.search_vector @@ quote_literal(lexeme)::tsquery) > 0`);
  return rows[0]?.query ?? null;
}

/** Lexemes of the words within typing errors, quoted. */
export async function lexemesNear(word: string): Promise<string[]> {
  return (await wordsNear(word)).map(({ lexeme }) => `'${lexeme}'`);
}

/**
 * The nearest words within one typing error, two for long words; the most similar first. A different digit is not a
 * typing error.
 */
export async function wordsNear(word: string): Promise<{ word: string; lexeme: string }[]> {
  const rows = await db.execute<{ word: string; lexeme: string }>(
    sql`select word, lexeme from search_words_near(${word})`,
  );
  const near = rows
    .filter((row) => digitsIn(row.word) === digitsIn(word))
    .map((row) => ({ ...row, distance: typingErrors(word, row.word) }))
    .filter(({ distance }) => distance <= toleratedErrors(word));
  const least = Math.min(...near.map(({ distance }) => distance));
  return near.filter(({ distance }) => distance === least);
}

/** Words that look like this one, from names of products on sale: for texts of which no word is within typing errors. */
export async function similarWords(word: string, { limit }: { limit: number }): Promise<string[]> {
  const rows = await db.execute<{ word: string; lexeme: string }>(sql`
    select word, lexeme from search_words
    where in_name and word % ${word} and word ~ '^[^0-9]{3,}$'
    order by similarity(word, ${word}) desc, word limit ${2 * limit}`);
  const words: string[] = [];
  for (const row of rows)
    if (words.length < limit && (await isOnSale(row.lexeme))) words.push(row.word);
  return words;
}

/** Does a product on sale contain this lexeme? Asked for one at a time: the planner has to know how common it is. */
async function isOnSale(lexeme: string): Promise<boolean> {
  const [row] = await db.execute<{ found: boolean }>(sql`
    select exists (
      select from products p
      where p.status = 'active' and p.search_vector @@ quote_literal(${lexeme})::tsquery
    ) as found`);
  return row?.found === true;
}

const digitsIn = (word: string) => word.replace(/\D/g, "");

/** Short words resemble too many others; two letters turn "couvrelit" into "couvrent". */
function toleratedErrors({ length }: string): number {
  if (length < 4) return 0;
  if (length < 8) return 1;
  return length < 10 ? 1.5 : 2;
}

/** The cost of a letter added or removed beside the same letter. */
const DOUBLED = 0.5;

/**
 * The number of letters to add, remove, replace or swap with their neighbour to turn one word into the other
 * (the optimal string alignment distance). Adding or removing a letter beside the same letter counts half.
 */
function typingErrors(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)];
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY;
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    rows.push(row);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const removed = i > 1 && a[i - 1] === a[i - 2] ? DOUBLED : 1;
      const added = j > 1 && b[j - 1] === b[j - 2] ? DOUBLED : 1;
      let least = Math.min(
        at(i - 1, j) + removed,
        at(i, j - 1) + added,
        at(i - 1, j - 1) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, at(i - 2, j - 2) + 1);
      }
      row.push(least);
    }
  }
  return at(a.length, b.length);
}
