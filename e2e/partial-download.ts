import type { Api } from "./api-client";
import { expect } from "./fixtures";

/**
 * Expects that an interrupted download can be resumed, and that a file replaced in the meantime is sent
 * as a whole.
 *
 * @param content the file's content; ASCII only
 * @param replace replaces the file's content
 */
export async function expectResumable({
  api,
  link,
  content,
  replace,
}: {
  api: Api;
  link: string;
  content: string;
  replace: (content: string) => Promise<void> | void;
}): Promise<void> {
  const size = Buffer.byteLength(content);
  const part = (range: string, more: Record<string, string> = {}) =>
    api.get(link, { headers: { Range: range, ...more } });

  const first = await part("bytes=0-9");
  expect([first.status, first.text]).toEqual([206, content.slice(0, 10)]);
  expect(first.headers).toMatchObject({
    "content-range": `bytes 0-9/${size}`,
    "content-length": "10",
  });
  const rest = await part("bytes=10-", { "If-Range": String(first.headers.etag) });
  expect([rest.status, first.text + rest.text]).toEqual([206, content]);
  const last = await part("bytes=-4");
  expect([last.status, last.text]).toEqual([206, content.slice(-4)]);
  const beyond = await part(`bytes=${size}-`);
  expect([beyond.status, beyond.headers["content-range"]]).toEqual([416, `bytes */${size}`]);

  await replace(`${content} Nouvelle édition.`);
  const other = await part("bytes=10-", { "If-Range": String(first.headers.etag) });
  expect([other.status, other.text]).toEqual([200, `${content} Nouvelle édition.`]);
}
