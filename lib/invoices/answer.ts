import { invoiceFileName, versionFileName } from "@/lib/invoices/document";
import { type Drawable, drawInThread } from "@/lib/invoices/drawing";
import { requireInvoiceDocument } from "@/lib/invoices/queries";
import { requireInvoiceVersion } from "@/lib/invoices/versions";

/**
 * The response to GET /api/invoices/{id}/download.
 *
 * @throws 404; 503 where too many PDFs are requested at once
 */
export async function answerInvoice(
  asked: Parameters<typeof requireInvoiceDocument>[0],
): Promise<Response> {
  const document = await requireInvoiceDocument(asked);
  return answerPdf({ sheet: { kind: "invoice", document }, name: invoiceFileName(document.id) });
}

/** The response to GET /api/admin/invoices/{id}/versions/{version}/download. @throws 404; 503 as above */
export async function answerInvoiceVersion(asked: {
  id: number;
  version: number;
}): Promise<Response> {
  const document = await requireInvoiceVersion(asked);
  const name = versionFileName(asked);
  return answerPdf({ sheet: { kind: "invoice", document }, name });
}

/** A PDF as an attachment. @throws 503 where too many PDFs are requested at once */
export async function answerPdf({ sheet, name }: { sheet: Drawable; name: string }) {
  const pdf = await drawInThread({ sheet });
  return new Response(pdf as BodyInit, {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${name}"`,
    },
  });
}
