import { type SQL, sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createCategory, createProduct } from "@/db/factories/catalogue";
import { createUser } from "@/db/factories/people";
import { adminOrders } from "@/lib/orders/admin";
import { adminReviews } from "@/lib/reviews/admin";
import { expect, test } from "../fixtures";

// The back office searches common words along a list and rare ones by their index
// (lib/backoffice/search.ts). Both ways must find the same as a look at every row.

const COUNT = 3_000;
const PAGE = 30;

interface Found {
  items: readonly { id: number }[];
  total: number;
  hasNext?: boolean;
}

async function idsOf(database: Database, query: SQL): Promise<number[]> {
  const rows = await database.execute<{ id: number }>(query);
  return rows.map(({ id }) => id);
}

/** Compares some pages of a list with its expected contents. */
async function expectPages({
  list,
  all,
  name,
}: {
  list: (page: number) => Promise<Found>;
  all: readonly number[];
  name: string;
}): Promise<void> {
  const last = Math.max(Math.ceil(all.length / PAGE), 1);
  for (const page of new Set([1, Math.min(2, last), last])) {
    const { items, total, hasNext } = await list(page);
    const end = page * PAGE;
    expect(
      items.map(({ id }) => id),
      `${name}, page ${page}`,
    ).toEqual(all.slice(end - PAGE, end));
    expect(hasNext, name).toBe(all.length > end);
    // The total of a common word is an estimate, except on the last page.
    if (page === last) expect(total, name).toBe(all.length);
    expect(total, name).toBeGreaterThanOrEqual(all.length / 4);
    expect(total, name).toBeLessThanOrEqual(all.length * 4);
  }
}

const matchesText = (text: SQL, word: string) => sql`search_normalise(${text}) like ${`%${word}%`}`;

test("orders are found by any of their words, in any order", async ({ database }) => {
  await database.execute(sql`
    insert into orders (number, buyer_email, buyer_first_name, buyer_last_name, total_cents,
      shipping_street, shipping_city, shipping_postal_code,
      billing_street, billing_city, billing_postal_code, ordered_at)
    select 'CMD-2005-' || i, 'acheteur' || i || '@exemple.test', 'Prénom' || i,
      case when i < 10 then 'Courant Autre' when i < 40 then 'Rarissime' when i % 3 = 0 then 'Courant' else 'Autre' end || ' d''Été',
      1000 + i * 37 % 900, '1 rue', 'Lyon', '69003', '1 rue', 'Lyon', '69003',
      timestamptz '2005-01-01T12:00Z' + i * interval '1 hour'
    from generate_series(1, ${COUNT}) i`);
  await database.execute(sql`analyze orders`);
  const range = { "date[after]": { day: "2005-01-01" }, "date[before]": { day: "2005-02-10" } };
  const sorts = [
    { query: {}, by: sql`id desc` },
    { query: { "order[total]": "asc" } as const, by: sql`total_cents, id` },
    { query: range, by: sql`ordered_at desc, id desc`, isFiltered: true },
    { query: { ...range, "order[id]": "asc" } as const, by: sql`id`, isFiltered: true },
  ];
  const searches = ["ete", "courant", "rarissime", "courant prenom29", "rarissime ete", "absent"];
  for (const search of searches)
    for (const { query, by, isFiltered } of sorts) {
      const words = search.split(" ").map((word) => sql`search_text like ${`%${word}%`}`);
      const all = await idsOf(
        database,
        sql`select id from orders where ${sql.join(words, sql` and `)}
          and ${isFiltered ? sql`ordered_at < timestamptz '2005-02-10T23:00Z' and ordered_at > '2005-01-01'` : sql`true`}
          order by ${by}`,
      );
      await expectPages({
        list: (page) => adminOrders.page({ page, itemsPerPage: PAGE, search, ...query }),
        all,
        name: `${search} ${JSON.stringify(query)}`,
      });
    }
  await database.execute(sql`delete from orders where number like 'CMD-2005-%'`);
});

/** Two common names, and one person with both. */
function lastNameOf(i: number): string {
  if (i === 41) return "Courantin Fréquentin";
  return i % 4 === 0 ? "Courantin" : i % 4 === 2 ? "Fréquentin" : `Personne${i}`;
}

test("reviews are found by content, author and product", async ({ database }) => {
  const category = await createCategory({ db: database });
  const people = await Promise.all(
    Array.from({ length: 45 }, (_, i) => createUser({ db: database, lastName: lastNameOf(i) })),
  );
  const things = await Promise.all(
    Array.from({ length: 70 }, (_, i) =>
      createProduct({
        db: database,
        name: i === 3 ? "Lampe rarissime" : `Objet numéro${i}`,
        defaultCategoryId: category.id,
      }),
    ),
  );
  const ids = (rows: readonly { id: number }[]) => sql.param(rows.map(({ id }) => id));
  await database.execute(sql`
    insert into reviews (product_id, user_id, rating, content, status)
    select p, u, 3, case when (p + u) % 5 = 0 then 'Très bien' else 'Correct' end, 'PENDING'
    from unnest(${ids(things)}::int[]) p cross join unnest(${ids(people)}::int[]) u`);
  await database.execute(sql`analyze users, reviews, products`);
  for (const search of [
    ...["correct", "courantin", "rarissime", "numero", "tres courantin", "bien lampe", "absent"],
    ...["courantin frequentin correct", "numero frequentin courantin bien"],
  ]) {
    const words = search.split(" ").map(
      (word) => sql`(${matchesText(sql`r.content`, word)} or ${matchesText(sql`p.name`, word)}
        or ${matchesText(sql`u.first_name || ' ' || u.last_name || ' ' || u.email`, word)})`,
    );
    const all = await idsOf(
      database,
      sql`select r.id from reviews r join products p on p.id = r.product_id
        join users u on u.id = r.user_id
        where ${sql.join(words, sql` and `)} order by r.id desc`,
    );
    await expectPages({
      list: (page) => adminReviews.page({ page, itemsPerPage: PAGE, search }),
      all,
      name: search,
    });
  }
  await database.execute(sql`delete from products where default_category_id = ${category.id}`);
});
