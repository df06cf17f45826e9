import { expect, test } from "@playwright/test";
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { Database } from "@/db";
import { firstMatches, type MatchSearch } from "./first-matches";

const PAGE = 25;
const ROWS = 1_000_000;

/**
 * Searches a list of a million rows with `matches` matching rows, evenly distributed after the first `first`
 * rows, while the planner estimates `estimate` matches. Returns the strategies that were tried.
 */
async function strategies({
  estimate,
  matches,
  first = 0,
}: {
  estimate: number;
  matches: number;
  first?: number;
}) {
  const steps: string[] = [];
  const ids = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
  const execute = async (query: SQL) => {
    const { sql: text, params } = new PgDialect().sqlToQuery(query);
    const numbers = params.map(Number);
    if (text.includes("materialized")) {
      const max = text.includes("from matches limit") ? (numbers[0] ?? 0) : ROWS;
      steps.push(max === ROWS ? "gather all" : "gather");
      const total = Math.min(matches, max);
      return [{ ids: ids(Math.min(total, PAGE)), total }];
    }
    const span = numbers[0] ?? 0;
    steps.push("scan");
    const found = Math.floor((Math.max(span - first, 0) * matches) / (ROWS - first));
    return ids(Math.min(found, PAGE)).map((id) => ({ id }));
  };
  const search: MatchSearch = {
    offset: 0,
    limit: PAGE,
    share: estimate / ROWS,
    rowsInIndex: ROWS,
    rowsInList: ROWS,
    scanCost: 1,
    gather: sql`select id from matches`,
    scan: (span) => sql`select id from list limit ${span}`,
    order: sql`id`,
    from: { execute } as unknown as Database,
  };
  const { ids: found, total } = await firstMatches(search);
  return { steps, found: found.length, total };
}

test("few matches are gathered by the index, many are found by scanning the list", async () => {
  expect(await strategies({ estimate: 300, matches: 300 })).toEqual({
    steps: ["gather"],
    found: PAGE,
    total: 300,
  });
  expect(await strategies({ estimate: 100_000, matches: 100_000 })).toEqual({
    steps: ["scan"],
    found: PAGE,
    total: 100_000,
  });
});

test("a search with more matches than estimated falls back to scanning", async () => {
  expect(await strategies({ estimate: 300, matches: 200_000 })).toMatchObject({
    steps: ["gather", "scan"],
    found: PAGE,
    // The number gathered before the strategy changed.
    total: Math.ceil(2 * Math.sqrt(PAGE * ROWS)) + 1,
  });
});

test("a search with fewer or later matches than estimated falls back to gathering", async () => {
  const far = { estimate: 100_000, matches: 100_000, first: 500_000 };
  for (const search of [{ estimate: 100_000, matches: 10 }, far]) {
    const { steps, found, total } = await strategies(search);
    expect(steps.at(-1)).toBe("gather all");
    expect(steps.slice(0, -1)).toEqual(["scan", "scan"]);
    expect(found).toBe(Math.min(search.matches, PAGE));
    expect(total).toBe(search.matches);
  }
});
