import { eq, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { orderLines, orders } from "@/db/schema/orders";
import { withdrawals } from "@/db/schema/withdrawals";
import { withdrawalText } from "@/db/search-text";
import { recordChange, type Update } from "@/lib/audit/mutations";
import { adminList } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import { lockOwned } from "@/lib/backoffice/people";
import { textTarget } from "@/lib/backoffice/search";
import { WITHDRAWAL_STATE_LABELS } from "@/lib/backoffice/texts";
import { formatDate, isoDateTime } from "@/lib/dates";
import { contactMail } from "@/lib/env";
import { fail } from "@/lib/errors/failure";
import { momentCell } from "@/lib/http/api/csv";
import { enqueueMail } from "@/lib/mail/outbox";
import { withdrawalResource } from "./admin-resource";
import { type WithdrawalChange, withdrawalListQuery } from "./admin-schemas";
import { ALREADY_SETTLED } from "./texts";

type Withdrawal = typeof withdrawals.$inferSelect;

export type WithdrawalRow = Awaited<ReturnType<typeof readWithdrawals>>[number];

async function readWithdrawals({ ids, tx = db }: ByIds) {
  const found = await tx.select().from(withdrawals).where(isAmong(withdrawals.id, ids));
  const lines = await tx
    .select({
      id: orderLines.id,
      orderId: orderLines.orderId,
      name: orderLines.name,
      quantity: orderLines.quantity,
      productType: orderLines.productType,
    })
    .from(orderLines)
    .where(
      isAmong(
        orderLines.orderId,
        found.flatMap(({ orderId }) => orderId ?? []),
      ),
    )
    .orderBy(orderLines.id);
  return found.map((row) => ({
    ...row,
    /** The order's present lines; none once the order was deleted. */
    lines: lines.filter(({ orderId }) => orderId === row.orderId),
  }));
}

/** All withdrawals, newest first by default. */
export const adminWithdrawals = adminList({
  resource: withdrawalResource,
  query: withdrawalListQuery,
  source: {
    from: sql`withdrawals w`,
    id: sql`w.id`,
    sorts: { receivedAt: sql`w.created_at`, refundBy: sql`w.refund_by` },
    date: "receivedAt",
    equal: { state: sql`w.state`, user: sql`w.user_id` },
    targetsFor: (pattern) => [textTarget({ pattern, text: withdrawalText("w") })],
  },
  read: readWithdrawals,
  fileName: "retractations",
  columns: {
    ID: ({ id }) => id,
    Commande: ({ order }) => order.number,
    "Total (€)": ({ order }) => order.total,
    Nom: ({ buyer }) => buyer?.name,
    Prénom: ({ buyer }) => buyer?.lastname,
    Email: ({ buyer }) => buyer?.email,
    Objets: ({ objects }) =>
      objects.map(({ name, quantity }) => `${quantity} × ${name}`).join(", "),
    Précisions: ({ items }) => items,
    "Reçue le": ({ receivedAt }) => momentCell(receivedAt),
    "À rembourser avant le": ({ refundBy }) => refundBy && formatDate(refundBy),
    État: ({ state }) => WITHDRAWAL_STATE_LABELS[state],
    "Réglée le": ({ settledAt }) => momentCell(settledAt),
    "Motif du refus": ({ refusalReason }) => refusalReason,
  },
});

/**
 * Settles a withdrawal: as refused, with a mail to the buyer, or as refunded by other means than the shop's.
 * A refund of the order in the shop settles the withdrawal by itself (lib/refunds/settle-order.ts).
 *
 * @throws 404, 409 where it is settled already
 */
export async function settleWithdrawal({
  actor,
  id,
  input: { state, reason },
}: Update<WithdrawalChange>): Promise<WithdrawalRow> {
  return db.transaction(async (tx) => {
    const [known] = await tx
      .select({ orderId: withdrawals.orderId, userId: withdrawals.userId })
      .from(withdrawals)
      .where(eq(withdrawals.id, id));
    if (!known) throw fail.notFound();
    await lockCause(tx, known);
    await tx.select().from(withdrawals).where(eq(withdrawals.id, id)).for("update");
    const current = await adminWithdrawals.one({ id, tx });
    if (current.state !== "received") throw fail.conflict(ALREADY_SETTLED);
    const refusalReason = state === "refused" ? reason : null;
    await tx
      .update(withdrawals)
      .set({ state, refusalReason, settledAt: sql`now()` })
      .where(eq(withdrawals.id, id));
    const settled = await adminWithdrawals.one({ id, tx });
    await recordChange(tx, {
      actor,
      entity: "Withdrawal",
      id,
      before: snapshotOf(current),
      after: snapshotOf(settled),
    });
    if (refusalReason !== null) await sendRefusal(tx, { withdrawal: settled, refusalReason });
    return settled;
  });
}

/** Locks the buyer and the order first, as erasures and refunds do, to avoid deadlocks. */
async function lockCause(
  tx: Transaction,
  { orderId, userId }: Pick<Withdrawal, "orderId" | "userId">,
): Promise<void> {
  if (userId !== null)
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for("key share");
  if (orderId !== null) await lockOwned(tx, orders, { id: orderId });
}

/** The JSON for the audit log. It names the account, so that the account's erasure finds the entry. */
const snapshotOf = (row: WithdrawalRow) => ({
  ...withdrawalResource.toJson(row),
  user: row.userId === null ? null : { id: row.userId },
});

async function sendRefusal(
  tx: Transaction,
  { withdrawal, refusalReason }: { withdrawal: WithdrawalRow; refusalReason: string },
): Promise<void> {
  const { id, userId, buyerEmail, buyerFirstName, buyerLastName } = withdrawal;
  // The buyer's account was erased: there is no address.
  if (buyerEmail === null) return;
  await enqueueMail(tx, {
    template: "withdrawal-refusal",
    data: {
      buyer: { firstName: buyerFirstName ?? "", lastName: buyerLastName ?? "" },
      orderNumber: withdrawal.orderNumber ?? "",
      date: isoDateTime(withdrawal.createdAt),
      reason: refusalReason,
    },
    to: buyerEmail,
    replyTo: contactMail(),
    ...(userId !== null && { userId }),
    dedupeKey: `withdrawal-refusal:${id}`,
  });
}
