import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import { createProduct } from "@/db/factories/catalogue";
import { seedLargeCatalogue } from "@/db/seed/large";
import { verifyPassword } from "@/lib/auth/password";
import { expect, test } from "../fixtures";
import { withOwnDatabase } from "../own-database";

/** The rows of a query for inconsistencies. */
async function violations(database: Database, query: string): Promise<Record<string, unknown>[]> {
  return database.execute(sql.raw(query));
}

async function one<T>(database: Database, query: string): Promise<T> {
  const [row] = await violations(database, query);
  return row as T;
}

test("the demonstration shop is as its documentation says", async () => {
  await withOwnDatabase(async ({ database }) => {
    await test.step("has thirty customers, and the two demonstration accounts", async () => {
      const accounts = await violations(
        database,
        "select email, password_hash, roles, is_verified from users where email like '%@mini-ecommerce.test' order by id",
      );
      expect(accounts).toMatchObject([
        {
          email: "admin@mini-ecommerce.test",
          roles: ["ROLE_USER", "ROLE_ADMIN"],
          is_verified: true,
        },
        { email: "client@mini-ecommerce.test", roles: ["ROLE_USER"], is_verified: true },
      ]);
      const passwords = ["Admin-2026!", "Client-2026!"];
      for (const [index, { password_hash }] of accounts.entries()) {
        const hash = String(password_hash);
        const password = passwords[index] ?? "";
        expect(await verifyPassword({ hash, password })).toBe(true);
      }
      const people = await one<{ customers: number }>(
        database,
        "select count(*)::int as customers from users where not 'ROLE_ADMIN' = any(roles)",
      );
      expect(people.customers).toBe(30);
    });

    await test.step("gives the demonstration customer every kind of data", async () => {
      const client = "(select id from users where email = 'client@mini-ecommerce.test')";
      const holds = await one(
        database,
        `select
          (select count(*)::int from addresses where user_id = ${client} and is_default) as shipping,
          (select count(*)::int from addresses where user_id = ${client} and is_default_billing) as billing,
          (select array_agg(distinct product_type order by product_type) from order_lines l
             join orders o on o.id = l.order_id where o.user_id = ${client}) as bought,
          (select array_agg(distinct status order by status) from reviews where user_id = ${client}) as reviews,
          (select count(*)::int from orders o where o.user_id = ${client}
             and not exists (select from invoices i where i.order_id = o.id)) as uninvoiced`,
      );
      expect(holds).toEqual({
        shipping: 1,
        billing: 1,
        bought: ["digital", "physical"],
        reviews: ["PENDING", "REJECTED", "VALIDATED"],
        uninvoiced: 0,
      });
    });

    await test.step("numbers orders, invoices and credit notes by year, without gaps, in order of their dates", async () => {
      for (const [table, kind, prefix, date] of [
        ["orders", "order", "CMD", "ordered_at"],
        ["invoices", "invoice", "FA", "issued_at"],
        ["credit_notes", "credit-note", "AV", "issued_at"],
      ] as const) {
        const misnumbered = await violations(
          database,
          `with expected as (
             select id, number, '${prefix}-' || year || '-' || lpad(n::text, 6, '0') as should_be
             from (select id, number, year, row_number() over (partition by year order by ${date}, id) as n
                   from (select *, extract(year from ${date} at time zone 'Europe/Paris')::int as year from ${table}) dated) numbered)
           select * from expected where number <> should_be`,
        );
        expect(misnumbered).toEqual([]);
        const counters = await violations(
          database,
          `select c.year from document_numbers c where c.kind = '${kind}' and c.last_number <>
             (select count(*) from ${table} where number like '${prefix}-' || c.year || '-%')`,
        );
        expect(counters).toEqual([]);
      }
      const { orders } = await one<{ orders: number }>(
        database,
        "select count(*)::int as orders from orders",
      );
      expect(orders).toBeGreaterThanOrEqual(150);
    });

    await test.step("is consistent: totals, pieces sold, ratings, reviews by buyers alone", async () => {
      const rules = {
        "an order's total is that of its lines": `select id from orders o where total_cents <>
          (select sum(unit_price_cents * quantity) from order_lines l where l.order_id = o.id)`,
        "an invoice's total is its order's": `select i.id from invoices i join orders o on o.id = i.order_id
          where i.total_cents <> o.total_cents or i.payment_id <> o.payment_intent_id`,
        "pieces sold are those of the order lines": `select id from products p where sales_count <>
          coalesce((select sum(quantity) from order_lines l where l.product_id = p.id), 0)`,
        "ratings count validated reviews": `select id from products p where (rating_count, rating_sum) <>
          (select count(*), coalesce(sum(rating), 0) from reviews r where r.product_id = p.id and status = 'VALIDATED')`,
        "reviewers bought the product before": `select id from reviews r where not exists (
          select from orders o join order_lines l on l.order_id = o.id
          where o.user_id = r.user_id and l.product_id = r.product_id
            and o.ordered_at = r.purchased_at and o.ordered_at < r.published_at)`,
        "a rejected review says why": `select id from reviews where (status = 'REJECTED') <> (rejection_reason is not null)`,
        "reviews are long enough": `select id from reviews where char_length(content) < 10 or rating not between 1 and 5`,
        "no text stands twice": `select content from reviews group by content having count(*) > 1`,
        "nobody buys the same file twice": `select o.user_id, l.product_id from order_lines l join orders o on o.id = l.order_id
          where l.product_type = 'digital' group by 1, 2 having count(*) > 1 or sum(l.quantity) > 1`,
        "nothing is bought before it is sold": `select l.id from order_lines l join orders o on o.id = l.order_id
          join products p on p.id = l.product_id where p.created_at > o.ordered_at`,
        "nobody buys before they have an account": `select o.id from orders o join users u on u.id = o.user_id
          where u.created_at > o.ordered_at or not u.is_verified or u.deleted_at < o.ordered_at`,
        "nothing lies in the future": `select id from orders where ordered_at > now()
          union all select id from reviews where published_at > now() union all select id from products where created_at > now()`,
        "what has left is in a parcel, and files are there at once": `select l.id from order_lines l where shipped_quantity <>
          case product_type when 'digital' then quantity else coalesce((select sum(s.quantity) from shipment_lines s where s.order_line_id = l.id), 0) end`,
        "an order's state follows from what has left": `select id, status from (
            select o.id, o.status, o.delivered_at, bool_or(l.product_type = 'physical' and l.shipped_quantity > 0) as has_left,
              bool_and(l.shipped_quantity = l.quantity) as whole
            from orders o join order_lines l on l.order_id = o.id group by o.id) states
          where whole <> (status in ('shipped', 'delivered')) or (status in ('paid', 'cancelled') and has_left)
            or (status = 'delivered') <> (delivered_at is not null)`,
        "a parcel leaves after the order, and arrives after it has left": `select s.id from shipments s join orders o on o.id = s.order_id
          where s.shipped_at < o.ordered_at or s.shipped_at > now() or s.delivered_at < s.shipped_at or s.delivered_at > now()`,
        "what was given back is the sum of the refunds": `select id from orders o where refunded_cents > total_cents or refunded_cents <>
          coalesce((select sum(amount_cents) from refunds r where r.order_id = o.id and status = 'succeeded'), 0)`,
        "a refund has a credit note of its amount": `select r.id from refunds r left join credit_notes n on n.refund_id = r.id
          where n.total_cents is distinct from r.amount_cents or r.amount_cents <>
            (select sum((line->>'quantity')::int * (line->>'unitPriceCents')::int) from jsonb_array_elements(n.snapshot->'lines') line)`,
        "a cancelled order was given back as a whole": `select id from orders where (status = 'cancelled') <> (cancelled_at is not null)
          or (status = 'cancelled' and refunded_cents <> total_cents)`,
        "a withdrawal was refunded in time": `select w.id from withdrawals w join orders o on o.id = w.order_id
          where w.created_at < o.ordered_at or w.created_at > o.ordered_at + interval '44 days' or w.refund_by < now() and w.state = 'received'
            or w.state = 'refunded' and (o.refunded_cents = 0 or w.settled_at not between w.created_at and w.refund_by)`,
        "a default category is one of the categories": `select id from products p where not exists
          (select from product_categories c where c.product_id = p.id and c.category_id = p.default_category_id)`,
      };
      for (const [rule, query] of Object.entries(rules)) {
        expect(await violations(database, query), rule).toEqual([]);
      }
      const { states } = await one<{ states: string[] }>(
        database,
        "select array_agg(distinct status order by status) as states from reviews",
      );
      expect(states).toEqual(["PENDING", "REJECTED", "VALIDATED"]);
      const sales = await one<Record<string, unknown>>(
        database,
        `select (select array_agg(distinct status order by status) from orders) as orders,
          (select count(*)::int from orders o where status = 'preparing'
             and exists (select from shipments s where s.order_id = o.id)) as parts,
          (select array_agg(state order by state) from withdrawals) as withdrawals,
          (select count(*)::int from refunds r where not exists (select from refund_lines l where l.refund_id = r.id)) as goodwills,
          (select count(*)::int from refunds) as refunds`,
      );
      expect(sales).toEqual({
        orders: ["cancelled", "delivered", "paid", "preparing", "shipped"],
        parts: 1,
        withdrawals: ["received", "refunded"],
        goodwills: 1,
        refunds: 4,
      });
    });
  });
});

test.describe("the large catalogue", () => {
  /** Enough for the indexes to be dropped and rebuilt. */
  const PRODUCTS = 21_000;

  const structure = (database: Database) =>
    violations(
      database,
      `select indexdef as definition from pg_indexes where schemaname = 'public'
       union all select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid))
         from pg_constraint where connamespace = 'public'::regnamespace
       union all select concat_ws(' ', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
       order by 1`,
    );

  test("contains what the triggers would have written, and leaves the schema unchanged", async () => {
    test.slow();
    await withOwnDatabase(async ({ database, url }) => {
      const expectSame = async (stored: string, expected: string) =>
        expect(
          await violations(
            database,
            `(select * from (${stored} except all ${expected}) more limit 5)
             union all (select * from (${expected} except all ${stored}) less limit 5)`,
          ),
        ).toEqual([]);
      const before = await structure(database);
      const added = await seedLargeCatalogue({ url, products: PRODUCTS, log: () => undefined });
      expect(added).toBe(PRODUCTS - 60);
      expect(await one(database, "select count(*)::int as total from products")).toEqual({
        total: PRODUCTS,
      });
      expect(await structure(database)).toEqual(before);
      await expectSame(
        "select kind::int, facet_id, is_digital, product_id, price_cents, created_at from product_listings",
        `select l.kind, l.facet_id, p.type = 'digital', p.id, p.price_cents, p.created_at
         from (select 0 as kind, 0 as facet_id, id as product_id from products
               union select 1, category_id, product_id from product_categories
               union select 1, default_category_id, id from products
               union select 2, tag_id, product_id from product_tags) l
         join products p on p.id = l.product_id`,
      );
      await expectSame(
        "select kind::int, label_id, sum(products)::int from label_sizes group by 1, 2",
        `(select kind::int, facet_id, count(*)::int from product_listings where kind > 0 group by 1, 2
          union all select 3, default_category_id, count(*)::int from products group by 2)`,
      );
      // The vocabulary, computed again from the rows.
      await expectSame(
        "select word, lexeme, in_name from search_words",
        `select w.word, w.lexeme, bool_or(t.named)
         from (select distinct name || coalesce(' ' || brand, '') as text, true as named from products
               union all select distinct description, false from products) t
         cross join lateral search_words_of(t.text) w group by 1, 2`,
      );

      // A later insert gets the next ids, and the triggers are enabled.
      const product = await createProduct({ db: database, name: "Xylophone inédit" });
      const traces = await one(
        database,
        `select (select count(*)::int from product_listings where product_id = ${product.id}) as listings,
                (select in_name from search_words where word = 'xylophone') as word`,
      );
      expect(traces).toEqual({ listings: 2, word: true });
    });
  });

  test("is deterministic, with rare and common words", async () => {
    test.slow();
    const digests: unknown[] = [];
    for (let round = 0; round < 2; round += 1)
      await withOwnDatabase(async ({ database, url }) => {
        const now = new Date("2026-11-20T12:00:00Z");
        const options = { url, now, products: 3_000, log: () => undefined };
        await seedLargeCatalogue(options);
        expect(await seedLargeCatalogue(options)).toBe(0);
        digests.push(
          await one(
            database,
            `select md5(string_agg(concat_ws('|', id, name, price_cents, created_at, sales_count, rating_sum), ';' order by id))
             from products where id > 60`,
          ),
        );
        const matches = (word: string) =>
          `(select count(*)::int from products where search_vector @@ plainto_tsquery('french', '${word}'))`;
        const words = await one<{ frequent: number; rare: number; unpriced: number }>(
          database,
          `select ${matches("bleu")} as frequent, ${matches("guilloche")} as rare,
             (select count(*)::int from products where price_cents < 200) as unpriced`,
        );
        expect(words.frequent).toBeGreaterThan(20 * Math.max(1, words.rare));
        expect(words.unpriced).toBe(0);
      });
    expect(digests[0]).toEqual(digests[1]);
  });
});
