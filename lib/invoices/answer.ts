import { WholeResponse } from "@/lib/http/api/whole-response";
import { invoiceFileName } from "@/lib/invoices/document";
import { type Drawable, drawInThread } from "@/lib/invoices/drawing";
import { requireInvoiceDocument } from "@/lib/invoices/queries";

/** The answer to GET /api/invoices/{id}/download. @throws 404; 503 where too many are asked for at once */
export async function answerInvoice(
  asked: Parameters<typeof requireInvoiceDocument>[0],
): Promise<Response> {
  const document = await requireInvoiceDocument(asked);
  return answerPdf({ sheet: { kind: "invoice", document }, name: invoiceFileName(document.id) });
}

/** A sheet as a PDF to keep. @throws 503 where too many are asked for at once */
export async function answerPdf({ sheet, name }: { sheet: Drawable; name: string }) {
  const pdf = await drawInThread({ sheet });
  return new WholeResponse(pdf, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
