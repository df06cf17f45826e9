import { type SQL, sql } from "drizzle-orm";
import type { Transaction } from "@/db";
import { type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { orders } from "@/db/schema/orders";
import { shopSettings } from "@/db/schema/settings";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { nextDocumentNumber } from "@/lib/orders/document-numbers";
import type { PostalAddress } from "@/lib/shop/postal-address";
import { SHOP_NAME } from "@/lib/shop/shop-name";

export type InvoiceRow = typeof invoices.$inferSelect;

export interface NewInvoice {
  /** `checkout` for the invoice of a paid order: at most one per order. */
  source: InvoiceRow["source"];
  /** Reserved from the sequence, where the id must be known before the invoice is written. */
  id?: number;
  /** As returned by `getSellerAndTerms`. */
  seller: InvoiceSnapshot["seller"];
  buyer: { userId: number | null; email: string; firstName: string; lastName: string };
  /** Must be written earlier, if only in the same transaction: PostgreSQL reads the order's number. */
  order?: { id: number } | null;
  lines: InvoiceSnapshot["lines"];
  totalCents: number;
  shippingAddress?: PostalAddress | null;
  billingAddress?: PostalAddress | null;
  paymentId?: string | null;
  pdfPath?: string | null;
  issuedAt?: Date;
  /** Set for an invoice that admins write by hand and mark as paid. */
  paidAt?: Date | null;
  /** The sale is outside VAT. */
  isVatExempt: boolean;
  /** Reasons why there is no VAT, or none in some lines. */
  vatNotes: readonly string[];
}

/** The content of the invoice. */
const invoiceSnapshotOf = ({
  seller,
  buyer,
  order = null,
  lines,
  shippingAddress = null,
  billingAddress = null,
  isVatExempt,
  vatNotes,
}: NewInvoice): SQL<InvoiceSnapshot> => {
  const snapshot: Omit<InvoiceSnapshot, "orderNumber"> = {
    // A seller outside VAT may still have a number, from earlier or for purchases abroad: do not print it.
    seller: isVatExempt ? { ...seller, vatNumber: "" } : seller,
    buyer: { firstName: buyer.firstName, lastName: buyer.lastName, email: buyer.email },
    shippingAddress,
    billingAddress,
    lines: lines.map(({ name, quantity, unitPriceCents, vatRateBp, kind }) => ({
      name,
      quantity,
      unitPriceCents,
      vatRateBp,
      ...(kind && { kind }),
    })),
    ...(isVatExempt && { isVatExempt }),
    ...(vatNotes.length > 0 && { vatNotes: [...vatNotes] }),
  };
  const orderNumber = sql`(select number from ${orders} where id = ${order?.id ?? null}::int)`;
  return sql`${JSON.stringify(snapshot)}::jsonb || jsonb_build_object('orderNumber', ${orderNumber})`;
};

/**
 * Writes an invoice under the next number, with the content of its PDF as it is now. The transaction locks
 * the row of the invoice numbers from here to its end. The statement is sent at once.
 */
export function createInvoice(tx: Transaction, invoice: NewInvoice): Promise<InvoiceRow> {
  const { id, source, buyer, order, totalCents, issuedAt = new Date() } = invoice;
  const { paymentId = null, pdfPath = null, paidAt = null } = invoice;
  const { taken, number } = nextDocumentNumber(tx, { kind: "invoice", date: issuedAt });
  const written = tx
    .with(taken)
    .insert(invoices)
    .values({
      id,
      number,
      userId: buyer.userId,
      orderId: order?.id ?? null,
      source,
      totalCents,
      paymentId,
      pdfPath,
      issuedAt,
      paidAt,
      snapshot: invoiceSnapshotOf(invoice),
    })
    .returning();
  return written.then(([row]) => {
    if (!row) throw new Error("The invoice was not written.");
    return row;
  });
}

/**
 * The seller as invoices name it, whether it is outside VAT, and its general terms. Until an administrator
 * has filled in the seller: only the shop's name, and no terms.
 */
export async function getSellerAndTerms(
  tx: Pick<Transaction, "select">,
): Promise<{ seller: InvoiceSnapshot["seller"]; isVatExempt: boolean; terms: string }> {
  const [settings] = await tx
    .select({
      seller: {
        name: shopSettings.legalName,
        address: shopSettings.address,
        siren: shopSettings.siren,
        vatNumber: shopSettings.vatNumber,
        email: shopSettings.email,
      },
      isVatExempt: shopSettings.isVatExempt,
      terms: shopSettings.terms,
    })
    .from(shopSettings);
  const { terms = "", isVatExempt = false } = settings ?? {};
  if (settings?.seller.name) return { seller: settings.seller, isVatExempt, terms };
  log.warn({ screen: "/backoffice/seller" }, "an invoice does not name who sells");
  const seller = { name: SHOP_NAME, address: [], siren: "", vatNumber: "", email: contactMail() };
  return { seller, isVatExempt, terms };
}
