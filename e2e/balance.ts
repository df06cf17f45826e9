import { expect } from "@playwright/test";
import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import type { Cards } from "./cards";

/** Every cent in the books of a shop and its payment provider. */
export interface Balance {
  /** Payments of the provider's books that were taken and not given back. */
  keptPayments: number;
  keptCents: number;
  refundedPayments: number;
  refundedCents: number;
  /** Orders of the shop that belong to a payment. */
  orders: number;
  orderCents: number;
  /** The lines and the shipping. */
  lineCents: number;
  invoices: number;
  invoiceCents: number;
  /** Orders of erased accounts, whose checkout and mail were erased, too. */
  erasedBuyers: number;
  /** Completed checkouts with their order. */
  completed: number;
  /** Payments that the shop still has to give back. */
  unsettled: number;
  /** Confirmations by mail. */
  confirmations: number;
  refundMails: number;
}

type Sums = Omit<Balance, "keptPayments" | "keptCents" | "refundedPayments" | "refundedCents">;

/**
 * The shop's side in one query: orders, invoices and mails for the payments in this provider's books.
 */
async function sumsOf(db: Database, payments: readonly string[]): Promise<Sums> {
  const rows = await db.execute<Record<keyof Sums, string>>(sql`
    with paid as (select id from unnest(${sql.param([...payments])}::text[]) as id),
    bought as (select o.* from orders o join paid on paid.id = o.payment_intent_id),
    billed as (
      select i.* from invoices i join paid on paid.id = i.payment_id where i.source = 'checkout'
    )
    select (select count(*) from bought) as orders,
      (select coalesce(sum(total_cents), 0) from bought) as "orderCents",
      (select coalesce(sum(l.unit_price_cents * l.quantity), 0)
        from order_lines l join bought b on b.id = l.order_id)
        + (select coalesce(sum(shipping_cents), 0) from bought) as "lineCents",
      (select count(*) from billed) as invoices,
      (select coalesce(sum(total_cents), 0) from billed) as "invoiceCents",
      (select count(*) from bought where user_id is null) as "erasedBuyers",
      (select count(*) from checkouts c join bought b on b.id = c.order_id
        where c.status = 'completed' and c.total_cents = b.total_cents) as completed,
      (select count(*) from payment_closures where settled_at is null) as unsettled,
      (select count(*) from mail_outbox m join bought b
        on m.dedupe_key = 'order-confirmation:' || b.id) as confirmations,
      (select count(*) from mail_outbox m join paid
        on m.dedupe_key = 'payment-refunded:' || paid.id) as "refundMails"`);
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Sums;
}

/** Both sides' books. */
export async function balanceOf({
  database,
  cards,
}: {
  database: Database;
  cards: Cards;
}): Promise<Balance> {
  // Others may use the same account at the provider.
  const payments = (await cards.books()).payments.filter(({ metadata }) =>
    metadata.shop?.startsWith("http://127.0.0.1:"),
  );
  const kept = payments.filter(({ taken, refunded }) => taken > refunded);
  const refunded = payments.filter((payment) => payment.refunded > 0);
  const ids = payments.map(({ id }) => id);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    keptPayments: kept.length,
    keptCents: sum(kept.map((payment) => payment.taken - payment.refunded)),
    refundedPayments: refunded.length,
    refundedCents: sum(refunded.map((payment) => payment.refunded)),
    ...(await sumsOf(database, ids)),
  };
}

/**
 * The years in which numbers of orders or invoices are missing or duplicate. Administrators may delete
 * orders; invoices stay, in the archive.
 */
async function brokenNumbers(
  db: Database,
  { kinds }: { kinds: readonly string[] },
): Promise<string[]> {
  const rows = await db.execute<{ problem: string }>(sql`
    with given as (
      select 'order' as kind, number from orders union all select 'invoice', number from invoices
    ), parts as (
      select kind, split_part(number, '-', 2)::int as year, split_part(number, '-', 3)::int as rank
      from given
    ), counted as (
      select kind, year, count(*) as rows, count(distinct rank) as ranks, min(rank) as first,
        max(rank) as last
      from parts group by kind, year
    )
    select kind || ' ' || year || ': ' || rows || ' rows, ' || first || ' to ' || c.last
      || ', last given ' || n.last_number as problem
    from counted c join document_numbers n using (kind, year)
    where kind = any(${sql.param([...kinds])}::text[]) and (rows <> ranks or first <> 1 or c.last <> ranks or n.last_number <> c.last)`);
  return rows.map(({ problem }) => problem);
}

/**
 * Prints the books of both sides and expects that they agree: as many orders and invoices as
 * payments that were kept, the same cents everywhere, every mail once, no number missing.
 */
export async function expectBalance(options: {
  database: Database;
  cards: Cards;
  /** For messages. */
  title: string;
  /** How many orders there must be, where the test knows. */
  orders?: number;
  /** Nobody else works on this database: then no order was deleted, either. */
  isAlone?: boolean;
}): Promise<Balance> {
  const { database, title } = options;
  const balance = await balanceOf(options);
  console.log(`Balance, ${title}: ${JSON.stringify(balance)}`);
  const { keptPayments, keptCents, erasedBuyers } = balance;
  expect(balance, title).toMatchObject({
    orders: keptPayments,
    invoices: keptPayments,
    completed: keptPayments - erasedBuyers,
    confirmations: keptPayments - erasedBuyers,
    orderCents: keptCents,
    lineCents: keptCents,
    invoiceCents: keptCents,
    unsettled: 0,
  });
  if (options.orders !== undefined) expect(balance.orders, title).toBe(options.orders);
  const kinds = options.isAlone ? ["order", "invoice"] : ["invoice"];
  expect(await brokenNumbers(database, { kinds }), title).toEqual([]);
  return balance;
}
