import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";

/** What may stand in an `X-Request-Id` that a proxy sends: its own number, and no text. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** A page's entry in cache-handler.mjs, as far as others read it. */
export interface PageEntry {
  key: string;
  tags: readonly string[];
  /** When its rendering began, in milliseconds. */
  lastModified: number;
  /** Seconds until it expires. */
  cacheControl?: { revalidate?: number | false | undefined } | undefined;
  value: {
    /** The HTML of a cached page. */
    document?(how: { isGzip: boolean }): Buffer;
  };
}

/** One request, from its first byte to the last thing done because of it. */
export class RequestContext {
  /** `performance.now()` at its beginning. */
  readonly startedAt = performance.now();
  /** As it was requested; Next.js overwrites `request.url`. */
  readonly url: string;
  /** Set by cache-handler.mjs: the cached page that is the response. */
  page: PageEntry | undefined;
  /** The URL, where it alone decides which document is the response (stored-pages.ts). */
  documentUrl: string | undefined;
  /** The client's network; set for requests that may render a page (renderings.ts). */
  network: string | undefined;
  /** Set by `enterRequestContext`. */
  response: ServerResponse | undefined;
  private generatedId: string | undefined;

  constructor({ url, id }: { url: string; id: unknown }) {
    this.url = url;
    if (typeof id === "string" && WELL_FORMED.test(id)) this.generatedId = id;
  }

  /** Stands in its log lines. Generated at first use: most requests write none. */
  get id(): string {
    this.generatedId ??= randomUUID();
    return this.generatedId;
  }
}

// Next.js may load this module once per bundle; all share one storage.
const KEY = Symbol.for("mini-ecommerce.request-context");
const shared = globalThis as { [KEY]?: AsyncLocalStorage<RequestContext> };
shared[KEY] ??= new AsyncLocalStorage<RequestContext>();
const storage = shared[KEY];

const CONTEXT = Symbol.for("mini-ecommerce.request");
type ResponseWithContext = ServerResponse & { [CONTEXT]?: RequestContext };

/** What follows in this turn of the event loop, and its continuations, belongs to the request. */
export function enterRequestContext(context: RequestContext, response: ServerResponse): void {
  storage.enterWith(context);
  context.response = response;
  (response as ResponseWithContext)[CONTEXT] = context;
}

/** The request that a response belongs to; undefined for one that came before the interception. */
export const requestContextOf = (response: ServerResponse): RequestContext | undefined =>
  (response as ResponseWithContext)[CONTEXT];

/** The request that is being answered; undefined for background work. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
