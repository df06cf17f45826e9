import { totalmem } from "node:os";
import path from "node:path";
import type { Row } from "postgres";
import { withConnection } from "@/db/connection";
import { migrateDatabase } from "@/db/migrate";
import { seedLargeCatalogue } from "@/db/seed/large";
import { startPostgres } from "@/sandbox/postgres";
import { DATA_DIR, makeDataDir } from "@/scripts/database";
import type { Service, Services } from "@/scripts/services";

export interface BenchDatabase extends Service {
  url: string;
}

/** From here on the tables exceed the default shared_buffers. */
const LARGE = 100_000;

/** A quarter of the machine's memory, as PostgreSQL's manual advises, up to 2 GiB. */
const sharedMiB = () => Math.min(2_048, Math.floor(totalmem() / 4 / 1024 / 1024));

/** A database with this many products, kept below .data/bench for the next run. */
export async function openDatabase({
  services,
  products,
  isDurable = false,
}: {
  services: Services;
  products: number;
  /** As in production: commits wait for the disk. Kept apart from the non-durable databases. */
  isDurable?: boolean;
}): Promise<BenchDatabase> {
  makeDataDir();
  const name = `products-${products}${isDurable ? "-durable" : ""}`;
  const dataDir = path.join(DATA_DIR, "bench", name);
  const server = await services.start(() =>
    startPostgres({
      dataDir,
      log: console.log,
      isDurable,
      settings: products >= LARGE ? [`shared_buffers=${sharedMiB()}MB`] : [],
    }),
  );
  await migrateDatabase({ url: server.url });
  const [existing] = await queryRows<{ count: number }>({
    url: server.url,
    sql: "select count(*)::int as count from products",
  });
  if (existing?.count !== products) {
    console.log(`Filling a catalogue of ${products} products…`);
    await seedLargeCatalogue({ url: server.url, products, log: throttledLog() });
  }
  return server;
}

/** Prints a line every ten seconds at most. */
function throttledLog(): (line: string) => void {
  let next = Date.now() + 3_000;
  return (line) => {
    if (Date.now() < next) return;
    next = Date.now() + 10_000;
    console.log(`  ${line.trim()}`);
  };
}

/** Runs one query on a connection of its own. */
export function queryRows<T extends Row>({
  url,
  sql: text,
  values = [],
}: {
  url: string;
  sql: string;
  values?: (string | number | string[])[];
}): Promise<T[]> {
  return withConnection({ url }, (sql) => sql.unsafe<T[]>(text, values));
}
