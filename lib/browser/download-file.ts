import { type ApiRequest, callApiForFile } from "@/lib/api-client";

interface Download extends Pick<ApiRequest, "method" | "json" | "accept"> {
  /** Starts with `/api`. */
  path: string;
  name: string;
}

/** Downloads a file from the API, a PDF by default, with the visitor's token. @throws ApiError */
export async function downloadFile({ path, name, ...request }: Download): Promise<void> {
  const blob = await callApiForFile(path, {
    accept: "application/pdf",
    ...request,
    as: "session",
  });
  saveBlob({ blob, name });
}

/** Makes the browser save a blob as a file. */
export function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers start to read the URL only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
