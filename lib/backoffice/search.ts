import { type SQL, sql } from "drizzle-orm";
import { db } from "@/db";
import { estimateRows } from "@/db/count";
import { userText } from "@/db/search-text";
import { isAmong } from "./list";

// How the back office searches its lists: docs/decisions/040.

/** What somebody searches a list for, understood. */
export interface Search {
  /** All of them must hold, too. */
  where: readonly SQL[];
  /** Null where it says which rows they are. */
  common: CommonWords | null;
}

/** Words that very many rows hold. */
interface CommonWords {
  /** About which part of all rows holds all of them, from 0 to 1. */
  share: number;
  /** About how many rows there are in all. */
  all: number;
  /** Up to so many rows are looked up rather than walked to. */
  most: number;
  /** The same condition, for the indexes. */
  indexed: SQL;
}

/** One place where a word of a search text may stand. */
export interface SearchArm {
  /** The condition on a row of the list. */
  holds: SQL;
  /** The same for an index; null where the rows would be very many. */
  indexed: SQL | null;
  /** The table that `indexed` is a condition on, where it is not the list's own: `join …`. */
  join?: SQL;
}

/** A usual page, for the choice between the two ways to search. */
const PAGE = 30;
/** From this part of all rows on the planner's guess is trusted: db/schema has it look closely. */
const COMMON = 0.01;
/** Combinations of places that are looked up for words that are common in several. */
const MAX_COMBINATIONS = 16;
const MAX_WORDS = 8;

/**
 * A search text: each of its words must stand in one of the places, without regard to accents,
 * capitals and signs.
 *
 * No index serves a choice between tables, nor the list's order. So the rarest word is looked up in
 * each of the places, and the others are looked for in what is found. Where all words are common,
 * the list's first rows fill a page. Both ways cost the same where the rows with a word are as many
 * as those to be looked at until a page is full, and that is where the one gives way to the other.
 *
 * @param arms the places, for a pattern of `like`, always the same ones; their texts are those of
 *   db/search-text.ts. Those that are looked at most cheaply come first
 */
export async function searchFor({
  search,
  from,
  id,
  arms,
}: {
  search: string | undefined;
  from: SQL;
  id: SQL;
  arms: (pattern: string) => readonly SearchArm[] | Promise<readonly SearchArm[]>;
}): Promise<Search | null> {
  if (!search) return null;
  const list = { from, id };
  const [all, patterns] = await Promise.all([
    estimateRows(sql`select from ${from}`),
    searchPatterns(search),
  ]);
  const words = await Promise.all(
    patterns.map(async (pattern): Promise<Word> => {
      const places = await Promise.all(
        (await arms(pattern)).map(async (arm, index) => {
          const matches = arm.indexed ? await estimateRows(idsIn({ list, places: [arm] })) : all;
          return { ...arm, index, matches };
        }),
      );
      return { places, matches: places.reduce((sum, { matches }) => sum + matches, 0) };
    }),
  );
  words.sort((a, b) => a.matches - b.matches);
  const [rarest, ...others] = words;
  if (!rarest) return null;
  const most = Math.ceil(Math.sqrt(PAGE * all));
  const ids =
    rarest.matches <= Math.max(most, COMMON * all)
      ? await lookUp({ list, places: rarest.places, most })
      : null;
  if (ids) return { where: [isAmong(id, ids), ...others.map(isFound)], common: null };
  const shares = words.map(({ matches }) =>
    Math.min(Math.max(matches, most) / Math.max(all, 1), 1),
  );
  return {
    where: words.map(isFound),
    common: {
      share: shares.reduce((product, part) => product * part, 1),
      all,
      most,
      indexed: areIndexed({ list, words, most }),
    },
  };
}

interface List {
  from: SQL;
  id: SQL;
}

interface Place extends SearchArm {
  /** Its number among the list's places. */
  index: number;
  /** About how many rows have the word there. */
  matches: number;
}

interface Word {
  places: readonly Place[];
  matches: number;
}

/**
 * The condition that a row has all words, for the indexes. Either it has one of them in a place
 * where few rows have it: these are found, and looked through for the others. Or each of them where
 * many have it: these places are asked for all words at once, so that an index that knows several of
 * them gives the rows with all.
 */
function areIndexed({
  list,
  words,
  most,
}: {
  list: List;
  words: readonly Word[];
  most: number;
}): SQL {
  const isOwnText = words.every(({ places: [place, ...more] }) => !place?.join && !more.length);
  if (isOwnText) return sql.join(words.map(isFound), sql` and `);
  const isRare = ({ indexed, matches }: Place) => indexed !== null && matches <= most;
  const queries = words.flatMap((word) =>
    word.places.filter(isRare).map((place) => {
      const others = words.filter((other) => other !== word);
      return idsIn({ list, places: [place], others });
    }),
  );
  let combinations: Place[][] = [[]];
  const others: Word[] = [];
  for (const word of words) {
    const places = word.places.filter((place) => !isRare(place));
    if (combinations.length * places.length > MAX_COMBINATIONS) others.push(word);
    else combinations = combinations.flatMap((some) => places.map((place) => [...some, place]));
  }
  queries.push(...combinations.map((places) => idsIn({ list, places, others })));
  return sql`${list.id} in (${sql.join(queries, sql` union all `)})`;
}

const isFound = ({ places }: Pick<Word, "places">): SQL =>
  sql`(${sql.join(
    places.map(({ holds }) => holds),
    sql` or `,
  )})`;

/** The ids of the rows that have a word in each of the places, and all other words anywhere. */
function idsIn({
  list: { from, id },
  places,
  others = [],
}: {
  list: List;
  places: readonly (SearchArm & { index?: number })[];
  others?: readonly Word[];
}): SQL {
  const joins = new Map<number | undefined, SQL>();
  for (const { index, indexed, join } of places) if (indexed && join) joins.set(index, join);
  const tables = sql.join([from, ...joins.values()], sql` `);
  const conditions = [
    ...places.map(({ holds, indexed }) => indexed ?? holds),
    ...others.map(isFound),
  ];
  return sql`select ${id} as id from ${tables} where ${sql.join(conditions, sql` and `)}`;
}

/** The ids of the rows in which a word stands, or null where these are too many. */
async function lookUp({
  list,
  places,
  most,
}: {
  list: List;
  places: readonly Place[];
  most: number;
}): Promise<number[] | null> {
  if (places.some(({ indexed }) => indexed === null)) return null;
  const queries = places.map((place) => idsIn({ list, places: [place] }));
  const { rows } = await db.execute<{ id: number }>(
    sql`${sql.join(queries, sql` union all `)} limit ${most + 1}`,
  );
  return rows.length > most ? null : [...new Set(rows.map((row) => row.id))];
}

/** The place that is a text of the list's own rows. */
export function textArm({ pattern, text }: { pattern: string; text: SQL }): SearchArm {
  const holds = sql`${text} like ${pattern}`;
  return { holds, indexed: holds };
}

/** The place of a person's names and address, for lists of what belongs to people. */
export function personArm({ pattern, userId }: { pattern: string; userId: SQL }): SearchArm {
  const isNamed = sql`${userText("u")} like ${pattern}`;
  return {
    // Not `exists`, for which PostgreSQL may look through all users first.
    holds: sql`(select ${isNamed} from users u where u.id = ${userId})`,
    indexed: isNamed,
    join: sql`join users u on u.id = ${userId}`,
  };
}

/**
 * A search among documents with a number, which their text begins with: who types `12` or `#12`
 * means an id or a number of whatever year, and everybody else some words of the text.
 */
export async function searchDocuments({
  search,
  from,
  id,
  text,
  written,
}: {
  search: string | undefined;
  from: SQL;
  id: SQL;
  text: SQL;
  /** A number as it stands in the text. */
  written: (number: number) => string;
}): Promise<Search | null> {
  const number = idIn(search);
  if (number === null) {
    const arms = (pattern: string) => [textArm({ pattern, text })];
    return searchFor({ search, from, id, arms });
  }
  // `CMD-2026-000012`, a word of its own: its year is another one.
  const ids = sql`select ${id} from ${from} where ${text} like ${`% ${written(number)} %`}`;
  return { where: [sql`${id} in (select ${number}::int union all ${ids})`], common: null };
}

/** A search text that is an id: `12`, `#12`. */
export const idIn = (search: string | undefined): number | null => {
  const digits = /^#?(\d{1,9})$/.exec(search?.trim() ?? "")?.[1];
  return digits === undefined ? null : Number(digits);
};

/** Patterns for `like`. Of short words only the beginning is searched for: that has an index. */
async function searchPatterns(search: string): Promise<string[]> {
  const { rows } = await db.execute<{ text: string }>(
    sql`select search_normalise(${search}) as text`,
  );
  const words = (rows[0]?.text ?? "").split(" ").filter(Boolean);
  // Signs alone stand nowhere.
  if (words.length === 0) return ["%\u0001%"];
  return [...new Set(words)]
    .slice(0, MAX_WORDS)
    .map((word) => (word.length < 3 ? `% ${word}%` : `%${word}%`));
}
