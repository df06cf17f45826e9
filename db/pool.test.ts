import { setTimeout as delay } from "node:timers/promises";
import { sql } from "drizzle-orm";
import {
  closeDatabase,
  db,
  poolUsage,
  sentWithCommit,
  type Transaction,
  transactionWithLockTimeout,
} from "@/db";
import { test as base, expect } from "@/e2e/database-fixtures";
import type { TcpProxy } from "@/e2e/tcp-proxy";
import { forgetEnv } from "@/lib/env";
import { isDatabaseTimeout, isDatabaseUnavailable } from "@/lib/errors/database-unavailable";
import { sqlErrorIn } from "@/lib/errors/sql-error";

const CONNECTIONS = 3;

const test = base.extend<{ network: TcpProxy }>({
  // `db` connects through the proxy.
  network: [
    async ({ shopEnv, database, databaseProxy }, use) => {
      const configure = async (env: Record<string, unknown>) => {
        await closeDatabase();
        for (const [name, value] of Object.entries(env)) process.env[name] = String(value);
        forgetEnv();
      };
      const { DATABASE_URL, DATABASE_POOL_MAX } = shopEnv;
      await configure({
        DATABASE_URL: databaseProxy.url,
        DATABASE_POOL_MAX: CONNECTIONS,
        DATABASE_TIMEOUT: 1,
      });
      await db.execute(sql`create table notes (text text primary key)`);
      await use(databaseProxy);
      await databaseProxy.heal();
      await database.execute(sql`drop table notes`);
      await configure({ DATABASE_URL, DATABASE_POOL_MAX, DATABASE_TIMEOUT: 10 });
    },
    { auto: true },
  ],
});

const note = (tx: Pick<Transaction, "execute">, text: string) =>
  tx.execute<{ text: string }>(sql`insert into notes values (${text}) returning text`);

const notes = async () => {
  const rows = await db.execute<{ text: string }>(sql`select text from notes order by text`);
  return rows.map(({ text }) => text);
};

/** The error of an attempt that must fail. */
const errorOf = (attempt: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(attempt).then(
    (result) => expect(result, "it cannot succeed").toBeInstanceOf(Error),
    (error: unknown) => error,
  );

test("statements that are sent together cost one round trip, and none more with COMMIT", async ({
  network,
}) => {
  const all = (tx: Transaction, texts: string[]) =>
    Promise.all(texts.map((text) => note(tx, text)));
  const together = (texts: string[]) => db.transaction((tx) => all(tx, texts));
  const withCommit = async (texts: string[]) => {
    const { results } = await db.transaction(async (tx) => sentWithCommit(all(tx, texts)));
    return (await results).flat();
  };
  // The first execution prepares the statement.
  await withCommit(["a"]);
  const before = network.roundTrips();
  expect(await withCommit(["b", "c"])).toEqual([{ text: "b" }, { text: "c" }]);
  expect(network.roundTrips() - before, "BEGIN, the others").toBe(2);
  await together(["d", "e", "f"]);
  expect(network.roundTrips() - before, "BEGIN, three statements, COMMIT").toBe(2 + 3);
  expect(sqlErrorIn(await errorOf(withCommit(["g", "c", "h"])))?.code).toBe("23505");
  expect((await notes()).join("")).toBe("abcdef");
});

test("a migration under a running shop fails at most one statement and keeps the connection", async () => {
  await db.execute(sql`create table migrated (id int, value int)`);
  const read = () =>
    db.transaction((tx) => tx.execute(sql`select value from migrated where id = ${1}`));
  await db.execute(sql`insert into migrated values (1, 7)`);
  for (let i = 0; i < 4; i++) expect(await read()).toEqual([{ value: 7 }]);
  await db.execute(sql`alter table migrated alter column value type text`);
  await read().catch((error: unknown) => expect(isDatabaseUnavailable(error)).toBe(true));
  expect(await read()).toEqual([{ value: "7" }]);
  await db.execute(sql`drop table migrated`);
});

test("a transaction with a lock timeout gives up waiting for a lock", async () => {
  const lockUser = sql`select id from users order by id limit 1 for update`;
  const reason = await db.transaction(async (holder) => {
    await holder.execute(lockUser);
    const waiting = transactionWithLockTimeout((tx) => tx.execute(lockUser), { seconds: 0.5 });
    return sqlErrorIn(await errorOf(waiting))?.code;
  });
  expect(reason).toBe("55P03");
  const setting = await db.transaction((tx) => tx.execute(sql`show lock_timeout`));
  expect(setting).toEqual([{ lock_timeout: "0" }]);
});

test("where a statement fails, nothing of its transaction has an effect, and the first failure is told", async () => {
  for (const [how, run] of [
    ["together", (tx) => Promise.all(["a", "a", "b", "c"].map((text) => note(tx, text)))],
    [
      "told after what it did to the others",
      async (tx) => {
        await note(tx, "a");
        const failing = errorOf(note(tx, "a")).then(async (error) => {
          await delay(20);
          throw error;
        });
        await Promise.all([failing, note(tx, "b")]);
      },
    ],
    [
      "swallowed by the caller",
      async (tx) => {
        await note(tx, "a");
        await errorOf(note(tx, "a"));
      },
    ],
    [
      "awaited by nobody",
      async (tx) => {
        await note(tx, "a");
        note(tx, "a").then(
          () => undefined,
          () => undefined,
        );
      },
    ],
  ] as [string, (tx: Transaction) => Promise<unknown>][])
    expect(sqlErrorIn(await errorOf(db.transaction(run)))?.code, how).toBe("23505");
  expect(await notes()).toEqual([]);
  // A failure within a savepoint does not end the transaction.
  await db.transaction(async (tx) => {
    await note(tx, "d");
    await tx.transaction((inner) => note(inner, "d")).catch(() => undefined);
    await tx.transaction((inner) => note(inner, "e"));
  });
  expect(await notes()).toEqual(["d", "e"]);
});

test("a database that cannot be written to is unavailable, whatever the query", async () => {
  const refused = db.transaction(async (tx) => {
    await tx.execute(sql`set transaction read only`);
    await note(tx, "a");
  });
  expect(isDatabaseUnavailable(await errorOf(refused))).toBe(true);
  const wrong = db.transaction((tx) => tx.execute(sql`select missing`));
  expect(isDatabaseUnavailable(await errorOf(wrong))).toBe(false);
});

test("a statement sent after the end of its transaction is not run", async ({ network }) => {
  let late: Transaction | undefined;
  await db.transaction(async (tx) => {
    late = tx;
    await note(tx, "a");
  });
  await errorOf(note(late as Transaction, "b"));
  const failed = db.transaction(async (tx) => {
    late = tx;
    throw new Error("for a reason");
  });
  await expect(failed).rejects.toThrow("for a reason");
  await errorOf(note(late as Transaction, "c"));
  // COMMIT is sent but not answered yet.
  network.delay(200);
  const refused = await db.transaction(async (tx) => {
    await note(tx, "d");
    return { refused: new Promise(setImmediate).then(() => errorOf(note(tx, "e"))) };
  });
  await network.heal();
  await refused.refused;
  expect(await notes()).toEqual(["a", "d"]);
});

test("a broken connection fails only its own statements and mixes up no results", async ({
  network,
}) => {
  let isOver = false;
  let answers = 0;
  let failures = 0;
  const ask = async (from: Pick<Transaction, "execute">, value: number) =>
    expect(await from.execute(sql`select ${value}::int as value`)).toEqual([{ value }]);
  const askInTransaction = (value: number) =>
    db.transaction(async (tx) => {
      await Promise.all([ask(tx, value), ask(tx, value + 1)]);
      await ask(tx, value + 2);
    });
  const askers = Array.from({ length: 4 * CONNECTIONS }, async (_, asker) => {
    for (let value = asker; !isOver; value += 100)
      try {
        await (asker % 2 === 0 ? ask(db, value) : askInTransaction(value));
        answers++;
      } catch (error) {
        expect(isDatabaseUnavailable(error), String(error)).toBe(true);
        failures++;
      }
  });
  for (let cut = 1; cut <= 10; cut++) {
    const before = answers;
    await expect.poll(() => answers, { intervals: [5] }).toBeGreaterThan(before + 50);
    await network.cut();
    await network.heal();
  }
  isOver = true;
  await Promise.all(askers);
  expect(failures).toBeGreaterThan(0);
  await Promise.all(Array.from({ length: 20 }, (_, value) => ask(db, value)));
  await expect.poll(network.connections).toBeLessThanOrEqual(CONNECTIONS);
});

test("a connection that the server ends within a transaction fails that transaction", async ({
  database,
}) => {
  for (let i = 0; i < 2 * CONNECTIONS; i++) {
    const cut = db.transaction(async (tx) => {
      await note(tx, "half");
      const [row] = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`);
      await database.execute(sql`select pg_terminate_backend(${row?.pid ?? 0}::int, 5000)`);
      await note(tx, "done").catch(() => undefined);
      await note(tx, "swallowed");
    });
    expect(isDatabaseUnavailable(await errorOf(cut))).toBe(true);
  }
  expect(await notes()).toEqual([]);
});

test("a connection that breaks while connecting, or during COMMIT, fails only its own work", async ({
  network,
}) => {
  // Turns: the startup message, two login messages, the statement.
  for (const turn of [1, 2, 3, 4]) {
    await closeDatabase();
    network.delay(50);
    const before = network.roundTrips();
    const broken = errorOf(db.execute(sql`select 1`));
    await expect.poll(network.roundTrips, { intervals: [5] }).toBe(before + turn);
    await network.cut();
    expect(isDatabaseUnavailable(await broken)).toBe(true);
    await network.heal();
  }
  expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  const broken = db.transaction(async (tx) => {
    await note(tx, "a");
    network.delay(1_000);
    setTimeout(() => void network.cut(), 100);
  });
  expect(isDatabaseUnavailable(await errorOf(broken))).toBe(true);
});

test("arrays are sent and read", async () => {
  const texts = ["a", 'b,"c"', "", "é {x}"];
  const written = [...texts, "d\\e"];
  const [row] = await db.execute(sql`select to_json(${sql.param(written)}::text[]) as written,
    ${sql.param(texts)}::text[] as texts, ${sql.param([1, -2])}::int[] as numbers,
    ${sql.param([])}::int[] as none, array[true, false] as flags`);
  expect(row).toEqual({ written, texts, numbers: [1, -2], none: [], flags: [true, false] });
});

test("a silent network ends statements, BEGIN and COMMIT in a bounded time", async ({
  network,
}) => {
  await db.execute(sql`select 1`);
  const committing = db.transaction(async (tx) => {
    await note(tx, "a");
    network.stall();
  });
  expect(isDatabaseTimeout(await errorOf(committing)), "COMMIT").toBe(true);
  await network.heal();
  await db.execute(sql`select 1`);
  network.stall();
  const attempts = [db.execute(sql`select 1`), db.transaction((tx) => note(tx, "b"))];
  for (const error of await Promise.all(attempts.map(errorOf)))
    expect(isDatabaseTimeout(error)).toBe(true);
  await network.heal();
  expect(await db.execute(sql`select 1 as one`)).toEqual([{ one: 1 }]);
  await expect.poll(network.connections).toBeLessThanOrEqual(CONNECTIONS);
});

test("a hanging statement is cancelled, and its connection stays usable", async () => {
  const hanging = sql`select pg_sleep(60)`;
  expect(sqlErrorIn(await errorOf(db.execute(hanging)))?.code).toBe("57014");
  const transaction = db.transaction((tx) => tx.execute(hanging));
  expect(isDatabaseTimeout(await errorOf(transaction))).toBe(true);
  expect(poolUsage()).toMatchObject({ used: 0, waiting: 0 });
  expect(poolUsage().idle).toBeGreaterThan(0);
});

test("500 statements wait for a connection, and further ones fail at once", async () => {
  // `then` sends it: drizzle waits until somebody wants the result.
  const slow = Array.from({ length: CONNECTIONS }, () =>
    db.execute(sql`select pg_sleep(0.5)`).then(() => undefined),
  );
  let failed = 0;
  const others = Array.from({ length: 600 }, () =>
    db.execute(sql`select 1`).catch((error: unknown) => {
      expect(isDatabaseUnavailable(error)).toBe(true);
      failed += 1;
    }),
  );
  await new Promise(setImmediate);
  expect(failed).toBe(100);
  expect(poolUsage()).toMatchObject({ used: CONNECTIONS, waiting: 500 });
  await Promise.all([...slow, ...others]);
  expect(failed).toBe(100);
  expect(poolUsage()).toMatchObject({ used: 0, waiting: 0 });
});
