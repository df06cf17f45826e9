import { subscribe } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { replacementOf } from "./built-page";

// Where a page finds that what it shows does not exist (`notFound()`), or cannot be rendered, Next.js
// answers with the right status but an empty document, which the browser's script fills in:
// vercel/next.js#62228. Without JavaScript such a page stays blank, so a complete page that the build
// has made is sent in its place. To be removed once Next.js does it.

/** How Next.js begins a document without content. */
const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';
const SUBSCRIBED = Symbol.for("mini-ecommerce.missing-pages");

/** Called when the server starts; only the first call counts. */
export function watchMissingPages(): void {
  const global = globalThis as { [SUBSCRIBED]?: true };
  if (global[SUBSCRIBED]) return;
  global[SUBSCRIBED] = true;
  subscribe("http.server.request.start", (message) => {
    completeMissingPage({ ...(message as { response: ServerResponse }), readPage: replacementOf });
  });
}

type Chunk = string | Uint8Array | null | undefined | (() => void);

/** Puts a complete page in the place of an empty one with status 404 or 500, as it is being sent. */
export function completeMissingPage({
  response,
  readPage,
}: {
  response: ServerResponse;
  /** Null for an answer that keeps what it has. */
  readPage: (response: ServerResponse, body: string) => Buffer | null;
}): void {
  const { write, end, flushHeaders } = response;
  const mayBeEmpty = () => response.statusCode === 404 || response.statusCode === 500;
  /** An empty document, held back until it is known as a whole. */
  let empty: Buffer | null = null;

  function isHeldBack(chunk: Chunk): boolean {
    // All other answers, nearly all of them, cost no more than this.
    if (!empty && (!mayBeEmpty() || response.headersSent)) return false;
    const bytes = bytesOf(chunk);
    if (empty) empty = Buffer.concat([empty, bytes]);
    else if (bytes.indexOf(EMPTY_DOCUMENT) === 0) empty = bytes;
    return empty !== null;
  }

  // They go with the first bytes, which decide about them.
  response.flushHeaders = () => {
    if (!mayBeEmpty()) flushHeaders.call(response);
  };
  response.write = ((chunk: Chunk, ...rest: unknown[]) =>
    isHeldBack(chunk) || Reflect.apply(write, response, [chunk, ...rest])) as typeof write;
  response.end = ((chunk?: Chunk, ...rest: unknown[]) => {
    if (!isHeldBack(chunk) || !empty) return Reflect.apply(end, response, [chunk, ...rest]);
    const document = readPage(response, empty.toString()) ?? empty;
    response.setHeader("Content-Length", document.length);
    return Reflect.apply(end, response, [document]);
  }) as typeof end;
}

function bytesOf(chunk: Chunk): Buffer {
  if (typeof chunk === "string") return Buffer.from(chunk);
  return chunk instanceof Uint8Array ? Buffer.from(chunk) : Buffer.alloc(0);
}
