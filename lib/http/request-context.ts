import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** What may stand in an `X-Request-Id` that a proxy sends: its own number, and no text. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** What cache-handler.mjs notes of a page's entry. */
export interface PageEntry {
  tags: readonly string[];
  /** When the reading began that made it, in milliseconds. */
  lastModified: number;
}

/** One request, from its first byte to the last thing that is done because of it. */
export class RequestContext {
  /** `performance.now()` at its beginning. */
  readonly startedAt = performance.now();
  /** As it was asked for; Next.js writes another one over it. */
  readonly url: string;
  /** Noted by cache-handler.mjs: what the answer shows. */
  page: PageEntry | undefined;
  /** Where it comes from; known of requests that a rendering may come of (lib/http/renderings.ts). */
  network: string | undefined;
  private made: string | undefined;

  constructor({ url, id }: { url: string; id: unknown }) {
    this.url = url;
    if (typeof id === "string" && WELL_FORMED.test(id)) this.made = id;
  }

  /** Finds its lines in the log. Made when first asked for: most requests write no line. */
  get id(): string {
    this.made ??= randomUUID();
    return this.made;
  }
}

// Next.js may load this module once per bundle; what one enters the others must find.
const KEY = Symbol.for("mini-ecommerce.request-context");
const shared = globalThis as { [KEY]?: AsyncLocalStorage<RequestContext> };
shared[KEY] ??= new AsyncLocalStorage<RequestContext>();
const storage = shared[KEY];

const CONTEXT = Symbol.for("mini-ecommerce.request");
type Answering = ServerResponse & { [CONTEXT]?: RequestContext };

/** Everything that follows in this turn of the event loop, and comes of it, is part of the request. */
export function enterRequest(context: RequestContext, response: ServerResponse): void {
  storage.enterWith(context);
  (response as Answering)[CONTEXT] = context;
}

/** The request that an answer belongs to; undefined for one that came before it was looked for. */
export const requestOf = (response: ServerResponse): RequestContext | undefined =>
  (response as Answering)[CONTEXT];

/** The request that is being answered; undefined for what the shop does by itself. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
