import {
  ApiError,
  callApi,
  callApiForAnswer,
  callApiForFile,
  type ListJson,
  leaveForLogin,
  membersOf,
  totalOf,
} from "@/lib/api-client";
import { readSession } from "@/lib/auth/client";

// The back office's calls. What they send and answer is the contract's; the rows' shapes stand with
// the screens that show them.

const LD_JSON = "application/ld+json";

/** One page of a list. */
export interface RowPage<Row> {
  rows: Row[];
  /** How many rows there are on all pages. */
  total: number;
}

/** GET of a list: a hydra collection, or a plain array with its count in a header. @throws ApiError */
export async function listRows<Row>(address: string): Promise<RowPage<Row>> {
  const { body, headers } = await callApiForAnswer<ListJson<Row>>(address, {
    as: "session",
    accept: LD_JSON,
  });
  const count = headers.get("X-Total-Count");
  return { rows: membersOf(body), total: count === null ? totalOf(body) : Number(count) };
}

/** GET of one item. @throws ApiError */
export const getRow = <Row>(path: string): Promise<Row> => callApi<Row>(path, { as: "session" });

/** A write: where it goes and what it says. */
export interface SaveRequest {
  method: "POST" | "PUT";
  path: string;
  json: Record<string, unknown>;
}

/** POST or PUT of an item. @throws ApiError */
export const saveRow = <Row>({ path, ...request }: SaveRequest): Promise<Row> =>
  callApi<Row>(path, { ...request, as: "session" });

/** DELETE of an item. @throws ApiError */
export const deleteRow = (path: string): Promise<void> =>
  callApi(path, { method: "DELETE", as: "session" });

/** One write by staff, as GET /api/admin/history/{Entity}/{id} tells of it. */
export interface HistoryEntry {
  id: number;
  action: string;
  /** ISO 8601. */
  date: string;
  /** Null for somebody whose account was deleted. */
  user: { id: number; name: string; lastname: string } | null;
  changes: { field: string; before: unknown; after: unknown }[];
}

/** What was done to an object, newest first. @throws ApiError */
export async function listHistory({
  entity,
  id,
}: {
  /** The API's class: "Product". */
  entity: string;
  id: number;
}): Promise<HistoryEntry[]> {
  const { rows } = await listRows<HistoryEntry>(`/api/admin/history/${entity}/${id}`);
  return rows;
}

/** Saves a file of the API's under a name. @throws ApiError */
async function downloadFile({
  address,
  name,
  accept = "*/*",
}: {
  address: string;
  name: string;
  accept?: string;
}): Promise<void> {
  saveBlob({ blob: await callApiForFile(address, { as: "session", accept }), name });
}

/** Saves a list as CSV, all pages of it. @throws ApiError */
export const downloadCsv = (file: { address: string; name: string }): Promise<void> =>
  downloadFile({ ...file, accept: "text/csv" });

/** A PDF's path that says where it is; any other text stands for the shop's own PDF. */
export const isAddress = (path: string): boolean => /^(https?:\/\/|\/api\/)/.test(path);

/** Where the PDF of an invoice is, by what the invoice or its order says of it. */
export function pdfAddress({ invoiceId, path }: { invoiceId: number; path: string }): string {
  return isAddress(path) ? path : `/api/invoices/${invoiceId}/download`;
}

/**
 * Saves the PDF of an invoice as `facture-{id}.pdf`.
 *
 * @throws any error where it cannot be had
 */
export async function downloadPdf(invoice: { invoiceId: number; path: string }): Promise<void> {
  const address = new URL(pdfAddress(invoice), window.location.origin);
  const name = `facture-${invoice.invoiceId}.pdf`;
  if (address.origin === window.location.origin)
    return downloadFile({ address: address.pathname + address.search, name });
  // Another site gets no token of this shop's.
  const response = await fetch(address, { credentials: "omit", referrerPolicy: "no-referrer" });
  if (!response.ok) throw new ApiError({ status: response.status, message: `GET ${address.href}` });
  saveBlob({ blob: await response.blob(), name });
}

function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * POST /api/upload. Only XMLHttpRequest tells how far a file has come.
 *
 * @param onProgress receives the share that was sent, 0 to 1
 * @returns the file as products name it: without the folder
 * @throws ApiError
 */
export function uploadPicture({
  file,
  onProgress,
  signal,
}: {
  file: File;
  onProgress: (share: number) => void;
  signal: AbortSignal;
}): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (body: unknown = null) =>
      reject(new ApiError({ status: request.status, message: "POST /api/upload", body }));
    request.open("POST", "/api/upload");
    request.setRequestHeader("Accept", "application/json");
    request.setRequestHeader("Authorization", `Bearer ${readSession().token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onerror = () => fail();
    request.onabort = () => fail();
    request.onload = () => {
      if (request.status === 401) return reject(leaveForLogin({ wasOpen: true }));
      const body = jsonOf(request.responseText);
      const url = (body as { url?: unknown } | null)?.url;
      if (request.status >= 300 || typeof url !== "string") return fail(body);
      resolve(url.replace(/^\/images\//, ""));
    };
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
