import type { PostalAddress } from "@/db/schema/checkout";
import type { InvoiceLine, InvoiceSnapshot } from "@/db/schema/invoices";
import { drawInThread } from "@/lib/invoices/drawing";
import { lineTotalCents } from "@/lib/invoices/rules";
import type { Sheet } from "@/lib/invoices/sheet";
import { formatEuros } from "@/lib/money";
import { piecesText } from "@/lib/pieces-text";

// What mails about orders have in common.

export const addressLine = ({ street, postalCode, city }: PostalAddress) =>
  `${street}, ${postalCode} ${city}`;

export const amountRow = (line: InvoiceLine) => ({
  name: piecesText([line]),
  amount: formatEuros(lineTotalCents(line)),
});

/** Whoever sells outside VAT speaks of no tax. */
export const totalName = ({ isVatExempt }: Pick<InvoiceSnapshot, "isVatExempt">) =>
  isVatExempt ? "Total" : "Total TTC";

/** An invoice or a credit note as an attachment. */
export async function pdfFile({ sheet, filename }: { sheet: Sheet; filename: string }) {
  // A process sends one mail at a time: it never fills the queue, and need not be tried again.
  const content = await drawInThread({ sheet, mayWait: true });
  return { filename, contentType: "application/pdf", content };
}
