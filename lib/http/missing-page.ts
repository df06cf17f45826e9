import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import path from "node:path";

// Where a page finds that what it shows does not exist (`notFound()`), Next.js answers with the right
// status but an empty document, which the browser's script fills in: vercel/next.js#62228. Without
// JavaScript such a page stays blank, so the complete page that the build has made for unknown
// addresses (global-not-found.tsx) is sent in its place. To be removed once Next.js does it.

/** How Next.js begins a document without content. */
const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';
const SUBSCRIBED = Symbol.for("mini-ecommerce.missing-pages");

/** Called when the server starts; only the first call counts. */
export function watchMissingPages(): void {
  const global = globalThis as { [SUBSCRIBED]?: true };
  if (global[SUBSCRIBED]) return;
  global[SUBSCRIBED] = true;
  subscribe("http.server.request.start", (message) => {
    completeMissingPage({ ...(message as { response: ServerResponse }), readPage: builtPage });
  });
}

let page: Buffer | null | undefined;

/** The build's page for unknown addresses; null where there is none (development). */
function builtPage(): Buffer | null {
  if (page !== undefined) return page;
  try {
    page = readFileSync(path.resolve(".next/server/app/_not-found.html"));
  } catch {
    page = null;
  }
  return page;
}

type Chunk = string | Uint8Array | null | undefined | (() => void);

/** Puts the complete page in the place of an empty one with status 404, as it is being sent. */
export function completeMissingPage({
  response,
  readPage,
}: {
  response: ServerResponse;
  readPage: () => Buffer | null;
}): void {
  const { write, end } = response;
  let complete: Buffer | null = null;

  function isReplaced(chunk: Chunk): boolean {
    if (complete) return true;
    if (response.statusCode !== 404 || response.headersSent || !beginsEmpty(chunk)) return false;
    complete = readPage();
    return complete !== null;
  }

  response.write = ((chunk: Chunk, ...rest: unknown[]) =>
    isReplaced(chunk) || Reflect.apply(write, response, [chunk, ...rest])) as typeof write;
  response.end = ((chunk?: Chunk, ...rest: unknown[]) => {
    if (!isReplaced(chunk) || !complete) return Reflect.apply(end, response, [chunk, ...rest]);
    response.setHeader("Content-Length", complete.length);
    return Reflect.apply(end, response, [complete]);
  }) as typeof end;
}

function beginsEmpty(chunk: Chunk): boolean {
  if (typeof chunk === "string") return chunk.startsWith(EMPTY_DOCUMENT);
  if (!(chunk instanceof Uint8Array)) return false;
  return (
    Buffer.from(chunk.buffer, chunk.byteOffset, EMPTY_DOCUMENT.length).toString("latin1") ===
    EMPTY_DOCUMENT
  );
}
