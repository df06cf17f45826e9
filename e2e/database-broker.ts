import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { drizzle } from "drizzle-orm/postgres-js";
import { withConnection } from "@/db/connection";
import { migrateDatabase } from "@/db/migrate";
import { seedDemo } from "@/db/seed/demo";
import { type PostgresServer, startTemporaryPostgres } from "@/sandbox/postgres";

// One PostgreSQL server serves a whole run of the tests. It lives in the runner's process, which outlives
// every worker. It starts when the first worker asks for a database, so unit tests alone do not start it.
// The template database is made once; each worker gets copies of it.

/** Environment variable with the broker's URL; workers inherit the runner's environment. */
const BROKER_URL = "E2E_DATABASE_BROKER";
const TEMPLATE = "shop_template";

const urlOf = ({ server, name }: { server: PostgresServer; name: string }) => {
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
};

async function administer(server: PostgresServer, statement: string): Promise<void> {
  await withConnection({ url: server.url }, (sql) => sql.unsafe(statement));
}

/** The template of all databases: every migration, and the demonstration shop without shipping methods. */
async function prepareTemplate(server: PostgresServer): Promise<void> {
  await administer(server, `CREATE DATABASE ${TEMPLATE}`);
  const url = urlOf({ server, name: TEMPLATE });
  await migrateDatabase({ url });
  await withConnection({ url, max: 4 }, async (sql) => {
    // Tests about shipping make their own methods.
    await seedDemo({ db: drizzle({ client: sql }), hasShipping: false });
    // Without this, autovacuum would run at some time and change query plans.
    await sql`VACUUM ANALYZE`;
  });
}

/** Starts the broker and tells the workers its URL. Returns a function that stops everything. */
export async function startDatabaseBroker(): Promise<() => Promise<void>> {
  let starting: Promise<PostgresServer> | undefined;
  let lastNumber = 0;
  // Sequentially: PostgreSQL copies a template for one database at a time.
  let copying: Promise<unknown> = Promise.resolve();

  const start = async () => {
    const server = await startTemporaryPostgres();
    await prepareTemplate(server);
    return server;
  };
  const copy = async () => {
    starting ??= start();
    const server = await starting;
    lastNumber += 1;
    const name = `shop_${lastNumber}`;
    const making = copying.then(() =>
      administer(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY file_copy`),
    );
    copying = making.catch(() => undefined);
    await making;
    return urlOf({ server, name });
  };

  const broker = createServer((_, response) => {
    copy().then(
      (url) => response.end(url),
      (error: Error) => response.writeHead(500).end(error.message),
    );
  });
  broker.listen({ port: 0, host: "127.0.0.1" });
  await once(broker, "listening");
  process.env[BROKER_URL] = `http://127.0.0.1:${(broker.address() as AddressInfo).port}`;
  return async () => {
    broker.closeAllConnections();
    broker.close();
    await starting?.then(
      (server) => server.stop({ isForced: true }),
      () => undefined,
    );
  };
}

/** Creates a copy of the demonstration shop's database. Returns its URL. Called by workers. */
export async function createDatabase(): Promise<string> {
  const url = process.env[BROKER_URL];
  if (!url) throw new Error("The global setup of playwright.config.ts has not run.");
  const response = await fetch(url);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
