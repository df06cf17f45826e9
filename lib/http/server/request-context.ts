import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import type { Entry } from "@/lib/http/cache/store";
import { perProcess } from "@/lib/per-process";

/** What may stand in an `X-Request-Id` that a proxy sends: its own number, and no text. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

/** One request, from its first byte to the last thing done because of it. */
export class RequestContext {
  /** `performance.now()` at its beginning. */
  readonly startedAt = performance.now();
  /** As it was requested; Next.js overwrites `request.url`. */
  readonly url: string;
  /** Set by the cache handler: the cached page that is the response. */
  page: Entry | undefined;
  /** Of a public page: it alone decides which stored page is the response (page.ts). */
  pagePath: string | undefined;
  /**
   * Of a public page that is rendered for this request, and kept for others that ask for the same: its
   * canonical URL, what it depends on, and for how many seconds. All others are stored by Next.js.
   */
  keep: { url: string; tags: readonly string[]; seconds: number } | undefined;
  /** Is that page asked for as a document? Set by stored-page.ts. */
  isDocument = false;
  /** The IP at the other end of the socket, which Next.js does not tell route handlers. */
  readonly peer: string | undefined;
  /** Does it come from the machine that the shop runs on? Set by page.ts for pages that ask. */
  isLocal = false;
  /** Releases its permit (limits.ts). */
  permit: (() => void) | undefined;
  private generatedId: string | undefined;

  constructor(
    { url = "/", headers, socket }: Pick<IncomingMessage, "url" | "headers" | "socket">,
    readonly response: ServerResponse,
  ) {
    this.url = url;
    this.peer = socket.remoteAddress;
    const id = headers["x-request-id"];
    // Without a proxy it is the client's own, which may be anything.
    if (env().TRUST_PROXY > 0 && typeof id === "string" && WELL_FORMED.test(id))
      this.generatedId = id;
  }

  /** Stands in its log lines. Generated at first use: most requests write none. */
  get id(): string {
    this.generatedId ??= randomUUID();
    return this.generatedId;
  }

  /** The permit's release, once: who takes it calls it. */
  takePermit(): (() => void) | undefined {
    const { permit } = this;
    this.permit = undefined;
    return permit;
  }
}

const storage = perProcess("request-context", () => new AsyncLocalStorage<RequestContext>());

/** Runs a function, and whatever it begins, as part of a request. */
export function runInRequest<T>(context: RequestContext, run: () => T): T {
  return storage.run(context, run);
}

/** The request that is being answered; undefined for background work. */
export function currentRequest(): RequestContext | undefined {
  return storage.getStore();
}
