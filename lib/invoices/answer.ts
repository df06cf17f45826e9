import { invoiceFileName } from "@/lib/invoices/document";
import { drawInThread } from "@/lib/invoices/drawing";
import { requireInvoiceDocument } from "@/lib/invoices/queries";

/** The answer to GET /api/invoices/{id}/download. @throws 404; 503 where too many are asked for at once */
export async function answerInvoice(asked: {
  id: number;
  userId: number;
  isAdmin: boolean;
}): Promise<Response> {
  const invoice = await requireInvoiceDocument(asked);
  const pdf = await drawInThread({ sheet: { kind: "invoice", document: invoice } });
  return new Response(Buffer.from(pdf), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${invoiceFileName(invoice.id)}"`,
    },
  });
}
