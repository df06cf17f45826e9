import { queryRows } from "@/bench/database";

// What counted stock costs a purchase: products with and without, in turn, so that whatever else the
// machine does meets both.

const ROUNDS = 4;
const STOCK = 900_000;

export interface CountedResult {
  /** Purchases per second. */
  counted: number;
  uncounted: number;
  ratio: number;
}

export async function measureCounted<Customer>({
  url,
  customers,
  seconds,
  buy,
}: {
  url: string;
  customers: readonly Customer[];
  /** Of each kind. */
  seconds: number;
  buy: (customer: Customer, productIds: readonly number[]) => Promise<void>;
}): Promise<CountedResult> {
  const products = await queryRows<{ id: number }>({
    url,
    sql: `select id from products where type = 'physical' and stock is null and price_cents >= 100
      order by id`,
  });
  const ids = products.map(({ id }) => id);
  const kinds = {
    counted: ids.filter((_, index) => index % 2 === 0),
    uncounted: ids.filter((_, index) => index % 2 === 1),
  };
  await queryRows({
    url,
    sql: `with counted as (
        update products set stock = $2::int where id = any($1::int[]) returning id
      )
      insert into stock_movements (product_id, kind, quantity, reason)
      select id, 'correction', $2::int, 'Inventaire' from counted`,
    values: [kinds.counted.map(String), STOCK],
  });
  const sums = { counted: { count: 0, ms: 0 }, uncounted: { count: 0, ms: 0 } };
  let purchases = 0;
  const round = async (kind: keyof typeof kinds, limit: number) => {
    const begin = performance.now();
    let count = 0;
    await Promise.all(
      customers.map(async (customer) => {
        while (performance.now() - begin < limit) {
          purchases += 1;
          const chosen = [purchases * 7, purchases * 7 + 31].map(
            (place) => kinds[kind][place % kinds[kind].length] ?? 1,
          );
          await buy(customer, chosen);
          count += 1;
        }
      }),
    );
    return { count, ms: performance.now() - begin };
  };
  for (let index = 0; index < ROUNDS; index++) {
    const order =
      index % 2 ? (["uncounted", "counted"] as const) : (["counted", "uncounted"] as const);
    for (const kind of order) {
      const { count, ms } = await round(kind, (seconds * 1000) / ROUNDS);
      sums[kind].count += count;
      sums[kind].ms += ms;
    }
  }
  const [wrong] = await queryRows<{ products: number }>({
    url,
    sql: `select count(*)::int as products from products p where p.stock is not null
      and p.stock <> (select sum(quantity) from stock_movements m where m.product_id = p.id)`,
  });
  if (wrong?.products !== 0) throw new Error("A stock is not the sum of its movements.");
  const rateOf = ({ count, ms }: { count: number; ms: number }) => count / (ms / 1000);
  const [counted, uncounted] = [rateOf(sums.counted), rateOf(sums.uncounted)];
  return { counted, uncounted, ratio: counted / uncounted };
}
