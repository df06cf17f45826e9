import { ServerResponse } from "node:http";
import { env, siteUrl } from "@/lib/env";
import { cachedPageHeaders } from "@/lib/http/cache/cached-page-headers";
import { BODY_LENGTH } from "@/lib/http/headers";
import { replacementOf } from "@/lib/http/server/built-page";
import { CLOSED_POLICY, documentPolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { pathOf } from "@/lib/http/url";

// Intercepts every response before it is sent, whoever made it: pages, files, the API, Next.js itself.
// It adds the security headers (docs/decisions/030) and the length of files, for the browser's
// progress bar. Two kinds of documents are buffered until they are complete:
// - those without a content security policy, which are Next.js's error pages;
// - pages that called `notFound()` or could not be rendered. Next.js sends the right status but an
//   empty document, which the browser's script fills in (vercel/next.js#62228); without JavaScript
//   it stays blank. A page of the build (built-page.ts) is sent instead. To be removed once Next.js
//   sends a complete one.

/** How Next.js begins an empty document. */
const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';
const INTERCEPTED = Symbol.for("mini-ecommerce.outgoing-answers");
const BUFFER = Symbol("buffer");

type BufferedResponse = ServerResponse & { [BUFFER]?: Buffer[] | undefined };

/**
 * Called when the server starts; only the first call counts. Replaces the methods of all responses,
 * also of requests that came before and wait for Next.js to be ready.
 */
export function interceptResponses(): void {
  const global = globalThis as { [INTERCEPTED]?: true };
  if (global[INTERCEPTED]) return;
  global[INTERCEPTED] = true;
  const methods = responseMethods({
    headers: commonHeaders(),
    replaceBody: replacementOf,
    describePage: cachedPageHeaders(),
    isDevelopment: env().NODE_ENV === "development",
  });
  Object.assign(ServerResponse.prototype, methods);
}

/** The security headers besides the policy, by the configuration of this process. */
function commonHeaders(): [name: string, value: string][] {
  const headers: Record<string, string> = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "Permissions-Policy": permissions(),
    "Cross-Origin-Opener-Policy": "same-origin",
  };
  // Two years. Not over http, where browsers ignore it: a developer's localhost stays reachable.
  if (siteUrl().startsWith("https:"))
    headers["Strict-Transport-Security"] = "max-age=63072000; includeSubDomains";
  return Object.entries(headers);
}

/** The shop needs nothing of the device; wallets in Stripe's frame need the browser's payments. */
function permissions(): string {
  const payment = env().STRIPE_SECRET_KEY ? '(self "https://js.stripe.com")' : "()";
  const closed = ["camera", "display-capture", "geolocation", "microphone", "midi", "usb"];
  return [...closed.map((name) => `${name}=()`), `payment=${payment}`].join(", ");
}

/** Pictures and icons may be shown elsewhere: in mails, on social networks, by search engines. */
const EMBEDDABLE = /^\/(?:images|_next\/image|og|icons|favicon)\b/;

type Chunk = string | Uint8Array | null | undefined;
type Callback = (error?: Error | null) => void;

/** The methods by which a response is sent; exported for their test. */
export function responseMethods({
  headers,
  replaceBody,
  describePage,
  isDevelopment = false,
}: {
  headers: readonly [name: string, value: string][];
  /** Null for a response that keeps its body. */
  replaceBody: (response: ServerResponse, body: string) => Buffer | null;
  /** Adds the headers of a cached page. */
  describePage?: (response: ServerResponse) => void;
  /** The development server evaluates code in the page: its documents have no policy. */
  isDevelopment?: boolean;
}) {
  // Read before they are replaced.
  const { prototype } = ServerResponse;
  const original = {
    writeHead: prototype.writeHead,
    flushHeaders: prototype.flushHeaders,
    write: prototype.write,
    end: prototype.end,
  };

  function isDocument(response: BufferedResponse): boolean {
    return String(response.getHeader("content-type")).startsWith("text/html");
  }

  /** The chunks of a buffered response; undefined for one that is streamed. */
  function bufferOf(response: BufferedResponse): Buffer[] | undefined {
    if (response[BUFFER] || response.headersSent || isDevelopment) return response[BUFFER];
    const isFailed = response.statusCode === 404 || response.statusCode === 500;
    if (!isFailed && response.hasHeader(POLICY_HEADER)) return undefined;
    if (isDocument(response)) response[BUFFER] = [];
    return response[BUFFER];
  }

  function writeHead(this: BufferedResponse, ...args: unknown[]) {
    if (!this.headersSent) describePage?.(this);
    for (const [name, value] of headers) if (!this.hasHeader(name)) this.setHeader(name, value);
    if (!this.hasHeader("cross-origin-resource-policy"))
      this.setHeader(
        "Cross-Origin-Resource-Policy",
        EMBEDDABLE.test(this.req.url ?? "") ? "cross-origin" : "same-origin",
      );
    const length = this.getHeader(BODY_LENGTH);
    if (length !== undefined) {
      this.removeHeader(BODY_LENGTH);
      this.setHeader("Content-Length", length);
    }
    const hasPolicy = this.hasHeader(POLICY_HEADER);
    // A page's data (RSC), which is no document, comes with the page's policy.
    if (hasPolicy ? this.getHeader("content-type") === "text/x-component" : !isExempt(this))
      this.setHeader(POLICY_HEADER, CLOSED_POLICY);
    return Reflect.apply(original.writeHead, this, args);
  }

  const isExempt = (response: BufferedResponse) => isDevelopment && isDocument(response);

  function flushHeaders(this: BufferedResponse) {
    if (!bufferOf(this)) original.flushHeaders.call(this);
  }

  function write(this: BufferedResponse, chunk: Chunk, ...rest: unknown[]) {
    const buffer = bufferOf(this);
    if (!buffer) return Reflect.apply(original.write, this, [chunk, ...rest]);
    buffer.push(bytesOf(chunk));
    const callback = rest.find(isCallback);
    if (callback) queueMicrotask(() => callback());
    return true;
  }

  function end(this: BufferedResponse, ...args: unknown[]) {
    const buffer = bufferOf(this);
    if (!buffer) return Reflect.apply(original.end, this, args);
    if (!isCallback(args[0])) buffer.push(bytesOf(args[0] as Chunk));
    this[BUFFER] = undefined;
    const body = finalize({ response: this, body: Buffer.concat(buffer) });
    return Reflect.apply(original.end, this, [body, args.find(isCallback)]);
  }

  function finalize({ response, body }: { response: BufferedResponse; body: Buffer }): Buffer {
    const isEmpty = response.statusCode >= 400 && body.subarray(0, 60).includes(EMPTY_DOCUMENT);
    const replacement = isEmpty ? replaceBody(response, body.toString()) : null;
    const document = replacement ?? body;
    // A nonce belongs to a page that is rendered now, not to one of the build.
    const policy = String(response.getHeader(POLICY_HEADER) ?? "'nonce-");
    if (replacement || policy.includes("'nonce-")) {
      const path = pathOf(response.req.url ?? "");
      response.setHeader(POLICY_HEADER, policyOf(document, path));
    }
    // The answer to HEAD has no body, whatever its length says.
    if (document.length > 0) response.setHeader("Content-Length", document.length);
    return document;
  }

  const policies = new WeakMap<Buffer, string>();

  /** Computed once for the build's page, which is always the same buffer. */
  function policyOf(document: Buffer, path: string): string {
    const known = policies.get(document);
    if (known) return known;
    const policy = documentPolicy({ html: document.toString(), path });
    policies.set(document, policy);
    return policy;
  }

  return { writeHead, flushHeaders, write, end };
}

const isCallback = (value: unknown): value is Callback => typeof value === "function";

const bytesOf = (chunk: Chunk) =>
  typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk ?? []);
