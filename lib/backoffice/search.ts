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
  /** The same conditions, for the indexes. */
  indexed: readonly SQL[];
}

/** One place where a word of a search text may stand. */
export interface SearchArm {
  /** The condition on a row of the list. */
  holds: SQL;
  /** The ids of all rows for which it holds, by an index; null where these are very many. */
  ids: SQL | null;
}

/** A usual page, for the choice between the two ways to search. */
const PAGE = 30;
/** From this part of all rows on the planner's guess is trusted: db/schema has it look closely. */
const COMMON = 0.01;
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
 * @param arms the places, for a pattern of `like`; their texts are those of db/search-text.ts. Those
 *   that are looked at most cheaply come first
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
  const [all, patterns] = await Promise.all([
    estimateRows(sql`select from ${from}`),
    searchPatterns(search),
  ]);
  const words = await Promise.all(
    patterns.map(async (pattern) => {
      const places = await arms(pattern);
      const found = places.map(({ ids }) => (ids ? estimateRows(ids) : all));
      const matches = (await Promise.all(found)).reduce((sum, rows) => sum + rows, 0);
      return { places, matches };
    }),
  );
  const [rarest, ...others] = words.toSorted((a, b) => a.matches - b.matches);
  if (!rarest) return null;
  const most = Math.ceil(Math.sqrt(PAGE * all));
  const ids =
    rarest.matches <= Math.max(most, COMMON * all)
      ? await lookUp({ places: rarest.places, most })
      : null;
  if (ids) return { where: [isAmong(id, ids), ...others.map(isFound)], common: null };
  const shares = words.map(({ matches }) =>
    Math.min(Math.max(matches, most) / Math.max(all, 1), 1),
  );
  return {
    where: words.map(isFound),
    common: {
      share: shares.reduce((product, part) => product * part, 1),
      indexed: words.map(({ places }) => isIndexed({ id, places })),
    },
  };
}

/** The condition for an index, or for each of several: a row's own text needs no detour. */
function isIndexed({ id, places }: { id: SQL; places: readonly SearchArm[] }): SQL {
  const queries = places.flatMap(({ ids }) => ids ?? []);
  return places.length === 1 || queries.length < places.length
    ? isFound({ places })
    : sql`${id} in (${sql.join(queries, sql` union all `)})`;
}

const isFound = ({ places }: { places: readonly SearchArm[] }): SQL =>
  sql`(${sql.join(
    places.map(({ holds }) => holds),
    sql` or `,
  )})`;

/** The ids of the rows in which a word stands, or null where these are too many. */
async function lookUp({
  places,
  most,
}: {
  places: readonly SearchArm[];
  most: number;
}): Promise<number[] | null> {
  const queries = places.flatMap(({ ids }) => ids ?? []);
  if (queries.length < places.length) return null;
  const { rows } = await db.execute<{ id: number }>(
    sql`${sql.join(queries, sql` union all `)} limit ${most + 1}`,
  );
  return rows.length > most ? null : [...new Set(rows.map((row) => row.id))];
}

/** The place that is a text of the list's own rows. */
export const textArm = ({
  pattern,
  from,
  id,
  text,
}: {
  pattern: string;
  from: SQL;
  id: SQL;
  text: SQL;
}): SearchArm => ({
  holds: sql`${text} like ${pattern}`,
  ids: sql`select ${id} as id from ${from} where ${text} like ${pattern}`,
});

/** The place of a person's names and address, for lists of what belongs to people. */
export const personArm = ({
  pattern,
  from,
  id,
  userId,
}: {
  pattern: string;
  from: SQL;
  id: SQL;
  userId: SQL;
}): SearchArm => ({
  // Not `exists`, for which PostgreSQL may look through all users first.
  holds: sql`(select ${userText("u")} like ${pattern} from users u where u.id = ${userId})`,
  ids: sql`select ${id} as id from ${from} join users u on u.id = ${userId}
    where ${userText("u")} like ${pattern}`,
});

/**
 * A search among documents with a number, which their text begins with: who types `12` or `#12`
 * means an id or the end of a number, and everybody else some words of the text.
 */
export async function searchDocuments({
  search,
  from,
  id,
  text,
}: {
  search: string | undefined;
  from: SQL;
  id: SQL;
  text: SQL;
}): Promise<Search | null> {
  const number = idIn(search);
  if (number === null) {
    const arms = (pattern: string) => [textArm({ pattern, from, id, text })];
    return searchFor({ search, from, id, arms });
  }
  const { ids } = textArm({ pattern: `%0${number} %`, from, id, text });
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
