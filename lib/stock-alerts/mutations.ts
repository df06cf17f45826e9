import { and, eq, or, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { deleteInBatches } from "@/db/delete-in-batches";
import { products } from "@/db/schema/catalogue";
import { stockAlerts } from "@/db/schema/stock-alerts";
import { accountKey, type LinkAttempt, tryLink } from "@/lib/auth/attempts";
import { holdsEmail } from "@/lib/auth/email-forms";
import { hideDuration } from "@/lib/auth/hide-duration";
import { createMailedToken, digestOf } from "@/lib/auth/mailed-token";
import { fail } from "@/lib/errors/failure";
import { rateLimiter } from "@/lib/http/rate-limit";
import { CONFIRMATION_LIFETIME } from "@/lib/mail/link-lifetimes";
import { enqueueMail } from "@/lib/mail/outbox";
import { UNKNOWN_PRODUCT } from "./texts";

// An alert is requested on a product's page, confirmed by a mailed link, and deleted in the transaction that
// writes its mail, once the product is back in stock.

/** Days that a confirmed alert is kept while the product does not come back. */
const RETENTION_DAYS = 365;

/** Seconds in which the same request again sends no second mail: a double click, a lost response. */
const REPEAT_SECONDS = 600;

/** Alerts per round, and so mails per transaction. */
const BATCH_SIZE = 50;

// Each request may send a mail to an address that its sender only claims to own.
const requestsPerNetwork = rateLimiter({
  name: "stock-alert-network",
  points: 20,
  duration: 3600,
});
const requestsPerAddress = rateLimiter({
  name: "stock-alert-address",
  points: 5,
  duration: 24 * 3600,
});

/**
 * Mails a link that confirms an alert. The response and its duration are the same whether the address has
 * asked before or not; an address whose alert is confirmed gets no further mail.
 *
 * A product that is available is accepted, too: it may have come back a moment ago, and the confirmed address then gets
 * the mail that says so.
 *
 * @throws 404 for an unknown product, 429
 */
export async function requestStockAlert({
  productId,
  email,
  network,
}: {
  productId: number;
  email: string;
  network: string;
}): Promise<void> {
  const [product] = await db
    .select({ id: products.id })
    .from(products)
    .where(and(eq(products.id, productId), eq(products.status, "active")));
  if (!product) throw fail.notFound(UNKNOWN_PRODUCT);
  await requestsPerNetwork.consume(network);
  await requestsPerAddress.consume(accountKey(email));
  await hideDuration(mailConfirmation({ productId, email }));
}

async function mailConfirmation({
  productId,
  email,
}: {
  productId: number;
  email: string;
}): Promise<void> {
  const token = createMailedToken();
  await db.transaction(async (tx) => {
    // The lock waits for a concurrent deletion of the product.
    const [product] = await tx
      .select({ name: products.name })
      .from(products)
      .where(eq(products.id, productId))
      .for("key share");
    if (!product) return;
    // Of concurrent requests, the first one writes the row and sends the mail.
    const [written] = await tx.execute<{ email: string }>(sql`
      insert into stock_alerts (product_id, email, token_hash)
      values (${productId}, ${email}, ${digestOf(token)})
      on conflict (product_id, lower(email)) do update
        set token_hash = excluded.token_hash, mailed_at = now()
        where stock_alerts.confirmed_at is null
          and stock_alerts.mailed_at < now() - make_interval(secs => ${REPEAT_SECONDS})
      returning email`);
    if (!written) return;
    await enqueueMail(tx, {
      template: "stock-alert-confirmation",
      data: { token, product: product.name },
      to: written.email,
    });
  });
}

/** The condition that an unconfirmed alert's link is still valid. */
const isLinkValid = sql`${stockAlerts.mailedAt} > now() - make_interval(secs => ${CONFIRMATION_LIFETIME})`;

/** Without the product if it is not on sale any more. */
export type ConfirmedAlert = { product: { id: number; name: string } | null };

/**
 * Confirms an alert with a mailed token. Idempotent, since mail scanners open links, too.
 *
 * @returns null for a token that is unknown, too old, or whose alert was sent or cancelled
 * @throws 429 after too many wrong tokens
 */
export async function confirmStockAlert(link: LinkAttempt): Promise<ConfirmedAlert | null> {
  return (await tryLink(link, openLink)) || null;
}

async function openLink(token: string): Promise<ConfirmedAlert | false> {
  const [alert] = await db
    .update(stockAlerts)
    .set({ confirmedAt: sql`coalesce(${stockAlerts.confirmedAt}, now())` })
    .from(products)
    .where(
      and(
        eq(stockAlerts.tokenHash, digestOf(token)),
        eq(products.id, stockAlerts.productId),
        or(sql`${stockAlerts.confirmedAt} is not null`, isLinkValid),
      ),
    )
    .returning({
      email: stockAlerts.email,
      id: products.id,
      name: products.name,
      status: products.status,
    });
  if (!alert) return false;
  // The address belongs to the person who asks: further alerts do not flood somebody else's mailbox.
  await requestsPerAddress.reset(accountKey(alert.email));
  const { id, name, status } = alert;
  return { product: status === "active" ? { id, name } : null };
}

/** Deletes the alert of a mailed token; succeeds if there is none any more. @throws 429 */
export async function cancelStockAlert(link: LinkAttempt): Promise<void> {
  await tryLink(link, async (token) => {
    const deleted = await db
      .delete(stockAlerts)
      .where(eq(stockAlerts.tokenHash, digestOf(token)))
      .returning({ id: stockAlerts.id });
    return deleted.length > 0;
  });
}

/**
 * Writes the mails for products that are back in stock. The alerts are deleted in the same transaction, so
 * that each sends one mail, also with several processes or after a crash.
 *
 * @returns the number of mails
 */
export async function sendStockAlerts({ signal }: { signal?: AbortSignal } = {}): Promise<number> {
  let sent = 0;
  while (!signal?.aborted) {
    const count = await db.transaction(sendBatch);
    sent += count;
    if (count < BATCH_SIZE) break;
  }
  return sent;
}

async function sendBatch(tx: Transaction): Promise<number> {
  const alerts = await tx.execute<{ email: string; id: number; name: string }>(sql`
    with due as (
      select a.id, p.id as product_id, p.name
      from ${stockAlerts} a join ${products} p on p.id = a.product_id
      where a.confirmed_at is not null and p.status = 'active' and coalesce(p.stock, 1) > 0
      order by a.confirmed_at limit ${BATCH_SIZE}
      for update of a skip locked
    )
    delete from ${stockAlerts} using due where ${stockAlerts.id} = due.id
    returning ${stockAlerts.email} as email, due.product_id as id, due.name`);
  for (const { email, id, name } of alerts)
    await enqueueMail(tx, { template: "stock-alert", data: { product: { id, name } }, to: email });
  return alerts.length;
}

/** Deletes alerts whose link expired unused, and confirmed alerts that are too old. */
export async function deleteOldAlerts(): Promise<void> {
  await deleteInBatches(
    stockAlerts,
    sql`(${stockAlerts.confirmedAt} is null and not ${isLinkValid})
      or ${stockAlerts.createdAt} < now() - make_interval(days => ${RETENTION_DAYS})`,
  );
}

/** Deletes all alerts of an e-mail address. */
export async function deleteAlertsOf(
  tx: Pick<Transaction, "delete">,
  { email }: { email: string },
): Promise<void> {
  await tx.delete(stockAlerts).where(holdsEmail(stockAlerts.email, email));
}
