import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { estimateRows } from "@/db/count";
import { userText } from "@/db/search-text";
import { amountsIn } from "./search-amounts";

// How the back office searches its lists: docs/decisions/079.

/** A search text as a condition on a list. */
export interface Search {
  condition: SQL;
  /** The same for the indexes. */
  lookup: SQL;
  /** Estimates of how many rows match, and of how many there are. */
  matches: number;
  all: number;
}

/** A text that is searched for the words: of the list's own rows, or of a joined table. */
export interface SearchTarget {
  /** The condition on a row of the list. */
  condition: SQL;
  /** The same for an index; null where the rows would be very many. */
  indexCondition: SQL | null;
  /** The table that `indexCondition` is a condition on, where it is not the list's own: `join …`. */
  join?: SQL;
}

/** Combinations of targets that are looked up. */
const MAX_COMBINATIONS = 16;
const MAX_WORDS = 8;

/**
 * A search text: each of its words must stand in one of the targets, whatever its accents, case and
 * punctuation.
 *
 * @param targetsFor the targets for a pattern of `like`, always the same ones; their texts are those of
 *   db/search-text.ts
 */
export async function searchFor({
  search,
  from,
  id,
  targetsFor,
}: {
  search: string | undefined;
  from: SQL;
  id: SQL;
  targetsFor: (pattern: string) => readonly SearchTarget[] | Promise<readonly SearchTarget[]>;
}): Promise<Search | null> {
  if (!search) return null;
  const patterns = patternsOf(await normalise(search));
  return searchWords({ from, id, words: await Promise.all(patterns.map(targetsFor)) });
}

/** Rows with all of the words. */
async function searchWords({
  from,
  id,
  words,
}: {
  from: SQL;
  id: SQL;
  words: readonly Word[];
}): Promise<Search> {
  const lookups = sql.join(lookupsOf({ from, id, words }), sql` union all `);
  const [all, matches] = await Promise.all([
    estimateRows(sql`select from ${from}`),
    estimateRows(lookups),
  ]);
  const condition = sql.join(words.map(anyOf), sql` and `);
  const isOwnText = words.every(([target, ...more]) => !target?.join && more.length === 0);
  return { condition, lookup: isOwnText ? condition : sql`${id} in (${lookups})`, matches, all };
}

type Word = readonly SearchTarget[];

/** In any of the targets. */
const anyOf = (targets: Word): SQL =>
  sql`(${sql.join(
    targets.map(({ condition }) => condition),
    sql` or `,
  )})`;

/**
 * Selects of ids by indexes, which together give the rows with all words: one for each combination of
 * targets that the words can stand in, so that an index on several of them gives the rows with all.
 * Where the combinations are too many, the last words are looked for in what the others have found.
 */
function lookupsOf({ from, id, words }: { from: SQL; id: SQL; words: readonly Word[] }): SQL[] {
  let combinations: (SearchTarget & { place: number })[][] = [[]];
  const others: Word[] = [];
  for (const targets of words) {
    if (combinations.length * targets.length > MAX_COMBINATIONS) others.push(targets);
    else
      combinations = combinations.flatMap((some) =>
        targets.map((target, place) => [...some, { ...target, place }]),
      );
  }
  return combinations.map((targets) => {
    const joins = new Map(
      targets.flatMap(({ place, indexCondition, join }) =>
        indexCondition && join ? [[place, join]] : [],
      ),
    );
    const conditions = [
      ...targets.map(({ condition, indexCondition }) => indexCondition ?? condition),
      ...others.map(anyOf),
    ];
    return sql`select ${id} as id from ${sql.join([from, ...joins.values()], sql` `)}
      where ${sql.join(conditions, sql` and `)}`;
  });
}

/** A text of the list's own rows. */
export const textTarget = ({ pattern, text }: { pattern: string; text: SQL }): SearchTarget =>
  ownTarget(sql`${text} like ${pattern}`);

/** A condition on the list's own rows, which has an index. */
const ownTarget = (condition: SQL): SearchTarget => ({ condition, indexCondition: condition });

/** A person's names and e-mail address, for lists of what belongs to users. */
export function personTarget({ pattern, userId }: { pattern: string; userId: SQL }): SearchTarget {
  const isNamed = sql`${userText("u")} like ${pattern}`;
  return {
    // Not `exists`, for which PostgreSQL may scan all users first.
    condition: sql`(select ${isNamed} from users u where u.id = ${userId})`,
    indexCondition: isNamed,
    join: sql`join users u on u.id = ${userId}`,
  };
}

/** How documents are searched. */
export interface DocumentSearch {
  text: SQL;
  /** Gives a number as it stands in the text. */
  formatNumber: (number: number) => string;
  /** The number's column, where such digits may stand elsewhere in the text, too. */
  number?: SQL;
  /** Digits that are looked for as a word, too: a postal code. */
  isWord?: (digits: string) => boolean;
  /** The column of the amount, in cents. */
  amount?: SQL;
  /** Selects the ids of those that a reference of something else stands for, by an index. */
  referredTo?: (search: string) => SQL;
}

/**
 * Searches documents whose text has their number: `12` or `#12` is an id or a number of any year, `42,90` an
 * amount, any other text a reference or some words.
 */
export async function searchDocuments({
  search,
  from,
  id,
  ...document
}: { search: string | undefined; from: SQL; id: SQL } & DocumentSearch): Promise<Search | null> {
  if (!search) return null;
  const { text, formatNumber, number: column, isWord, amount, referredTo } = document;
  const number = idIn(search);
  // A reference has a digit, unlike a name; then its words need not be looked for.
  const referred =
    /\d/.test(search) && referredTo
      ? (await db.execute<{ id: number }>(referredTo(search))).map((row) => row.id)
      : [];
  if (number === null && referred.length === 0)
    return searchWords({ from, id, words: await wordsOf({ search, text, amount }) });
  const targets = [ownTarget(sql`${id} = any(${sql.param(referred)}::int[])`)];
  if (number !== null) {
    const digits = formatNumber(number);
    // Of `CMD-2026-000012` the last part is a word of its own.
    const isNumber = sql`${text} like ${`% ${digits} %`}`;
    targets.push(
      ownTarget(sql`${id} = ${number}`),
      ownTarget(column ? sql`(${isNumber} and ${column} like ${`%-${digits}`})` : isNumber),
    );
    if (isWord?.(search.trim()))
      targets.push(textTarget({ pattern: `% ${search.trim()} %`, text }));
  }
  return searchWords({ from, id, words: [targets] });
}

/** An amount is looked for in the text, too: it may be the size of a product. */
async function wordsOf({
  search,
  text,
  amount,
}: Pick<DocumentSearch, "text" | "amount"> & { search: string }): Promise<Word[]> {
  const { amounts, rest } = amount ? amountsIn(search) : { amounts: [], rest: search };
  const [words = "", ...figures] = await normalise(rest, ...amounts.map((found) => found.text));
  const targets = amounts.map(({ cents }, index) => [
    ownTarget(sql`${amount} = ${cents}`),
    textTarget({ pattern: `% ${figures[index]}%`, text }),
  ]);
  if (targets.length > 0 && words === "") return targets;
  return [...targets, ...patternsOf([words]).map((pattern) => [textTarget({ pattern, text })])];
}

/** A search text that is an id: `12`, `#12`. */
export const idIn = (search: string | undefined): number | null => {
  const digits = /^#?(\d{1,9})$/.exec(search?.trim() ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Texts as their indexes have them. */
async function normalise(...texts: string[]): Promise<string[]> {
  const rows = await db.execute<{ text: string }>(
    sql`select search_normalise(text) as text from unnest(${sql.param(texts)}::text[]) text`,
  );
  return rows.map(({ text }) => text);
}

/** Patterns for `like`. Of short words only the beginning is searched for: that has an index. */
function patternsOf([text = ""]: readonly string[]): string[] {
  const words = text.split(" ").filter(Boolean);
  // A text without letters and digits matches nothing.
  if (words.length === 0) return ["%\u0001%"];
  return [...new Set(words)]
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`));
}
