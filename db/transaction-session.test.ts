import { sql } from "drizzle-orm";
import { closeDatabase, db, isDatabaseUnavailable, sendWithCommit, type Transaction } from "@/db";
import { test as base, expect } from "@/e2e/database-fixtures";
import type { TcpProxy } from "@/e2e/tcp-proxy";
import { forgetEnv } from "@/lib/env";
import { sqlErrorIn } from "@/lib/sql-error";

const test = base.extend<{ network: TcpProxy }>({
  // `db` goes by way of the proxy.
  network: async ({ shopEnv, databaseProxy }, use) => {
    const connectTo = async (url: unknown) => {
      await closeDatabase();
      process.env.DATABASE_URL = String(url);
      forgetEnv();
    };
    await connectTo(databaseProxy.url);
    await db.execute(sql`create table notes (text text primary key)`);
    await use(databaseProxy);
    await databaseProxy.heal();
    await db.execute(sql`drop table notes`);
    await connectTo(shopEnv.DATABASE_URL);
  },
});

const note = (tx: Transaction, text: string) =>
  tx.execute<{ text: string }>(sql`insert into notes values (${text}) returning text`);

const notes = async () =>
  (await db.execute<{ text: string }>(sql`select text from notes order by text`)).rows.map(
    ({ text }) => text,
  );

test("statements that are sent together leave in one packet, the last one with COMMIT", async ({
  network,
}) => {
  const before = network.packets();
  const { last } = await db.transaction(async (tx) => {
    const [{ rows }] = await Promise.all([note(tx, "a"), note(tx, "b"), note(tx, "c")]);
    return { last: sendWithCommit(tx, note(tx, `after ${rows[0]?.text}`)) };
  });
  expect((await last).rows).toEqual([{ text: "after a" }]);
  expect(network.packets() - before, "BEGIN, three statements, the last with COMMIT").toBe(3);
  expect(await notes()).toEqual(["a", "after a", "b", "c"]);
});

test("where a statement fails, those that were sent along with it have no effect", async ({
  network: _,
}) => {
  const isRefused = (run: (tx: Transaction) => Promise<unknown>) =>
    db.transaction(run).then(
      () => "committed",
      (error: unknown) => sqlErrorIn(error)?.code,
    );
  const together = (tx: Transaction) =>
    Promise.all([note(tx, "a"), note(tx, "a"), note(tx, "b"), note(tx, "c")]);
  expect(await isRefused(together), "the first failure is told").toBe("23505");
  expect(await notes()).toEqual([]);
  const last = async (tx: Transaction) => {
    await note(tx, "a");
    sendWithCommit(tx, note(tx, "a"));
    sendWithCommit(tx, note(tx, "b"));
  };
  expect(await isRefused(last), "not what COMMIT answers").toBe("23505");
  expect(await notes()).toEqual([]);
  // The connection can be used again.
  await db.transaction((tx) => note(tx, "d"));
  expect(await notes()).toEqual(["d"]);
});

test("a transaction that PostgreSQL has rolled back does not count as committed", async ({
  network: _,
}) => {
  const swallowed = db.transaction(async (tx) => {
    await note(tx, "a");
    await note(tx, "a").catch(() => undefined);
  });
  await expect(swallowed).rejects.toMatchObject({
    cause: { message: "The transaction was rolled back: one of its statements had failed." },
  });
  expect(await notes()).toEqual([]);
});

test("a statement that comes after COMMIT or ROLLBACK is not run on its own", async ({
  network: _,
}) => {
  let late: Transaction | undefined;
  await db.transaction(async (tx) => {
    late = tx;
    await note(tx, "a");
  });
  await expect(note(late as Transaction, "b")).rejects.toThrow();
  await expect(
    db.transaction(async (tx) => {
      late = tx;
      throw new Error("for a reason");
    }),
  ).rejects.toThrow("for a reason");
  await expect(note(late as Transaction, "c")).rejects.toThrow();
  expect(await notes()).toEqual(["a"]);
});

test("when the connection breaks during COMMIT, that is what is told", async ({ network }) => {
  network.delay(1_000);
  const broken = db.transaction(async (tx) => {
    await note(tx, "a");
    sendWithCommit(tx, note(tx, "b"));
    setTimeout(() => void network.cut(), 100);
  });
  const error: unknown = await broken.then(
    () => "committed",
    (error: unknown) => error,
  );
  expect(isDatabaseUnavailable(error), String(error)).toBe(true);
});

test("only the transaction itself has statements that go with its COMMIT", async ({
  network: _,
}) => {
  const nested = db.transaction((tx) =>
    tx.transaction(async (inner) => {
      sendWithCommit(inner, note(inner, "a"));
    }),
  );
  await expect(nested).rejects.toThrow("Only the statements of a transaction itself");
  expect(await notes()).toEqual([]);
});
