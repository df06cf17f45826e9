import {
  callApi,
  callApiWithHeaders,
  ignoreMissing,
  isTokenRenewed,
  redirectToLogin,
} from "@/lib/api-client";
import { ApiError } from "@/lib/api-error";
import { downloadFile, saveBlob } from "@/lib/browser/download-file";
import { readSession } from "@/lib/browser/session";
import { type ListJson, membersOf, totalOf } from "@/lib/public-api";

// The back office's API calls. Each screen declares the types of its rows.

const LD_JSON = "application/ld+json";

export interface RowPage<Row> {
  rows: Row[];
  /** The number of rows on all pages. */
  total: number;
}

/** GET of a list: a Hydra collection, or a plain array with its total in a header. @throws ApiError */
export async function listRows<Row>(url: string): Promise<RowPage<Row>> {
  const { body, headers } = await callApiWithHeaders<ListJson<Row>>(url, {
    as: "session",
    accept: LD_JSON,
  });
  const count = headers.get("X-Total-Count");
  return { rows: membersOf(body), total: count === null ? totalOf(body) : Number(count) };
}

/** GET of one item. @throws ApiError */
export const getRow = <Row>(path: string): Promise<Row> => callApi<Row>(path, { as: "session" });

export interface SaveRequest {
  method: "POST" | "PUT";
  path: string;
  json: Record<string, unknown>;
}

/** POST or PUT of an item. @throws ApiError */
export const saveRow = <Row>({ path, ...request }: SaveRequest): Promise<Row> =>
  callApi<Row>(path, { ...request, as: "session" });

/** DELETE of an item; succeeds if it is already deleted. @throws ApiError */
export const deleteRow = (path: string): Promise<void> =>
  ignoreMissing(callApi(path, { method: "DELETE", as: "session" }));

/** Whether a PDF's path is a URL. Any other text means the shop's own PDF. */
export const isUrl = (path: string): boolean => /^(https?:\/\/|\/api\/)/.test(path);

/** The URL of an invoice's PDF. `path` is the PDF path stored on the invoice or its order. */
export function pdfUrl({ invoiceId, path }: { invoiceId: number; path: string }): string {
  return isUrl(path) ? path : `/api/invoices/${invoiceId}/download`;
}

/** Downloads the PDF of an invoice as `facture-{id}.pdf`. @throws ApiError */
export async function downloadPdf(invoice: { invoiceId: number; path: string }): Promise<void> {
  const name = `facture-${invoice.invoiceId}.pdf`;
  try {
    const url = new URL(pdfUrl(invoice), window.location.origin);
    if (url.origin === window.location.origin)
      return await downloadFile({ path: url.pathname + url.search, name, accept: "*/*" });
    // Another site must not get the token.
    const response = await fetch(url, { credentials: "omit", referrerPolicy: "no-referrer" });
    if (!response.ok) throw new Error(`GET ${url.href}: ${response.status}`);
    saveBlob({ blob: await response.blob(), name });
  } catch (error) {
    throw error instanceof ApiError ? error : new ApiError({ status: 0, message: String(error) });
  }
}

interface Upload {
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * POST /api/upload.
 *
 * @param onProgress receives the share that was sent, 0 to 1
 * @returns the file name without the folder, as stored on products
 * @throws ApiError
 */
export async function uploadPicture(upload: Upload): Promise<string> {
  const { token } = readSession();
  if (token === null) throw redirectToLogin({ wasOpen: false });
  const { status, body } = await sendFile({ ...upload, token });
  if (status === 401) {
    if (await isTokenRenewed(token)) return uploadPicture(upload);
    throw redirectToLogin({ wasOpen: true });
  }
  const url = (body as { url?: unknown } | null)?.url;
  if (status >= 300 || typeof url !== "string") throw uploadError(status, body);
  return url.replace(/^\/images\//, "");
}

const uploadError = (status: number, body?: unknown) =>
  new ApiError({ status, message: `POST /api/upload: ${status}`, body });

/** Uses XMLHttpRequest, since `fetch` does not report upload progress. @throws ApiError without a response */
function sendFile({
  file,
  onProgress,
  signal,
  token,
}: Upload & { token: string }): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = () => reject(uploadError(0));
    request.open("POST", "/api/upload");
    // A body that is not JSON gives null.
    request.responseType = "json";
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = fail;
    request.onabort = fail;
    request.onload = () => resolve({ status: request.status, body: request.response });
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}
