import { type BenchDatabase, openDatabase, queryRows } from "@/bench/database";
import { type Part, type Row, timesInTurn } from "@/bench/measure";
import type { BenchOptions } from "@/bench/run";
import { ADMIN_PATHS, type Facets, listScenarios, readFacets, readWords } from "@/bench/scenarios";
import { type Server, startShop } from "@/bench/shop";
import { ADMIN, fillTables } from "@/bench/tables";
import type { Services } from "@/scripts/services";

// How response times grow with the shop: the same lists and searches of visitors, and lists of the back office,
// with a thousand products, orders, invoices and reviews and with many.

const SMALL = 1_000;
/** Of a scenario or list, of each side. */
const VISITORS = { count: 320, atOnce: 16 };
const ADMIN_CALLS = { count: 100, atOnce: 1 };

interface Side {
  database: BenchDatabase;
  shop: Server;
  token: string;
  facets: Facets;
}

async function openSide({ services, rows }: { services: Services; rows: number }): Promise<Side> {
  const database = await openDatabase({ services, products: rows });
  const { url } = database;
  await fillTables({ url, rows });
  await prewarmCatalogue(database);
  const shop = await startShop({ services, databaseUrl: url });
  return { database, shop, token: await logIn(shop), facets: await readFacets(url) };
}

/** Loads the catalogue and its indexes into PostgreSQL's buffers, so that the disk is not measured. */
async function prewarmCatalogue({ url }: BenchDatabase): Promise<void> {
  await queryRows({ url, sql: "create extension if not exists pg_prewarm" });
  await queryRows({
    url,
    sql: `
      select pg_prewarm(part) from (
        select indrelid as part from pg_index union select indexrelid from pg_index
      ) parts
      join pg_class on oid = part
      where relname ~ '^(products|product_listings|search_words)(_|$)'
      order by pg_relation_size(part)`,
  });
}

async function logIn(shop: Server): Promise<string> {
  const response = await fetch(`${shop.origin}/api/login_check`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: ADMIN.email, password: ADMIN.password }),
  });
  const { token } = (await response.json()) as { token?: string };
  if (!token) throw new Error(`No token: ${response.status}`);
  return token;
}

async function get(url: string, headers: Record<string, string> = {}): Promise<void> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text.slice(0, 300)}`);
}

export async function measureScale({ services, rows: size }: BenchOptions): Promise<Part> {
  const small = await openSide({ services, rows: SMALL });
  const large = await openSide({ services, rows: size });
  const sides: [Side, Side] = [small, large];
  const rows: Row[] = [];
  const add = (name: string, [other, shop]: [number[], number[]]) =>
    rows.push({ name, unit: "ms", shop, other });

  for (const { name, paths, load = VISITORS } of listScenarios(
    await readWords(small.database.url),
  )) {
    const pathsOf = new Map(sides.map((side) => [side, paths(side.facets)]));
    const request = (side: Side, n: number) => {
      const all = pathsOf.get(side) ?? [];
      return get(side.shop.origin + all[n % all.length]);
    };
    add(name, await timesInTurn({ sides, request, ...load }));
  }
  for (const path of ADMIN_PATHS) {
    const request = ({ shop, token }: Side) =>
      get(shop.origin + path, { Authorization: `Bearer ${token}` });
    add(path, await timesInTurn({ sides, request, ...ADMIN_CALLS }));
  }
  for (const { shop, database } of sides) {
    await shop.stop({ isForced: false });
    await database.stop({ isForced: false });
  }
  return {
    title: `p50 / p99 with ${size} products, orders, invoices and reviews, beside ${SMALL}`,
    rows,
  };
}
