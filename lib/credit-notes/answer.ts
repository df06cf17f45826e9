import { drawInThread } from "@/lib/invoices/drawing";
import { creditNoteFileName, sheetOf } from "./document";
import { requireCreditNoteDocument } from "./queries";

/** The answer to GET /api/credit-notes/{id}/download. @throws 404; 503 where too many are asked for at once */
export async function answerCreditNote(asked: {
  id: number;
  userId: number;
  isAdmin: boolean;
}): Promise<Response> {
  const creditNote = await requireCreditNoteDocument(asked);
  const pdf = await drawInThread({ sheet: sheetOf(creditNote) });
  return new Response(Buffer.from(pdf), {
    headers: {
      "Content-Type": "application/pdf",
      "Content-Disposition": `attachment; filename="${creditNoteFileName(creditNote.id)}"`,
    },
  });
}
