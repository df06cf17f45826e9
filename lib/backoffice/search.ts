import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { estimateRows } from "@/db/count";
import { userText } from "@/db/search-text";
import { isAmong } from "./list";

// How the back office searches its lists: docs/decisions/040.

/** A search text as conditions on a list. */
export interface Search {
  /** All of them must hold, too. */
  where: readonly SQL[];
  /** Null where `where` names the rows by their ids. */
  common: CommonWords | null;
}

/** Words that very many rows hold. */
interface CommonWords {
  /** The estimated share of all rows that match, from 0 to 1. */
  share: number;
  /** The estimated number of all rows. */
  all: number;
  /** Up to so many rows are looked up by an index; for more, the list is scanned in its order. */
  maxLookups: number;
  /** The same condition, for the indexes. */
  indexCondition: SQL;
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

/** The usual page size, for the choice between the two ways to search. */
const PAGE = 30;
/** From this share of all rows on the planner's estimate is trusted: db/schema raises its statistics. */
const COMMON_SHARE = 0.01;
/** Combinations of targets that are looked up for words that are common in several of them. */
const MAX_COMBINATIONS = 16;
const MAX_WORDS = 8;

/**
 * A search text: each of its words must stand in one of the targets, whatever its accents, case and
 * punctuation.
 *
 * No index covers several tables, or the list's order. So the rarest word is looked up in each of the
 * targets, and the rows that are found are filtered by the others. Where all words are common, the
 * list is scanned in its order until a page is full. Lookups are chosen up to the number of rows at
 * which both ways cost the same.
 *
 * @param targetsFor the targets for a pattern of `like`, always the same ones, the cheapest first;
 *   their texts are those of db/search-text.ts
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
  const list = { from, id };
  const [all, patterns] = await Promise.all([
    estimateRows(sql`select from ${from}`),
    searchPatterns(search),
  ]);
  const words = await Promise.all(
    patterns.map(async (pattern): Promise<Word> => {
      const targets = await Promise.all(
        (await targetsFor(pattern)).map(async (target, index) => {
          const matches = target.indexCondition
            ? await estimateRows(idsIn({ list, targets: [target] }))
            : all;
          return { ...target, index, matches };
        }),
      );
      return { targets, matches: targets.reduce((sum, { matches }) => sum + matches, 0) };
    }),
  );
  words.sort((a, b) => a.matches - b.matches);
  const [rarest, ...others] = words;
  if (!rarest) return null;
  const maxLookups = Math.ceil(Math.sqrt(PAGE * all));
  const ids =
    rarest.matches <= Math.max(maxLookups, COMMON_SHARE * all)
      ? await lookUp({ list, targets: rarest.targets, maxLookups })
      : null;
  if (ids) return { where: [isAmong(id, ids), ...others.map(matchesWord)], common: null };
  const shares = words.map(({ matches }) =>
    Math.min(Math.max(matches, maxLookups) / Math.max(all, 1), 1),
  );
  return {
    where: words.map(matchesWord),
    common: {
      share: shares.reduce((product, part) => product * part, 1),
      all,
      maxLookups,
      indexCondition: indexedCondition({ list, words, maxLookups }),
    },
  };
}

interface List {
  from: SQL;
  id: SQL;
}

interface EstimatedTarget extends SearchTarget {
  /** Its index among the list's targets. */
  index: number;
  /** The estimated number of rows with the word there. */
  matches: number;
}

interface Word {
  targets: readonly EstimatedTarget[];
  matches: number;
}

/**
 * The condition that a row has all words, as a union of index lookups. Either a target where few rows
 * have one of the words: these are found by it and filtered by the others. Or a combination of targets
 * where many rows have each: they are queried for all words at once, so that an index on several of
 * them gives the rows with all.
 */
function indexedCondition({
  list,
  words,
  maxLookups,
}: {
  list: List;
  words: readonly Word[];
  maxLookups: number;
}): SQL {
  const isOwnText = words.every(({ targets: [target, ...more] }) => !target?.join && !more.length);
  if (isOwnText) return sql.join(words.map(matchesWord), sql` and `);
  const isRare = ({ indexCondition, matches }: EstimatedTarget) =>
    indexCondition !== null && matches <= maxLookups;
  const queries = words.flatMap((word) =>
    word.targets.filter(isRare).map((target) => {
      const others = words.filter((other) => other !== word);
      return idsIn({ list, targets: [target], others });
    }),
  );
  let combinations: EstimatedTarget[][] = [[]];
  const others: Word[] = [];
  for (const word of words) {
    const targets = word.targets.filter((target) => !isRare(target));
    if (combinations.length * targets.length > MAX_COMBINATIONS) others.push(word);
    else combinations = combinations.flatMap((some) => targets.map((target) => [...some, target]));
  }
  queries.push(...combinations.map((targets) => idsIn({ list, targets, others })));
  return sql`${list.id} in (${sql.join(queries, sql` union all `)})`;
}

const matchesWord = ({ targets }: Pick<Word, "targets">): SQL =>
  sql`(${sql.join(
    targets.map(({ condition }) => condition),
    sql` or `,
  )})`;

/** Selects the ids of the rows that match all of the targets, and the other words anywhere. */
function idsIn({
  list: { from, id },
  targets,
  others = [],
}: {
  list: List;
  targets: readonly (SearchTarget & { index?: number })[];
  others?: readonly Word[];
}): SQL {
  const joins = new Map<number | undefined, SQL>();
  for (const { index, indexCondition, join } of targets)
    if (indexCondition && join) joins.set(index, join);
  const tables = sql.join([from, ...joins.values()], sql` `);
  const conditions = [
    ...targets.map(({ condition, indexCondition }) => indexCondition ?? condition),
    ...others.map(matchesWord),
  ];
  return sql`select ${id} as id from ${tables} where ${sql.join(conditions, sql` and `)}`;
}

/** The ids of the rows with a word, or null where these are too many. */
async function lookUp({
  list,
  targets,
  maxLookups,
}: {
  list: List;
  targets: readonly EstimatedTarget[];
  maxLookups: number;
}): Promise<number[] | null> {
  if (targets.some(({ indexCondition }) => indexCondition === null)) return null;
  const queries = targets.map((target) => idsIn({ list, targets: [target] }));
  const rows = await db.execute<{ id: number }>(
    sql`${sql.join(queries, sql` union all `)} limit ${maxLookups + 1}`,
  );
  return rows.length > maxLookups ? null : [...new Set(rows.map((row) => row.id))];
}

/** A text of the list's own rows. */
export function textTarget({ pattern, text }: { pattern: string; text: SQL }): SearchTarget {
  const condition = sql`${text} like ${pattern}`;
  return { condition, indexCondition: condition };
}

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

/**
 * Searches documents whose text begins with their number: `12` or `#12` is an id or a number of any
 * year, any other text some words.
 */
export async function searchDocuments({
  search,
  from,
  id,
  text,
  formatNumber,
}: {
  search: string | undefined;
  from: SQL;
  id: SQL;
  text: SQL;
  /** Gives a number as it stands in the text. */
  formatNumber: (number: number) => string;
}): Promise<Search | null> {
  const number = idIn(search);
  if (number === null) {
    const targetsFor = (pattern: string) => [textTarget({ pattern, text })];
    return searchFor({ search, from, id, targetsFor });
  }
  // Of `CMD-2026-000012` the last part is a word of its own.
  const ids = sql`select ${id} from ${from} where ${text} like ${`% ${formatNumber(number)} %`}`;
  return { where: [sql`${id} in (select ${number}::int union all ${ids})`], common: null };
}

/** A search text that is an id: `12`, `#12`. */
export const idIn = (search: string | undefined): number | null => {
  const digits = /^#?(\d{1,9})$/.exec(search?.trim() ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Patterns for `like`. Of short words only the beginning is searched for: that has an index. */
async function searchPatterns(search: string): Promise<string[]> {
  const rows = await db.execute<{ text: string }>(sql`select search_normalise(${search}) as text`);
  const words = (rows[0]?.text ?? "").split(" ").filter(Boolean);
  // A text without letters and digits matches nothing.
  if (words.length === 0) return ["%\u0001%"];
  return [...new Set(words)]
    .slice(0, MAX_WORDS)
    .map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`));
}
