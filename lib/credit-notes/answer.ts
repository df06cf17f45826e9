import { answerPdf } from "@/lib/invoices/answer";
import { creditNoteFileName, sheetOf } from "./document";
import { requireCreditNoteDocument } from "./queries";

/** The answer to GET /api/credit-notes/{id}/download. @throws 404; 503 where too many are asked for at once */
export async function answerCreditNote(
  asked: Parameters<typeof requireCreditNoteDocument>[0],
): Promise<Response> {
  const creditNote = await requireCreditNoteDocument(asked);
  return answerPdf({ sheet: sheetOf(creditNote), name: creditNoteFileName(creditNote.id) });
}
