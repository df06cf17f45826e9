import { totalmem } from "node:os";
import path from "node:path";
import pg from "pg";
import { migrateDatabase } from "@/db/migrate";
import { seedLargeCatalogue } from "@/db/seed/large";
import { startPostgres } from "@/sandbox/postgres";
import { DATA_DIR, makeDataDir } from "@/scripts/database";
import type { Service, Services } from "@/scripts/services";

export interface BenchDatabase extends Service {
  url: string;
  pid: number;
  dataDir: string;
}

/** From here on the tables do not fit into the memory that a small shop's database is given. */
const LARGE = 100_000;

/** What PostgreSQL's manual advises: a quarter of the machine's memory. Two gigabytes are plenty. */
const sharedMiB = () => Math.min(2_048, Math.floor(totalmem() / 4 / 1024 / 1024));

/** A database with so many products, kept below .data/bench for the next run. */
export async function openDatabase({
  services,
  products,
  isDurable = false,
}: {
  services: Services;
  products: number;
  /** As in production: a commit waits for the disk. Such databases are others than the fast ones. */
  isDurable?: boolean;
}): Promise<BenchDatabase> {
  makeDataDir();
  const name = `products-${products}${isDurable ? "-durable" : ""}`;
  const dataDir = path.join(DATA_DIR, "bench", name);
  const server = await services.start(async () => {
    const postgres = await startPostgres({
      dataDir,
      log: console.log,
      isDurable,
      settings: products >= LARGE ? [`shared_buffers=${sharedMiB()}MB`] : [],
    });
    return {
      url: postgres.url,
      pid: postgres.pid,
      dataDir,
      stop: ({ isHurried }: { isHurried: boolean }) => postgres.stop({ immediate: isHurried }),
    };
  });
  await migrateDatabase({ url: server.url });
  const [known] = await queryRows<{ count: number }>({
    url: server.url,
    sql: "select count(*)::int as count from products",
  });
  if (known?.count !== products) {
    console.log(`Filling a catalogue of ${products} products…`);
    await seedLargeCatalogue({ url: server.url, products, log: quietly() });
  }
  return server;
}

/** Says what takes long, at most every ten seconds. */
function quietly(): (line: string) => void {
  let next = Date.now() + 3_000;
  return (line) => {
    if (Date.now() < next) return;
    next = Date.now() + 10_000;
    console.log(`  ${line.trim()}`);
  };
}

/** The rows of one query on a connection of its own. */
export async function queryRows<T extends pg.QueryResultRow>({
  url,
  sql,
  values = [],
}: {
  url: string;
  sql: string;
  values?: unknown[];
}): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}
