import { and, eq, isNull } from "drizzle-orm";
import { db } from "@/db";
import { invoices } from "@/db/schema/invoices";
import { fail } from "@/lib/errors/failure";
import type { InvoiceDocument } from "@/lib/invoices/document";
import { UNKNOWN_INVOICE } from "./texts";

const documentColumns = {
  id: invoices.id,
  number: invoices.number,
  issuedAt: invoices.issuedAt,
  totalCents: invoices.totalCents,
  paymentId: invoices.paymentId,
  snapshot: invoices.snapshot,
};

/**
 * The content of an invoice for a user who may download it.
 *
 * @param isAdmin administrators get every invoice, others their own
 * @throws 404 for an unknown or archived invoice, or another customer's
 */
export async function requireInvoiceDocument({
  id,
  userId,
  isAdmin,
}: {
  id: number;
  userId: number;
  isAdmin: boolean;
}): Promise<InvoiceDocument> {
  const [invoice] = await db
    .select(documentColumns)
    .from(invoices)
    .where(
      and(
        eq(invoices.id, id),
        isNull(invoices.archivedAt),
        isAdmin ? undefined : eq(invoices.userId, userId),
      ),
    );
  if (!invoice) throw fail.notFound(UNKNOWN_INVOICE);
  return invoice;
}

/** The content of an invoice, archived or not, for the mail to its buyer. */
export async function getInvoiceDocument(id: number): Promise<InvoiceDocument> {
  const [invoice] = await db.select(documentColumns).from(invoices).where(eq(invoices.id, id));
  if (!invoice) throw new Error(`Invoice ${id} does not exist.`);
  return invoice;
}
