import { sql } from "drizzle-orm";
import { closeDatabase, db, preparedDb, type Transaction, transactionWithLockTimeout } from "@/db";
import { statementNames } from "@/db/named-statements";
import { test as base, expect } from "@/e2e/database-fixtures";

const test = base.extend<{ pool: undefined }>({
  pool: [
    // `db` is the worker's database, which `shopEnv` names; one connection sees the prepared statements.
    async ({ shopEnv: _ }, use) => {
      await closeDatabase();
      await use(undefined);
      await closeDatabase();
    },
    { auto: true },
  ],
});

test("a frequent text gets a name, and keeps it", () => {
  const nameOf = statementNames({ maxNames: 2, minUses: 3 });
  const namesOf = (text: string, times: number) =>
    Array.from({ length: times }, () => nameOf(text));
  expect(namesOf("select 1", 4)).toEqual([undefined, undefined, "s0", "s0"]);
  expect(namesOf("select 2", 3).at(-1)).toBe("s1");
  expect(namesOf("select 3", 9).at(-1), "no name is left").toBeUndefined();
  expect(nameOf("select 1")).toBe("s0");
});

test("texts that are never repeated do not fill the counts", () => {
  const nameOf = statementNames();
  const names = Array.from({ length: 5_000 }, (_, i) => nameOf(`select ${i}`));
  expect(names.filter((name) => name !== undefined)).toEqual([]);
  expect([nameOf("select"), nameOf("select"), nameOf("select")].at(-1)).toBe("s0");
});

const kept = (tx: Transaction, mark: string) =>
  tx
    .execute<{ count: number }>(
      sql`select count(*)::int as count from pg_prepared_statements where statement like ${`%${mark}%`}`,
    )
    .then(({ rows }) => rows[0]?.count);

test("frequent statements of transactions are prepared, those of lists are not", async () => {
  const mark = (of: string) => sql.raw(`/* kept for ${of} */`);
  for (let i = 0; i < 4; i++) {
    await db.execute(sql`select ${i}::int ${mark("a list")}`);
    await preparedDb.execute(sql`select ${i}::int ${mark("a question")}`);
    await db.transaction((tx) => tx.execute(sql`select ${i}::int ${mark("a transaction")}`));
  }
  await db.transaction(async (tx) => {
    expect(await kept(tx, "kept for a list")).toBe(0);
    expect(await kept(tx, "kept for a question")).toBe(1);
    expect(await kept(tx, "kept for a transaction")).toBe(1);
  });
});

test("a statement that failed while it was prepared works the next time", async () => {
  const ask = (tx: Transaction, divisor: number) =>
    tx.execute(sql`select 12 / ${divisor}::int as result /* divides */`);
  for (const divisor of [1, 2, 0, 3, 0, 4])
    await db
      .transaction((tx) => ask(tx, divisor))
      .then(
        ({ rows }) => expect(rows).toEqual([{ result: Math.floor(12 / divisor) }]),
        () => expect(divisor).toBe(0),
      );
  // The transaction has failed already when the text is met for the third time.
  const late = (tx: Transaction) => tx.execute(sql`select ${1}::int as result /* late */`);
  await db.transaction(late);
  await db.transaction(late);
  await db
    .transaction(async (tx) => {
      await tx.execute(sql`select 1 / 0`).catch(() => undefined);
      await late(tx);
    })
    .then(
      () => expect(true, "it cannot succeed").toBe(false),
      () => undefined,
    );
  for (let i = 0; i < 2; i++) expect((await db.transaction(late)).rows).toEqual([{ result: 1 }]);
});

test("a migration under a running shop costs one attempt, not the connection", async () => {
  await db.execute(sql`create table migrated (id int, value int)`);
  const read = () =>
    db.transaction((tx) => tx.execute(sql`select value from migrated where id = ${1}`));
  await db.execute(sql`insert into migrated values (1, 7)`);
  for (let i = 0; i < 4; i++) expect((await read()).rows).toEqual([{ value: 7 }]);
  await db.execute(sql`alter table migrated alter column value type text`);
  await read().catch(({ cause }) => expect(cause.message).toContain("cached plan"));
  expect((await read()).rows).toEqual([{ value: "7" }]);
  await db.execute(sql`drop table migrated`);
});

test("a transaction with a lock timeout gives up waiting for a lock", async () => {
  const reason = await db.transaction(async (holder) => {
    await holder.execute(sql`select id from users order by id limit 1 for update`);
    return transactionWithLockTimeout(
      (tx) => tx.execute(sql`select id from users order by id limit 1 for update`),
      { seconds: 1 },
    ).then(
      () => null,
      ({ cause }) => cause.code,
    );
  });
  expect(reason).toBe("55P03");
  const setting = await db.transaction((tx) => tx.execute(sql`show lock_timeout`));
  expect(setting.rows).toEqual([{ lock_timeout: "0" }]);
});
