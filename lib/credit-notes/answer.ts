import { answerPdf } from "@/lib/invoices/answer";
import { creditNoteFileName } from "./document";
import { requireCreditNoteSheet } from "./queries";

/**
 * The response to GET /api/credit-notes/{id}/download.
 *
 * @throws 404; 503 where too many PDFs are requested at once
 */
export async function answerCreditNote(
  asked: Parameters<typeof requireCreditNoteSheet>[0],
): Promise<Response> {
  const sheet = await requireCreditNoteSheet(asked);
  return answerPdf({ sheet, name: creditNoteFileName(sheet.document.id) });
}
