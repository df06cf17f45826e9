import type { InvoiceLine, InvoiceSnapshot } from "@/db/schema/invoices";
import { drawInThread } from "@/lib/invoices/drawing";
import { lineTotalCents } from "@/lib/invoices/rules";
import type { Sheet } from "@/lib/invoices/sheet";
import type { LinePicture } from "@/lib/mail/pictures";
import { formatEuros } from "@/lib/money";
import { piecesText } from "@/lib/text/pieces-text";

// Shared by the mails about orders.

/** The customer's order, opened in "Mes commandes"; the list where its number is unknown. */
export const orderUrl = (siteUrl: string, number: string | null) =>
  number === null
    ? `${siteUrl}/orders`
    : `${siteUrl}/orders?commande=${encodeURIComponent(number)}`;

/** A line with its amount, and the picture of its product, if it is among `pictures`. */
export const amountRow = (line: InvoiceLine, pictures: readonly LinePicture[] = []) => ({
  name: piecesText([line]),
  amount: formatEuros(lineTotalCents(line)),
  picture: pictures.find(
    ({ name, unitPriceCents }) => name === line.name && unitPriceCents === line.unitPriceCents,
  ),
});

/** The last row of the amounts. */
export const totalRow = (snapshot: Pick<InvoiceSnapshot, "isVatExempt">, totalCents: number) => ({
  name: totalName(snapshot),
  amount: formatEuros(totalCents),
  isTotal: true,
});

/** A seller outside VAT must not mention taxes. */
const totalName = ({ isVatExempt }: Pick<InvoiceSnapshot, "isVatExempt">) =>
  isVatExempt ? "Total" : "Total TTC";

/** An invoice or a credit note as an attachment. */
export async function pdfFile({ sheet, filename }: { sheet: Sheet; filename: string }) {
  // Wait even in a full queue, instead of a retry: a process sends one mail at a time and cannot fill it.
  const content = await drawInThread({ sheet, ignoresQueueLimit: true });
  return { filename, contentType: "application/pdf", content };
}
