import type { creditNotes } from "@/db/schema/refunds";
import type { InvoiceDocument } from "@/lib/invoices/document";
import type { Sheet } from "@/lib/invoices/sheet";

/** The content of a credit note, from which its PDF is drawn. */
export type CreditNoteSheet = Extract<Sheet, { kind: "credit-note" }>;

export function sheetOf({
  snapshot: { invoice, reason, ...snapshot },
  ...row
}: Omit<InvoiceDocument, "snapshot"> &
  Pick<typeof creditNotes.$inferSelect, "snapshot">): CreditNoteSheet {
  const invoiceNumber = invoice?.number ?? null;
  return { kind: "credit-note", document: { ...row, snapshot }, invoiceNumber, reason };
}

/** `avoir-7.pdf`, for downloads and mail attachments. */
export const creditNoteFileName = (id: number) => `avoir-${id}.pdf`;
