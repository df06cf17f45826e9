import { downloadFile } from "@/lib/download-file";

/** GET /api/credit-notes/{id}/download, which the browser then keeps. @throws ApiError */
export const downloadCreditNote = (id: number): Promise<void> =>
  downloadFile({ path: `/api/credit-notes/${id}/download`, name: `avoir-${id}.pdf` });
