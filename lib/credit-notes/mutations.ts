import { and, eq, ne, or, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { type InvoiceLine, type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { creditNotes, refunds } from "@/db/schema/refunds";
import { getSellerAndTerms } from "@/lib/invoices/mutations";
import { vatOf } from "@/lib/invoices/rules";
import { isOfPayment, readIssuedSnapshot } from "@/lib/invoices/versions";
import { nextDocumentNumber } from "@/lib/orders/document-numbers";
import { VAT_EXEMPT_NOTE } from "@/lib/shop/vat-of-place";
import { creditedVat, creditLines, type UnassignedAmount } from "./rules";

type CreditNoteRow = typeof creditNotes.$inferSelect;

/** Buyer, addresses and order number, for a payment without an invoice. */
type BillingDetails = Pick<
  InvoiceSnapshot,
  "buyer" | "shippingAddress" | "billingAddress" | "orderNumber" | keyof VatRules
>;

/** The VAT rules of a document, besides the rates of its lines. */
type VatRules = Pick<InvoiceSnapshot, "isVatExempt" | "vatNotes">;

const OUTSIDE_VAT: VatRules = { isVatExempt: true, vatNotes: [VAT_EXEMPT_NOTE] };

/**
 * Writes the credit note of a refund that has succeeded, under the next number. A refund has one credit note.
 * If that refund fails later, the credit note passes to the refund that replaces it. The caller must hold the
 * order's lock. The transaction locks the row of the credit notes' numbers from here to its end.
 *
 * @param unassigned the amount refunded without naming a line, or deducted from the lines
 * @returns its id, and the recipient of its mail: null where the credit note existed already
 */
export async function createCreditNote(
  tx: Transaction,
  {
    refund,
    order,
    lines,
    unassigned,
  }: {
    refund: typeof refunds.$inferSelect;
    /** Null once the order was deleted. */
    order: { id: number; userId: number | null; billingDetails: BillingDetails } | null;
    lines: readonly InvoiceLine[];
    unassigned: UnassignedAmount;
  },
): Promise<{ id: number; recipient: { email: string; userId: number | null } | null }> {
  const present = await findCreditNote(tx, refund);
  if (present) {
    const isPresent = eq(creditNotes.id, present.id);
    if (present.refundId !== refund.id)
      await tx.update(creditNotes).set({ refundId: refund.id }).where(isPresent);
    return { id: present.id, recipient: null };
  }
  const invoice = await lockInvoice(tx, { refund, orderId: order?.id ?? null });
  const billingDetails = order?.billingDetails ?? invoice?.snapshot ?? UNKNOWN_DETAILS;
  const userId = order ? order.userId : (invoice?.userId ?? null);
  const issuedAt = new Date();
  const { seller, isVatExempt: isSellerExempt } = await getSellerAndTerms(tx);
  const issued = invoice && (await readIssuedSnapshot(tx, invoice));
  const earlier = invoice ? await readEarlier(tx, invoice.id) : [];
  const defaultVatRules: VatRules = isSellerExempt ? OUTSIDE_VAT : {};
  // The sale's VAT rules apply: the seller may have come under VAT, or left it, since.
  const { isVatExempt = false, vatNotes }: VatRules =
    issued ?? order?.billingDetails ?? defaultVatRules;
  const credited = creditLines({
    lines,
    unassigned,
    invoiced: issued?.lines ?? [],
    credited: earlier.flatMap((snapshot) => snapshot.lines),
  });
  const creditedLines = isVatExempt
    ? credited.map((line) => ({ ...line, vatRateBp: 0 }))
    : credited;
  const { taken, number } = nextDocumentNumber(tx, { kind: "credit-note", date: issuedAt });
  const [written] = await tx
    .with(taken)
    .insert(creditNotes)
    .values({
      number,
      refundId: refund.id,
      invoiceId: invoice?.id ?? null,
      orderId: order?.id ?? null,
      userId,
      totalCents: refund.amountCents,
      issuedAt,
      snapshot: {
        seller: {
          ...seller,
          vatNumber: isVatExempt
            ? ""
            : seller.vatNumber || invoice?.snapshot.seller.vatNumber || "",
        },
        buyer: billingDetails.buyer,
        shippingAddress: billingDetails.shippingAddress,
        billingAddress: billingDetails.billingAddress,
        orderNumber: billingDetails.orderNumber,
        lines: creditedLines,
        vat: creditedVat({ lines: creditedLines, earlier: earlier.flatMap(vatOf) }),
        ...(isVatExempt && { isVatExempt }),
        ...(vatNotes && { vatNotes }),
        invoice: invoice && { number: invoice.number, issuedAt: invoice.issuedAt.toISOString() },
        reason: refund.reason,
      },
    })
    .returning({ id: creditNotes.id });
  if (!written) throw new Error("The credit note was not written.");
  const { email } = billingDetails.buyer;
  return { id: written.id, recipient: email ? { email, userId } : null };
}

const UNKNOWN_DETAILS: BillingDetails = {
  buyer: { firstName: "", lastName: "", email: "" },
  shippingAddress: null,
  billingAddress: null,
  orderNumber: null,
};

/** The credit note of a refund: its own, or the one of a failed refund that this refund replaces. */
export async function findCreditNote(
  tx: Transaction,
  { id, paymentIntentId, amountCents }: typeof refunds.$inferSelect,
): Promise<Pick<CreditNoteRow, "id" | "refundId"> | undefined> {
  const [present] = await tx
    .select({ id: creditNotes.id, refundId: creditNotes.refundId })
    .from(creditNotes)
    .innerJoin(refunds, eq(refunds.id, creditNotes.refundId))
    .where(
      or(
        eq(refunds.id, id),
        and(
          eq(refunds.paymentIntentId, paymentIntentId),
          eq(refunds.status, "failed"),
          eq(creditNotes.totalCents, amountCents),
        ),
      ),
    )
    .orderBy(sql`${refunds.id} = ${id} desc`, creditNotes.id)
    .limit(1);
  return present;
}

/**
 * A credit note whose refund was refused by the bank later, and that no pending refund replaces. Until it is
 * paid, nothing else is refunded, or the credit notes would exceed the refunds. The caller must hold the
 * order's lock.
 *
 * A dispute that the shop has won does not count: the customer is not owed its amount.
 */
export async function getUnpaidCreditNote(
  tx: Transaction,
  paymentIntentId: string,
): Promise<Pick<CreditNoteRow, "number" | "totalCents"> | null> {
  const ofPayment = eq(refunds.paymentIntentId, paymentIntentId);
  const unpaid = await tx
    .select({ number: creditNotes.number, totalCents: creditNotes.totalCents })
    .from(creditNotes)
    .innerJoin(refunds, eq(refunds.id, creditNotes.refundId))
    .where(and(ofPayment, eq(refunds.status, "failed"), ne(refunds.origin, "dispute")))
    .orderBy(creditNotes.id);
  const pending = await tx
    .select({ amountCents: refunds.amountCents })
    .from(refunds)
    .where(and(ofPayment, eq(refunds.status, "pending")));
  const onTheirWay = pending.map(({ amountCents }) => amountCents);
  for (const creditNote of unpaid) {
    const index = onTheirWay.indexOf(creditNote.totalCents);
    if (index < 0) return creditNote;
    onTheirWay.splice(index, 1);
  }
  return null;
}

/** The invoice of the payment, archived or not. */
async function lockInvoice(
  tx: Transaction,
  { refund, orderId }: { refund: typeof refunds.$inferSelect; orderId: number | null },
) {
  const [invoice] = await tx
    .select()
    .from(invoices)
    .where(
      orderId === null
        ? isOfPayment(refund.paymentIntentId)
        : and(eq(invoices.source, "checkout"), eq(invoices.orderId, orderId)),
    )
    .orderBy(invoices.id)
    .limit(1)
    .for("no key update");
  return invoice ?? null;
}

/** The content of the invoice's earlier credit notes. */
async function readEarlier(tx: Transaction, invoiceId: number): Promise<InvoiceSnapshot[]> {
  const earlier = await tx
    .select({ snapshot: creditNotes.snapshot })
    .from(creditNotes)
    .where(eq(creditNotes.invoiceId, invoiceId));
  return earlier.map(({ snapshot }) => snapshot);
}
