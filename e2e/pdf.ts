import { expect } from "@playwright/test";
import { extractText, getDocumentProxy } from "unpdf";

/** The text of a PDF, with every space a plain one. */
export async function textOfPdf(pdf: Uint8Array): Promise<string> {
  const document = await getDocumentProxy(new Uint8Array(pdf));
  const { text } = await extractText(document, { mergePages: true });
  return text.replace(/\s+/g, " ");
}

export async function downloadPdf({
  shop,
  path,
  token,
}: {
  shop: { baseURL: string };
  path: string;
  token: string;
}): Promise<Uint8Array> {
  const response = await fetch(`${shop.baseURL}${path}`, {
    headers: { Authorization: `Bearer ${token}`, Accept: "application/pdf" },
  });
  expect(response.status, path).toBe(200);
  return new Uint8Array(await response.arrayBuffer());
}
