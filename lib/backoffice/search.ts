import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { isAmong } from "@/db/among";
import { estimateRows } from "@/db/count";
import { userText } from "@/db/search-text";
import { amountsIn } from "./search-amounts";

// Searches the back office's lists: docs/decisions/050.

/** A search text as a condition on a list. */
export interface Search {
  condition: SQL;
  /** The same condition, written for the indexes. */
  lookup: SQL;
  /** Estimated numbers of matching rows, and of all rows. */
  matches: number;
  all: number;
}

/** A text that the words are searched in: of the list's own rows, or of a joined table. */
export interface SearchTarget {
  /** The condition on a row of the list. */
  condition: SQL;
  /** The same condition for an index; null if it would match too many rows. */
  indexCondition: SQL | null;
  /** `join …` of the table that `indexCondition` filters, if it is not the list's own. */
  join?: SQL;
}

/** Maximum number of combinations of targets to look up. */
const MAX_COMBINATIONS = 16;
const MAX_WORDS = 8;

/**
 * Searches a text: each of its words must occur in one of the targets, ignoring accents, case and
 * punctuation.
 *
 * @param targetsFor returns the targets for a `like` pattern, always the same ones in the same order; the
 *   targets use the expressions of db/search-text.ts
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

/** Searches rows that contain all words. */
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

/** The condition that a word is in any of its targets. */
const anyOf = (targets: Word): SQL =>
  sql`(${sql.join(
    targets.map(({ condition }) => condition),
    sql` or `,
  )})`;

/**
 * SELECTs of ids by indexes, whose union is the rows with all words: one SELECT per combination of the
 * words' targets, so that one index scan can match several words. With too many combinations, the last
 * words only filter the rows that the others found.
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

/** An indexed condition on the list's own rows. */
const ownTarget = (condition: SQL): SearchTarget => ({ condition, indexCondition: condition });

/** The owner's names and e-mail address, for lists of rows that belong to users. */
export function personTarget({ pattern, userId }: { pattern: string; userId: SQL }): SearchTarget {
  const isNamed = sql`${userText("u")} like ${pattern}`;
  return {
    // For `exists` PostgreSQL might scan all users first.
    condition: sql`(select ${isNamed} from users u where u.id = ${userId})`,
    indexCondition: isNamed,
    join: sql`join users u on u.id = ${userId}`,
  };
}

/** How documents are searched. */
export interface DocumentSearch {
  text: SQL;
  /** Formats a number as in `text`. */
  padNumber: (number: number) => string;
  /** The number's column, needed if `text` may contain the same digits elsewhere. */
  numberColumn?: SQL;
  /** Whether digits are also searched as a word, like a postal code. */
  isWord?: (digits: string) => boolean;
  /** The column of the amount, in cents. */
  amount?: SQL;
  /** Selects ids, by an index, of documents whose tracking number or other reference equals the search. */
  idsByReference?: (search: string) => SQL;
}

/**
 * Searches documents whose `text` contains their number: `12` or `#12` is an id or a number of any year,
 * `42,90` is an amount, any other text is a reference or words.
 */
export async function searchDocuments({
  search,
  from,
  id,
  ...document
}: { search: string | undefined; from: SQL; id: SQL } & DocumentSearch): Promise<Search | null> {
  if (!search) return null;
  const { text, padNumber, numberColumn, isWord, amount, idsByReference } = document;
  const number = idIn(search);
  // References contain a digit, unlike names. If the text is a reference, its words are not searched.
  const referredIds =
    /\d/.test(search) && idsByReference
      ? (await db.execute<{ id: number }>(idsByReference(search))).map((row) => row.id)
      : [];
  if (number === null && referredIds.length === 0)
    return searchWords({ from, id, words: await wordsOf({ search, text, amount }) });
  const targets = [ownTarget(isAmong(id, referredIds))];
  if (number !== null) {
    const digits = padNumber(number);
    // The last part of `CMD-2026-000012` is a separate word.
    const isNumber = sql`${text} like ${`% ${digits} %`}`;
    targets.push(
      ownTarget(sql`${id} = ${number}`),
      ownTarget(
        numberColumn ? sql`(${isNumber} and ${numberColumn} like ${`%-${digits}`})` : isNumber,
      ),
    );
    if (isWord?.(search.trim()))
      targets.push(textTarget({ pattern: `% ${search.trim()} %`, text }));
  }
  return searchWords({ from, id, words: [targets] });
}

/** The words of a search. An amount is searched in the text, too: it may be the size of a product. */
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

/** Normalises texts like their indexes. */
async function normalise(...texts: string[]): Promise<string[]> {
  const rows = await db.execute<{ text: string }>(
    sql`select search_normalise(text) as text from unnest(${sql.param(texts)}::text[]) text`,
  );
  return rows.map(({ text }) => text);
}

/** Patterns for `like`. Words of one or two letters match only at a word's beginning, so an index is used. */
function patternsOf([text = ""]: readonly string[]): string[] {
  const words = text.split(" ").filter(Boolean);
  // A text without letters and digits matches nothing.
  if (words.length === 0) return ["%\u0001%"];
  return [...new Set(words)]
    .slice(0, MAX_WORDS)
    .sort((a, b) => b.length - a.length)
    .map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`));
}
