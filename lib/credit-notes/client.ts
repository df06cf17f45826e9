import { downloadFile } from "@/lib/browser/download-file";

/** Saves GET /api/credit-notes/{id}/download as a file. @throws ApiError */
export const downloadCreditNote = (id: number): Promise<void> =>
  downloadFile({ path: `/api/credit-notes/${id}/download`, name: `avoir-${id}.pdf` });
