import { invoiceFileName } from "@/lib/invoices/document";
import { requireInvoiceDocument } from "@/lib/invoices/queries";

/** The answer to GET /api/invoices/{id}/download. @throws 404 */
export async function answerInvoice(asked: {
  id: number;
  userId: number;
  isAdmin: boolean;
}): Promise<Response> {
  const invoice = await requireInvoiceDocument(asked);
  // Loaded with the first invoice: what makes PDFs is large.
  const { renderInvoice } = await import("@/lib/invoices/pdf");
  const pdf = await renderInvoice(invoice);
  return new Response(Buffer.from(pdf), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${invoiceFileName(invoice.id)}"`,
    },
  });
}
