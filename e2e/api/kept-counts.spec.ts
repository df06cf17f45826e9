import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type SQL, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";
import type { Database } from "@/db";
import { migrateDatabase } from "@/db/migrate";
import { createRandom, type Random } from "@/db/seed/random";
import { listOrderSums } from "@/lib/dashboard/order-sums";
import { eurosFromCents } from "@/lib/money";
import { expect, test } from "../fixtures";
import { withOwnDatabase } from "../own-database";
import { countLockWaits } from "../table-lock";

// Values that the database keeps so that nothing has to count or look them up: the sums of orders by day,
// the number of products of each category and tag, the labels of each product, and the catalogue's lists.

type Connection = Pick<Database, "execute">;

const rowsOf = async <Row>(db: Connection, query: SQL) =>
  (await db.execute(query)) as unknown[] as Row[];

/** Differences between stored and actual counts. */
async function differences(db: Connection): Promise<unknown[]> {
  const pairs = [
    [
      sql`select day, sum(orders) as number, sum(total_cents) as cents from order_sums group by 1
        having sum(orders) <> 0 or sum(total_cents) <> 0`,
      sql`select (ordered_at at time zone 'Europe/Paris')::date, count(*), sum(total_cents - refunded_cents)
        from orders group by 1`,
    ],
    [
      sql`select kind::int, label_id, sum(products) as products from label_sizes group by 1, 2
        having sum(products) <> 0`,
      sql`select 1, category_id, count(*) from (
          select category_id, product_id from product_categories
          union select default_category_id, id from products) of_categories group by 2
        union all select 2, tag_id, count(*) from product_tags group by 2
        union all select 3, default_category_id, count(*) from products group by 2`,
    ],
    [
      sql`select id, category_ids, tag_ids from products`,
      sql`select id,
          array(select category_id from product_categories where product_id = id order by 1),
          array(select tag_id from product_tags where product_id = id order by 1)
        from products`,
    ],
    [
      sql`select kind::int, facet_id, is_digital, product_id, price_cents, created_at
        from product_listings`,
      sql`select kind, facet_id, type = 'digital', id, price_cents, created_at
        from (select 0 as kind, 0 as facet_id, id as product_id from products
          union select 1, category_id, product_id from product_categories
          union select 1, default_category_id, id from products
          union select 2, tag_id, product_id from product_tags) l
        join products p on p.id = l.product_id`,
    ],
  ] as const;
  const found = await Promise.all(
    pairs.flatMap(([kept, counted]) => [
      rowsOf(db, sql`(${kept}) except (${counted})`),
      rowsOf(db, sql`(${counted}) except (${kept})`),
    ]),
  );
  return found.flat();
}

/** Instants around midnight in Paris, which is 22:00 UTC in summer and 23:00 UTC in winter. */
const INSTANTS = [
  "2004-03-27T22:59:59Z",
  "2004-03-27T23:00:00Z",
  "2004-03-28T21:59:59.999Z",
  "2004-03-28T22:00:00Z",
  "2004-10-31T22:30:00Z",
  "2004-10-31T23:30:00Z",
];

let lastNumber = 0;

async function addOrder(db: Connection, { at, cents }: { at: string; cents: number }) {
  lastNumber += 1;
  const [order] = await rowsOf<{ id: number }>(
    db,
    sql`insert into orders (number, buyer_email, buyer_first_name, buyer_last_name, total_cents,
        shipping_street, shipping_city, shipping_postal_code,
        billing_street, billing_city, billing_postal_code, ordered_at)
      values (${`CMD-2004-${lastNumber}`}, 'a@exemple.test', 'A', 'B', ${cents},
        '1 rue', 'Lyon', '69003', '1 rue', 'Lyon', '69003', ${at}) returning id`,
  );
  return order?.id ?? 0;
}

interface Labels {
  categories: readonly number[];
  tags: readonly number[];
}

/** In plain SQL, because the tables may still be those of an earlier version. */
async function addProduct(
  db: Connection,
  { category, categories, tags }: { category: number } & Labels,
) {
  const [product] = await rowsOf<{ id: number }>(
    db,
    sql`insert into products (type, name, description, price_cents, default_category_id)
      values ('physical', 'Lampe', 'Elle éclaire.', 1000, ${category}) returning id`,
  );
  const id = product?.id ?? 0;
  await db.execute(sql`insert into product_categories (product_id, category_id)
    select ${id}, unnest(${sql.param(categories)}::int[])`);
  await db.execute(sql`insert into product_tags (product_id, tag_id)
    select ${id}, unnest(${sql.param(tags)}::int[])`);
  return id;
}

/** A writer that sometimes rolls back, and does not change other writers' rows. */
async function writeRandomly({
  database,
  random,
  categories,
  tags,
}: { database: Database; random: Random } & Labels): Promise<void> {
  let orderIds: number[] = [];
  let productIds: number[] = [];
  const some = (ids: readonly number[]) => ids.filter(() => random.chance(0.5));
  const acts: ((db: Database) => Promise<unknown>)[] = [
    async (db) => {
      const order = { at: random.pick(INSTANTS), cents: random.int(0, 90_000) };
      orderIds.push(await addOrder(db, order));
    },
    (db) =>
      db.execute(sql`update orders set total_cents = ${random.int(0, 90_000)},
        ordered_at = ${random.pick(INSTANTS)} where id = ${random.pick(orderIds)}`),
    (db) => db.execute(sql`delete from orders where id = ${random.pick(orderIds)}`),
    async (db) => {
      const category = random.pick(categories);
      const labels = { categories: some(categories), tags: some(tags) };
      productIds.push(await addProduct(db, { category, ...labels }));
    },
    (db) =>
      db.execute(sql`update products set default_category_id = ${random.pick(categories)},
        price_cents = ${random.int(0, 9_000)} where id = ${random.pick(productIds)}`),
    (db) =>
      db.execute(sql`insert into product_categories (product_id, category_id)
        select id, ${random.pick(categories)} from products where id = ${random.pick(productIds)}
        on conflict do nothing`),
    (db) => db.execute(sql`delete from product_tags where product_id = ${random.pick(productIds)}`),
    (db) => db.execute(sql`delete from products where id = ${random.pick(productIds)}`),
  ];
  for (const act of [0, 0, 3, 3]) await acts[act]?.(database);
  for (let i = 0; i < 30; i += 1) {
    const [orders, products] = [[...orderIds], [...productIds]];
    const givenUp = new Error("Given up.");
    await database
      .transaction(async (tx) => {
        const count = random.int(1, 5);
        for (let k = 0; k < count; k += 1) await random.pick(acts)(tx);
        if (random.chance(0.2)) throw givenUp;
      })
      .catch((error) => {
        if (error !== givenUp) throw error;
        [orderIds, productIds] = [orders, products];
      });
  }
}

/** Written without the factories, which know columns that older tables lack. */
async function createLabels(db: Database): Promise<Labels> {
  const idsOf = async (table: "categories" | "tags") =>
    (
      await rowsOf<{ id: number }>(
        db,
        sql`insert into ${sql.identifier(table)} (name)
          select 'Label ' || n from generate_series(1, 4) n returning id`,
      )
    ).map(({ id }) => id);
  return { categories: await idsOf("categories"), tags: await idsOf("tags") };
}

test("stored counts are exact after concurrent writes", async () => {
  await withOwnDatabase(
    async ({ database }) => {
      expect(await differences(database)).toEqual([]);
      const labels = await createLabels(database);
      await Promise.all(
        [1, 2, 3, 4].map((seed) =>
          writeRandomly({ database, random: createRandom(seed), ...labels }),
        ),
      );
      expect(await differences(database)).toEqual([]);
      await database.execute(sql`delete from tags where id = ${labels.tags[0]}`);
      await database.execute(
        sql`delete from products where default_category_id = ${labels.categories[0]}`,
      );
      expect(await differences(database)).toEqual([]);
      await database.execute(sql`truncate products, orders cascade`);
      expect(await differences(database)).toEqual([]);
      expect(await rowsOf(database, sql`select from order_sums`)).toEqual([]);
    },
    { connections: 4 },
  );
});

test("recounting during writes counts nothing twice", async () => {
  await withOwnDatabase(
    async ({ database }) => {
      const { categories, tags } = await createLabels(database);
      const [category = 0] = categories;
      const product = () => addProduct(database, { category, categories, tags });
      const order = () => addOrder(database, { at: "2004-06-01T12:00:00Z", cents: 100 });
      for (const [sums, recount, add] of [
        ["order_sums", "order_sums_recount", order],
        ["label_sizes", "label_sizes_recount", product],
      ] as const) {
        await add();
        let written = false;
        const waiting = () => countLockWaits(database);
        const acts: Promise<unknown>[] = [];
        await database.transaction(async (tx) => {
          // The lock stops the recount between its two statements.
          await tx.execute(sql`select from ${sql.identifier(sums)} for update`);
          acts.push(rowsOf(database, sql`select ${sql.identifier(recount)}()`));
          await expect.poll(waiting).toBe(1);
          acts.push(add().then(() => (written = true)));
          await expect.poll(async () => written || (await waiting()) === 2).toBe(true);
        });
        await Promise.all(acts);
        expect(await differences(database), sums).toEqual([]);
      }
    },
    { connections: 4 },
  );
});

test("concurrent changes of one product's labels lose nothing", async () => {
  await withOwnDatabase(
    async ({ database }) => {
      const { categories, tags } = await createLabels(database);
      const [category = 0, ...others] = categories;
      const id = await addProduct(database, { category, categories: [], tags });
      const relabel = (newCategory: number, index: number) =>
        database.transaction(async (tx) => {
          await tx.execute(sql`insert into product_categories values (${id}, ${newCategory})`);
          await tx.execute(sql`select pg_sleep(0.05)`);
          await tx.execute(sql`delete from product_tags where tag_id = ${tags[index]}`);
        });
      await Promise.all(others.map(relabel));
      expect(await differences(database)).toEqual([]);
      const [labels] = await rowsOf(
        database,
        sql`select category_ids, tag_ids from products where id = ${id}`,
      );
      expect(labels).toEqual({
        category_ids: others.toSorted((a, b) => a - b),
        tag_ids: tags.slice(others.length),
      });
    },
    { connections: 4 },
  );
});

test("writers do not block each other, and their changes add up", async () => {
  await withOwnDatabase(async ({ database }) => {
    await database.execute(sql`truncate orders cascade`);
    const order = { at: "2004-06-01T12:00:00Z", cents: 100 };
    await database.transaction(async (one) => {
      await database.transaction(async (other) => {
        // A transaction that waited for the other one would wait for ever. The timeouts turn that into a
        // failure.
        await other.execute(sql`set local lock_timeout = '2s'`);
        await one.execute(sql`set local lock_timeout = '2s'`);
        for (let i = 0; i < 100; i += 1) {
          await addOrder(one, order);
          await addOrder(other, order);
        }
      });
    });
    for (let i = 0; i < 200; i += 1) await addOrder(database, order);
    const rows = await rowsOf<{ orders: number }>(database, sql`select orders from order_sums`);
    expect(rows.reduce((sum, { orders }) => sum + orders, 0)).toBe(400);
    // One write in sixteen adds up the other rows. That none of the last two hundred does is practically
    // impossible.
    expect(rows.length).toBeLessThan(200);
  });
});

test("the migration counts existing orders and products", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "migrations-"));
  try {
    cpSync("db/migrations", folder, { recursive: true });
    const journalFile = path.join(folder, "meta/_journal.json");
    const journal = JSON.parse(readFileSync(journalFile, "utf8")) as { entries: { tag: string }[] };
    const before = journal.entries.filter(({ tag }) => tag < "0008");
    expect(before.length).toBe(8);
    writeFileSync(journalFile, JSON.stringify({ ...journal, entries: before }));

    await withOwnDatabase(async ({ database, url }) => {
      const name = `old_${new URL(url).pathname.slice(1)}`;
      await database.execute(sql.raw(`create database "${name}" template template0`));
      const oldUrl = Object.assign(new URL(url), { pathname: `/${name}` }).href;
      const client = postgres(oldUrl, { max: 4, onnotice: () => undefined });
      const old = drizzle({ client });
      try {
        await migrate(old, { migrationsFolder: folder });
        const labels = await createLabels(old);
        await writeRandomly({ database: old, random: createRandom(5), ...labels });
        const total = await rowsOf(old, sql`select from orders`);
        expect(total.length).toBeGreaterThan(0);
        await migrateDatabase({ url: oldUrl });
        expect(await differences(old)).toEqual([]);
        await writeRandomly({ database: old, random: createRandom(6), ...labels });
        expect(await differences(old)).toEqual([]);
      } finally {
        await client.end();
        await database.execute(sql.raw(`drop database "${name}"`));
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

type Bound = { day: string } | { instant: string };

test("totals of any range match its orders", async ({ database }) => {
  const random = createRandom(7);
  const hour = 3_600_000;
  const begin = Date.parse("2004-03-20T00:00:00Z");
  const instant = () => new Date(begin + random.int(0, 24 * 20) * hour).toISOString();
  for (let i = 0; i < 60; i += 1)
    await addOrder(database, { at: instant(), cents: random.int(0, 50_000) });
  const bound = (): Bound | undefined => {
    const at = instant();
    return [{ day: at.slice(0, 10) }, { instant: at }][random.int(0, 2)];
  };
  const date = sql`o.ordered_at`;
  const midnight = (day: SQL) => sql`(${day}::timestamp at time zone 'Europe/Paris')`;
  const isAfter = (of: Bound) =>
    "day" in of ? sql`${date} >= ${midnight(sql`${of.day}::date`)}` : sql`${date} >= ${of.instant}`;
  const isBefore = (of: Bound) =>
    "day" in of
      ? sql`${date} < ${midnight(sql`(${of.day}::date + 1)`)}`
      : sql`${date} <= ${of.instant}`;
  for (let i = 0; i < 60; i += 1) {
    const [after, before] = [bound(), bound()];
    const interval = random.pick(["day", "week", "month"] as const);
    const sums = await listOrderSums({ interval, "date[after]": after, "date[before]": before });
    const counted = await rowsOf<{ date: string; cents: string; count: number }>(
      database,
      sql`select to_char(date_trunc(${interval}, ${date} at time zone 'Europe/Paris'), 'YYYY-MM-DD')
          as date, sum(total_cents - refunded_cents)::text as cents, count(*)::int as count
        from orders o
        where ${after ? isAfter(after) : sql`true`} and ${before ? isBefore(before) : sql`true`}
        group by 1 order by 1`,
    );
    expect(sums, JSON.stringify({ interval, after, before })).toEqual(
      counted.map(({ date, cents, count }) => ({
        date,
        total: eurosFromCents(Number(cents)),
        count,
      })),
    );
  }
  await database.execute(sql`delete from orders where number like 'CMD-2004-%'`);
});
