import { callApiForFile } from "@/lib/api-client";
import { saveBlob } from "@/lib/save-blob";

/** GET /api/credit-notes/{id}/download, which the browser then keeps. @throws ApiError */
export async function downloadCreditNote(id: number): Promise<void> {
  const pdf = await callApiForFile(`/api/credit-notes/${id}/download`, {
    as: "session",
    accept: "application/pdf",
  });
  saveBlob({ blob: pdf, name: `avoir-${id}.pdf` });
}
