import { expect } from "@playwright/test";
import { sql } from "drizzle-orm";
import type { Database } from "@/db";
import type { InvoiceSnapshot, VatAmounts } from "@/db/schema/invoices";
import { sumOfLines, vatByRate, vatOf, vatTotals } from "@/lib/invoices/rules";
import type { Cards } from "./cards";

/** Every cent in the books of a shop and its payment provider. */
export interface Balance {
  /** Payments that the provider has taken, except those refunded because they have no order. */
  keptPayments: number;
  keptCents: number;
  refundedPayments: number;
  refundedCents: number;
  /** Orders of the shop that belong to a payment. */
  orders: number;
  orderCents: number;
  /** Order lines plus shipping. */
  lineCents: number;
  invoices: number;
  /** Totals as issued, before any corrections by admins. */
  invoiceCents: number;
  /** Orders of erased accounts, whose checkouts and mails were erased too. */
  erasedBuyers: number;
  /** Completed checkouts that have an order. */
  completed: number;
  /** Payments that the shop still has to refund, and undecided refunds. */
  unsettled: number;
  /** Successful refunds of orders, and their credit notes. */
  orderRefunds: number;
  orderRefundCents: number;
  creditNotes: number;
  creditNoteCents: number;
  /** The sum of the refunds that is kept on orders. Refunds of deleted orders are missing from it. */
  countedRefundCents: number;
  creditNoteMails: number;
  /** Payments of orders whose refunded amount differs between the provider and the shop. */
  mismatches: string[];
  /** Order confirmation mails. */
  confirmations: number;
  refundMails: number;
}

type Sums = Omit<
  Balance,
  "keptPayments" | "keptCents" | "refundedPayments" | "refundedCents" | "mismatches"
>;

/**
 * The shop's side in one query: orders, invoices and mails for the payments in this provider's books.
 */
async function sumsOf(db: Database, payments: readonly string[]): Promise<Sums> {
  const rows = await db.execute<Record<keyof Sums, string>>(sql`
    with paid as (select id from unnest(${sql.param([...payments])}::text[]) as id),
    paid_orders as (select o.* from orders o join paid on paid.id = o.payment_intent_id),
    invoiced as (
      select i.id, coalesce((select (v.content->>'totalCents')::int from invoice_versions v
          where v.invoice_id = i.id order by v.version limit 1), i.total_cents) as total_cents
      from invoices i join paid on paid.id = i.payment_id where i.source = 'checkout'
    ),
    given as (
      select r.* from refunds r join paid on paid.id = r.payment_intent_id
      where r.status = 'succeeded'
    ),
    credited as (select c.* from credit_notes c join given g on g.id = c.refund_id)
    select (select count(*) from paid_orders) as orders,
      (select coalesce(sum(total_cents), 0) from paid_orders) as "orderCents",
      (select coalesce(sum(l.unit_price_cents * l.quantity), 0)
        from order_lines l join paid_orders b on b.id = l.order_id)
        + (select coalesce(sum(shipping_cents), 0) from paid_orders) as "lineCents",
      (select count(*) from invoiced) as invoices,
      (select coalesce(sum(total_cents), 0) from invoiced) as "invoiceCents",
      (select count(*) from paid_orders where user_id is null) as "erasedBuyers",
      (select count(*) from checkouts c join paid_orders b on b.id = c.order_id
        where c.status = 'completed' and c.total_cents = b.total_cents) as completed,
      (select count(*) from payment_closures where settled_at is null)
        + (select count(*) from refunds r join paid on paid.id = r.payment_intent_id
          where r.status = 'pending') as unsettled,
      (select count(*) from given) as "orderRefunds",
      (select coalesce(sum(amount_cents), 0) from given) as "orderRefundCents",
      (select count(*) from credited) as "creditNotes",
      (select coalesce(sum(total_cents), 0) from credited) as "creditNoteCents",
      (select coalesce(sum(refunded_cents), 0) from paid_orders) as "countedRefundCents",
      (select count(*) from mail_outbox m join credited c
        on m.dedupe_key = 'credit-note:' || c.id) as "creditNoteMails",
      (select count(*) from mail_outbox m join paid_orders b
        on m.dedupe_key = 'order-confirmation:' || b.id) as confirmations,
      (select count(*) from mail_outbox m join paid
        on m.dedupe_key = 'payment-refunded:' || paid.id) as "refundMails"`);
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  ) as unknown as Sums;
}

/** Cents that the shop has refunded, by payment. */
async function refundedByShop(
  db: Database,
): Promise<Map<string, { cents: number; isOrdered: boolean }>> {
  const rows = await db.execute<{ id: string; cents: number; isOrdered: boolean }>(sql`
    select p.id, coalesce((select sum(amount_cents) from refunds r
        where r.payment_intent_id = p.id and r.status = 'succeeded'), 0)::int as cents,
      exists (select from orders o where o.payment_intent_id = p.id) as "isOrdered"
    from (select payment_intent_id as id from orders where payment_intent_id is not null
      union select payment_intent_id from refunds) p`);
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/**
 * Errors in credit notes: lines that do not add up to the total, and VAT rates at which more is credited
 * than was invoiced, or with a wrong part without VAT. Compares with the invoice as it was issued.
 */
export async function brokenCreditNotes(db: Database): Promise<string[]> {
  const rows = await db.execute<{ invoice: InvoiceSnapshot; notes: CreditNote[] }>(sql`
    select coalesce((select v.content->'snapshot' from invoice_versions v
        where v.invoice_id = i.id order by v.version limit 1), i.snapshot) as invoice,
      json_agg(json_build_object('number', c.number, 'cents', c.total_cents, 'snapshot', c.snapshot)
        order by c.id) as notes
    from invoices i join credit_notes c on c.invoice_id = i.id group by i.id`);
  return rows.flatMap(({ invoice, notes }) => [
    ...notes.flatMap(({ number, cents, snapshot }) => {
      const sums = [sumOfLines(snapshot.lines), vatTotals(vatOf(snapshot)).grossCents];
      return sums.every((sum) => sum === cents) ? [] : [`${number}: ${sums} of ${cents}`];
    }),
    ...brokenRates(vatByRate(invoice.lines), notes).map(
      (problem) => `${notes[0]?.snapshot.invoice?.number} at ${problem}`,
    ),
  ]);
}

interface CreditNote {
  number: string;
  cents: number;
  snapshot: InvoiceSnapshot & { invoice: { number: string } | null };
}

/** The VAT rates at which the credit notes do not match the invoice. */
function brokenRates(invoiced: readonly VatAmounts[], notes: readonly CreditNote[]): string[] {
  const credited = notes.flatMap(({ snapshot }) => vatOf(snapshot));
  return [...new Set(credited.map(({ vatRateBp }) => vatRateBp))].flatMap((vatRateBp) => {
    const isOfRate = (amounts: VatAmounts) => amounts.vatRateBp === vatRateBp;
    const had = vatTotals(invoiced.filter(isOfRate));
    const given = vatTotals(credited.filter(isOfRate));
    const isAll = given.grossCents === had.grossCents;
    const exactNet = isAll ? had.netCents : (given.grossCents * 10_000) / (10_000 + vatRateBp);
    const isRight =
      given.grossCents <= had.grossCents &&
      given.netCents + given.vatCents === given.grossCents &&
      Math.abs(given.netCents - exactNet) <= (isAll ? 0 : 0.5);
    return isRight ? [] : [`${vatRateBp}: ${JSON.stringify({ given, had })}`];
  });
}

/** The books of the shop and of its payment provider. */
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
  const byShop = await refundedByShop(database);
  const givenBack = ({ refunded, disputed }: (typeof payments)[number]) => refunded + disputed;
  // A refund of an order does not undo its payment.
  const keptOf = (payment: (typeof payments)[number]) =>
    payment.taken - givenBack(payment) + (byShop.get(payment.id)?.cents ?? 0);
  const kept = payments.filter((payment) => keptOf(payment) > 0);
  const refunded = payments.filter((payment) => payment.refunded > 0);
  const ids = payments.map(({ id }) => id);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    keptPayments: kept.length,
    keptCents: sum(kept.map(keptOf)),
    refundedPayments: refunded.length,
    refundedCents: sum(refunded.map((payment) => payment.refunded)),
    mismatches: payments
      .filter((payment) => {
        const known = byShop.get(payment.id);
        return known?.isOrdered && known.cents !== givenBack(payment);
      })
      .map(({ id }) => id),
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
      union all select 'credit-note', number from credit_notes
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

/** The difference to an earlier balance. */
function changeSince({ mismatches, ...total }: Balance, since: Balance): Balance {
  const sums = Object.entries(total).map(([name, value]) => [
    name,
    value - Number(since[name as keyof Balance]),
  ]);
  return {
    ...(Object.fromEntries(sums) as typeof total),
    mismatches: mismatches.filter((id) => !since.mismatches.includes(id)),
  };
}

/**
 * Prints the books of both sides and expects that they agree: as many orders and invoices as
 * payments that were kept, the same cents everywhere, every mail once, no number missing; and that
 * payments − refunds = invoices − credit notes, with VAT and without it at each rate.
 */
export async function expectBalance(options: {
  database: Database;
  cards: Cards;
  /** For messages. */
  title: string;
  /** The expected number of orders, if the test knows it. */
  orders?: number;
  /** No other test uses this database, so no order was deleted either. */
  isAlone?: boolean;
  /** The balance after earlier tests: only later changes are compared. */
  since?: Balance;
}): Promise<Balance> {
  const { database, title, since } = options;
  const total = await balanceOf(options);
  const balance = since ? changeSince(total, since) : total;
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
  const { orderRefunds, orderRefundCents } = balance;
  expect(balance, title).toMatchObject({
    creditNotes: orderRefunds,
    creditNoteCents: orderRefundCents,
    mismatches: [],
  });
  // The mails of erased accounts were erased too.
  if (erasedBuyers === 0) expect(balance.creditNoteMails, title).toBe(orderRefunds);
  if (options.isAlone) expect(balance.countedRefundCents, title).toBe(orderRefundCents);
  expect(await brokenCreditNotes(database), title).toEqual([]);
  if (options.orders !== undefined) expect(balance.orders, title).toBe(options.orders);
  const kinds = options.isAlone ? ["order", "invoice", "credit-note"] : ["invoice", "credit-note"];
  expect(await brokenNumbers(database, { kinds }), title).toEqual([]);
  return balance;
}
