import { is, SQL } from "drizzle-orm";
import type { Transaction } from "@/db";
import { jsonWith } from "@/db/json-with";
import type { PostalAddress } from "@/db/schema/checkout";
import { type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { shopSettings } from "@/db/schema/settings";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { nextDocumentNumber } from "@/lib/orders/numbers";
import { SHOP_NAME } from "@/lib/shop-name";

export type InvoiceRow = typeof invoices.$inferSelect;

export interface NewInvoice {
  /** `checkout` for the one that comes with a paid order: there is at most one per order. */
  source: InvoiceRow["source"];
  /** As `getSeller` gives it. */
  seller: InvoiceSnapshot["seller"];
  buyer: { userId: number | null; email: string; firstName: string; lastName: string };
  /** PostgreSQL may look them up. */
  order?: { id: number | SQL<number>; number: string | SQL<string> } | null;
  lines: InvoiceSnapshot["lines"];
  totalCents: number;
  shippingAddress?: PostalAddress | null;
  billingAddress?: PostalAddress | null;
  paymentId?: string | null;
  pdfPath?: string | null;
  issuedAt?: Date;
}

/** What the invoice will show; an order's number that PostgreSQL looks up is still missing. */
export const invoiceSnapshotOf = ({
  seller,
  buyer,
  order = null,
  lines,
  shippingAddress = null,
  billingAddress = null,
}: NewInvoice): InvoiceSnapshot => ({
  seller,
  buyer: { firstName: buyer.firstName, lastName: buyer.lastName, email: buyer.email },
  shippingAddress,
  billingAddress,
  orderNumber: typeof order?.number === "string" ? order.number : null,
  lines: lines.map(({ name, quantity, unitPriceCents, vatRateBp, kind }) => ({
    name,
    quantity,
    unitPriceCents,
    vatRateBp,
    ...(kind && { kind }),
  })),
});

/**
 * Writes an invoice under the next number, with everything that its PDF shows as it is now. The
 * transaction holds the row of the invoice numbers from here to its end. The statement is sent at once.
 */
export function createInvoice(tx: Transaction, invoice: NewInvoice): Promise<InvoiceRow> {
  const { source, buyer, order, totalCents, issuedAt = new Date() } = invoice;
  const { paymentId = null, pdfPath = null } = invoice;
  const { taken, number } = nextDocumentNumber(tx, { kind: "invoice", date: issuedAt });
  const orderNumber = order?.number;
  const written = tx
    .with(taken)
    .insert(invoices)
    .values({
      number,
      userId: buyer.userId,
      orderId: order?.id ?? null,
      source,
      totalCents,
      paymentId,
      pdfPath,
      issuedAt,
      snapshot: jsonWith(invoiceSnapshotOf(invoice), is(orderNumber, SQL) ? { orderNumber } : {}),
    })
    .returning();
  return written.then(([row]) => {
    if (!row) throw new Error("The invoice was not written.");
    return row;
  });
}

/** Who sells, as invoices name them: only the shop's name until an administrator has said more. */
export async function getSeller(
  tx: Pick<Transaction, "select">,
): Promise<InvoiceSnapshot["seller"]> {
  const [seller] = await tx
    .select({
      name: shopSettings.legalName,
      address: shopSettings.address,
      siren: shopSettings.siren,
      vatNumber: shopSettings.vatNumber,
      email: shopSettings.email,
    })
    .from(shopSettings);
  if (seller?.name) return seller;
  log.warn({ screen: "/backoffice/seller" }, "an invoice does not name who sells");
  return { name: SHOP_NAME, address: [], siren: "", vatNumber: "", email: contactMail() };
}
