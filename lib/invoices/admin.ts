import { and, eq, isNull, sql } from "drizzle-orm";
import { db, type Transaction } from "@/db";
import { isAmong } from "@/db/among";
import { users } from "@/db/schema/auth";
import { invoices } from "@/db/schema/invoices";
import { orderLines, orders } from "@/db/schema/orders";
import { invoiceText, matchesReference, orderReference } from "@/db/search-text";
import { adminEntity, changeRow } from "@/lib/backoffice/entity";
import type { ByIds } from "@/lib/backoffice/list";
import {
  lockOwned,
  personColumns,
  requireNotEmptied,
  requirePerson,
} from "@/lib/backoffice/people";
import { fail } from "@/lib/errors/failure";
import { momentCell } from "@/lib/http/api/csv";
import { downloadPath } from "@/lib/orders/admin-resource";
import { paddedNumber } from "@/lib/orders/document-numbers";
import { addressesOf } from "@/lib/orders/rules";
import { UNKNOWN_ORDER } from "@/lib/orders/texts";
import { shippingLines } from "@/lib/shipping-methods/rules";
import { VAT_EXEMPT_NOTE, vatNotesAt, vatPlaceOf } from "@/lib/shop/vat-of-place";
import { adminInvoiceResource } from "./admin-resource";
import {
  type AdminInvoiceChange,
  adminInvoiceChange,
  adminInvoiceInput,
  invoiceListQuery,
} from "./admin-schemas";
import { createInvoice, getSellerAndTerms, type InvoiceRow } from "./mutations";
import { linesWithTotal, vatByRate, versionDate } from "./rules";
import { ORDER_OF_ANOTHER, STAYS_PAID } from "./texts";
import { vatColumns } from "./vat-columns";
import { archiveVersion } from "./versions";

/** An invoice is paid if it came with a payment, has the payment id of an order, or was marked by admins. */
const isPaid = sql<boolean>`(${invoices.source} = 'checkout' or ${invoices.paidAt} is not null or exists (
  select from orders paid where paid.payment_intent_id = ${invoices.paymentId}
))`;

export type AdminInvoiceRow = Awaited<ReturnType<typeof readInvoices>>[number];

/** Invoices that are not archived. */
async function readInvoices({ ids, tx = db }: ByIds) {
  const rows = await tx
    .select({
      invoice: invoices,
      user: personColumns,
      order: { id: orders.id, number: orders.number, totalCents: orders.totalCents },
      isPaid,
    })
    .from(invoices)
    .leftJoin(users, eq(users.id, invoices.userId))
    .leftJoin(orders, eq(orders.id, invoices.orderId))
    .where(and(isAmong(invoices.id, ids), isNull(invoices.archivedAt)));
  return rows.map(({ invoice, ...rest }) => ({ ...invoice, ...rest }));
}

/** The invoices that are not archived, newest first by default. */
export const adminInvoices = adminEntity({
  entity: "Invoice",
  table: invoices,
  resource: adminInvoiceResource,
  query: invoiceListQuery,
  source: {
    from: sql`invoices i`,
    id: sql`i.id`,
    sorts: { number: sql`i.number`, date: sql`i.issued_at`, totalAmount: sql`i.total_cents` },
    date: "date",
    equal: { user: sql`i.user_id` },
    where: () => [sql`i.archived_at is null`],
    document: {
      text: invoiceText("i"),
      padNumber: paddedNumber,
      // Finds invoices by their order's number.
      idsByReference: (search) =>
        sql`select i.id from invoices i where ${matchesReference(orderReference("i"), search)}`,
    },
  },
  read: readInvoices,
  fileName: "factures",
  columns: {
    ID: ({ id }) => id,
    Numéro: ({ number }) => number,
    Date: ({ date }) => momentCell(date),
    "Montant (€)": ({ totalAmount }) => totalAmount,
    Nom: ({ user, buyer }) => (user ?? buyer).name,
    Prénom: ({ user, buyer }) => (user ?? buyer).lastname,
    Email: ({ user, buyer }) => (user ?? buyer).email,
    Commande: ({ order }) => order?.number,
    PDF: ({ pdfPath }) => pdfPath,
    "ID Paiement": ({ paymentId }) => paymentId,
    Payée: ({ isPaid }) => isPaid,
    ...vatColumns,
    "Rectifiée le": ({ correctedAt }) => momentCell(correctedAt),
  },
  csvItem: (row) => ({
    ...adminInvoiceResource.toJson(row),
    vatAmounts: vatByRate(row.snapshot.lines),
  }),
  input: adminInvoiceInput,
  change: adminInvoiceChange,
  lock: (tx, { id, input }) => lockOwned(tx, invoices, { id, userId: input?.user }),
  /**
   * Writes an invoice under the next number.
   *
   * @throws 422 for an unknown user, an unknown order or another user's order
   */
  create: async (tx, { input }) => {
    const { id: userId, ...person } = await requirePerson(tx, input.user);
    const order = input.order ? await requireBilledOrder(tx, { id: input.order, userId }) : null;
    const { seller, isVatExempt: isSellerExempt } = await getSellerAndTerms(tx);
    // An order keeps the VAT rules that it was sold under.
    const isVatExempt = order ? order.isVatExempt : isSellerExempt;
    const { id } = await createInvoice(tx, {
      source: "manual",
      seller,
      isVatExempt,
      vatNotes: order?.vatNotes ?? (isVatExempt ? [VAT_EXEMPT_NOTE] : []),
      buyer: { userId, ...person },
      order,
      lines: linesWithTotal({
        lines: order?.lines ?? [],
        totalCents: input.totalAmount,
        ...(isVatExempt && { vatRateBp: 0 }),
      }),
      totalCents: input.totalAmount,
      shippingAddress: order?.shippingAddress ?? null,
      billingAddress: order?.billingAddress ?? null,
      paymentId: input.paymentId,
      pdfPath: input.pdfPath,
      paidAt: input.isPaid ? new Date() : null,
    });
    return id;
  },
  /**
   * Archives the previous version. A paid invoice becomes a corrected version of the same number, which names
   * the version that it replaces. A save without changes makes no version.
   *
   * @throws 409 for marking a paid invoice as unpaid; 422 for an unknown user or for emptying a field
   */
  update: async (tx, { actor, id, input, current }) => {
    requireNotEmptied({ fields: ["user", "paymentId"], sent: input, current });
    if (current.isPaid && input.isPaid === false) throw fail.conflict(STAYS_PAID);
    const { user: _, order: __, isPaid, ...row } = current;
    const columns = await changedColumns(tx, { current, input });
    if (Object.keys(columns).length === 0) return;
    await archiveVersion(tx, { actor, invoice: row });
    const correction = isPaid && {
      date: new Date().toISOString(),
      replaces: versionDate(row).toISOString(),
    };
    await changeRow(tx, invoices, {
      id,
      ...columns,
      ...(correction && { snapshot: { ...(columns.snapshot ?? row.snapshot), correction } }),
    });
  },
  /** Removes an invoice from every list. Its row and number stay. */
  remove: (tx, { id }) => changeRow(tx, invoices, { id, archivedAt: sql`now()` }),
});

/** The columns that an input changes. @throws 422 for an unknown user */
async function changedColumns(
  tx: Transaction,
  { current, input }: { current: AdminInvoiceRow; input: Omit<AdminInvoiceChange, "version"> },
): Promise<Partial<InvoiceRow>> {
  const { snapshot } = current;
  const { user = null, totalAmount = current.totalCents, pdfPath, paymentId } = input;
  const isNewBuyer = user !== null && user !== current.userId;
  const buyer = isNewBuyer ? await requirePerson(tx, user) : null;
  const isNewTotal = totalAmount !== current.totalCents;
  // The client sends back the path that it read: the shop's own PDF is not a path typed by admins.
  const isNewPath =
    pdfPath !== undefined && pdfPath !== (current.pdfPath ?? downloadPath(current.id));
  return {
    ...(buyer && { userId: buyer.id }),
    ...(isNewTotal && { totalCents: totalAmount }),
    ...(isNewPath && { pdfPath }),
    ...(paymentId !== undefined && paymentId !== current.paymentId && { paymentId }),
    ...(input.isPaid && !current.isPaid && { paidAt: new Date() }),
    ...((buyer || isNewTotal) && {
      snapshot: {
        ...snapshot,
        ...(buyer && {
          buyer: { firstName: buyer.firstName, lastName: buyer.lastName, email: buyer.email },
        }),
        ...(isNewTotal && {
          lines: linesWithTotal({ lines: snapshot.lines, totalCents: totalAmount }),
        }),
      },
    }),
  };
}

/**
 * The data of an order for its invoice. The order must be this user's, or have no user.
 *
 * @throws 422
 */
async function requireBilledOrder(tx: Transaction, { id, userId }: { id: number; userId: number }) {
  const [order] = await tx.select().from(orders).where(eq(orders.id, id)).for("key share");
  if (!order) throw fail.violation("order", UNKNOWN_ORDER);
  if (order.userId !== null && order.userId !== userId)
    throw fail.violation("order", ORDER_OF_ANOTHER);
  const lines = await tx
    .select({
      name: orderLines.name,
      quantity: orderLines.quantity,
      unitPriceCents: orderLines.unitPriceCents,
      vatRateBp: orderLines.vatRateBp,
      productType: orderLines.productType,
    })
    .from(orderLines)
    .where(eq(orderLines.orderId, id))
    .orderBy(orderLines.id);
  const addresses = addressesOf(order);
  return {
    id,
    number: order.number,
    isVatExempt: order.isVatExempt,
    vatNotes: vatNotesAt(vatPlaceOf({ ...order, ...addresses }), lines),
    lines:
      order.shippingMethod === null
        ? lines
        : [
            ...lines,
            ...shippingLines({
              name: order.shippingMethod,
              priceCents: order.shippingCents,
              goods: lines,
            }),
          ],
    ...addresses,
  };
}
