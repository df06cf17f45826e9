import type { Transaction } from "@/db";
import type { PostalAddress } from "@/db/schema/checkout";
import { type InvoiceSnapshot, invoices } from "@/db/schema/invoices";
import { contactMail } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { nextDocumentNumber } from "@/lib/orders/numbers";
import { readSeller } from "@/lib/seller/queries";
import { SHOP_NAME } from "@/lib/shop-name";

export type InvoiceRow = typeof invoices.$inferSelect;

export interface NewInvoice {
  /** `checkout` for the one that comes with a paid order: there is at most one per order. */
  source: InvoiceRow["source"];
  /** As `getSeller` gives it; read here where it is not given. */
  seller?: InvoiceSnapshot["seller"];
  buyer: { userId: number | null; email: string; firstName: string; lastName: string };
  order?: { id: number; number: string } | null;
  lines: InvoiceSnapshot["lines"];
  totalCents: number;
  shippingAddress?: PostalAddress | null;
  billingAddress?: PostalAddress | null;
  paymentId?: string | null;
  pdfPath?: string | null;
  issuedAt?: Date;
}

/**
 * Writes an invoice under the next number, with everything that its PDF shows as it is now. The
 * transaction holds the row of the invoice numbers from here to its end.
 */
export async function createInvoice(
  tx: Transaction,
  {
    source,
    seller: given,
    buyer,
    order = null,
    lines,
    totalCents,
    shippingAddress = null,
    billingAddress = null,
    paymentId = null,
    pdfPath = null,
    issuedAt = new Date(),
  }: NewInvoice,
): Promise<InvoiceRow> {
  const seller = given ?? (await getSeller(tx));
  const { taken, number } = nextDocumentNumber(tx, { kind: "invoice", date: issuedAt });
  const [invoice] = await tx
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
      snapshot: {
        seller,
        buyer: { firstName: buyer.firstName, lastName: buyer.lastName, email: buyer.email },
        shippingAddress,
        billingAddress,
        orderNumber: order?.number ?? null,
        lines: lines.map(({ name, quantity, unitPriceCents, vatRateBp }) => ({
          name,
          quantity,
          unitPriceCents,
          vatRateBp,
        })),
      },
    })
    .returning();
  if (!invoice) throw new Error("The invoice was not written.");
  return invoice;
}

/** Who sells, as invoices name them: only the shop's name until an administrator has said more. */
export async function getSeller(
  tx: Pick<Transaction, "select">,
): Promise<InvoiceSnapshot["seller"]> {
  const { legalName, address, siren, vatNumber, email } = await readSeller(tx);
  if (legalName !== "") return { name: legalName, address, siren, vatNumber, email };
  log.warn({ screen: "/backoffice/seller" }, "an invoice does not name who sells");
  return { name: SHOP_NAME, address: [], siren: "", vatNumber: "", email: contactMail() };
}
