import type { InvoiceLine, InvoiceSnapshot } from "@/db/schema/invoices";
import { drawInThread } from "@/lib/invoices/drawing";
import { lineTotalCents } from "@/lib/invoices/rules";
import type { Sheet } from "@/lib/invoices/sheet";
import { formatEuros } from "@/lib/money";
import { piecesText } from "@/lib/text/pieces-text";

// Shared by the mails about orders.

export const amountRow = (line: InvoiceLine) => ({
  name: piecesText([line]),
  amount: formatEuros(lineTotalCents(line)),
});

/** A seller outside VAT must not mention taxes. */
export const totalName = ({ isVatExempt }: Pick<InvoiceSnapshot, "isVatExempt">) =>
  isVatExempt ? "Total" : "Total TTC";

/** An invoice or a credit note as an attachment. */
export async function pdfFile({ sheet, filename }: { sheet: Sheet; filename: string }) {
  // Wait even in a full queue, instead of a retry: a process sends one mail at a time and cannot fill it.
  const content = await drawInThread({ sheet, ignoresQueueLimit: true });
  return { filename, contentType: "application/pdf", content };
}
