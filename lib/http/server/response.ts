import { type IncomingMessage, ServerResponse } from "node:http";
import { env, siteUrl } from "@/lib/env";
import { setCacheHeaders } from "@/lib/http/cache/cached-page-headers";
import { BODY_LENGTH } from "@/lib/http/headers";
import { CLOSED_POLICY, documentPolicy, POLICY_HEADER } from "@/lib/http/server/content-security";
import { replacementOf } from "@/lib/http/server/error-page";
import type { RequestContext } from "@/lib/http/server/request-context";
import { isKept, keepDocument } from "@/lib/http/server/stored-page";
import { pathOf } from "@/lib/http/url";
import { EMPTY_DOCUMENT } from "@/lib/workarounds/empty-documents";

// The server's responses, whoever makes them: pages, files, the API, Next.js itself. The class adds the
// security headers (docs/decisions/030) and the length of files, for the browser's
// progress bar. Two kinds of documents are buffered until they are complete:
// - those without a content security policy, which are Next.js's error pages;
// - pages that called `notFound()` or could not be rendered, for which Next.js sends an empty document:
//   lib/workarounds/empty-documents.ts.

/** A response that knows its request. */
export type ShopResponse = ServerResponse & { context: RequestContext | undefined };

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

const resourcePolicy = ({ url = "" }: IncomingMessage) =>
  EMBEDDABLE.test(url) ? "cross-origin" : "same-origin";

type Chunk = string | Uint8Array | null | undefined;
type Callback = (error?: Error | null) => void;

const policies = new WeakMap<Buffer, string>();

/** Computed once for the build's page, which is always the same buffer. */
function policyOf(document: Buffer, path: string): string {
  const known = policies.get(document);
  if (known) return known;
  const policy = documentPolicy({ html: document.toString(), path });
  policies.set(document, policy);
  return policy;
}

/**
 * The class of the responses of this process's server, by its configuration.
 *
 * @param replaceBody null for a response that keeps its body
 * @param isDevelopment the development server evaluates code in the page: its documents have no policy
 */
export function shopResponseClass({
  replaceBody = replacementOf,
  isDevelopment = env().NODE_ENV === "development",
} = {}) {
  const headers = commonHeaders();
  return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
    context: RequestContext | undefined;
    /** The chunks of a response that is held back. */
    private chunks: Buffer[] | undefined;

    override writeHead(...args: unknown[]): this {
      if (!this.headersSent && this.context) setCacheHeaders(this.context);
      const resource: [string, string] = ["Cross-Origin-Resource-Policy", resourcePolicy(this.req)];
      for (const [name, value] of [...headers, resource])
        if (!this.hasHeader(name)) this.setHeader(name, value);
      const length = this.getHeader(BODY_LENGTH);
      if (length !== undefined) {
        this.removeHeader(BODY_LENGTH);
        this.setHeader("Content-Length", length);
      }
      const hasPolicy = this.hasHeader(POLICY_HEADER);
      // A page's data (RSC), which is no document, comes with the page's policy.
      const isClosed = hasPolicy
        ? this.getHeader("content-type") === "text/x-component"
        : !(isDevelopment && this.isDocument());
      if (isClosed) this.setHeader(POLICY_HEADER, CLOSED_POLICY);
      return Reflect.apply(super.writeHead, this, args);
    }

    override flushHeaders(): void {
      if (!this.heldBack()) super.flushHeaders();
    }

    override write(chunk: unknown, ...rest: unknown[]): boolean {
      const chunks = this.heldBack();
      if (!chunks) return Reflect.apply(super.write, this, [chunk, ...rest]);
      chunks.push(bytesOf(chunk as Chunk));
      const callback = rest.find(isCallback);
      if (callback) queueMicrotask(() => callback());
      return true;
    }

    override end(...args: unknown[]): this {
      const chunks = this.heldBack();
      if (!chunks) return Reflect.apply(super.end, this, args);
      if (!isCallback(args[0])) chunks.push(bytesOf(args[0] as Chunk));
      this.chunks = undefined;
      const body = this.completed(Buffer.concat(chunks));
      const end = () => Reflect.apply(super.end, this, [body, args.find(isCallback)]);
      if (!this.context || !isKept(this.context)) return end();
      // Whoever has the page may ask for it again at once.
      keepDocument(this.context, body).then(end, end);
      return this;
    }

    private isDocument(): boolean {
      return String(this.getHeader("content-type")).startsWith("text/html");
    }

    /** The chunks so far; undefined for a response that is streamed. */
    private heldBack(): Buffer[] | undefined {
      if (this.chunks || this.headersSent || isDevelopment) return this.chunks;
      const isFailed = this.statusCode === 404 || this.statusCode === 500;
      if (!isFailed && this.hasHeader(POLICY_HEADER)) return undefined;
      if (this.isDocument()) this.chunks = [];
      return this.chunks;
    }

    /** What is sent of a document that was held back. */
    private completed(body: Buffer): Buffer {
      const isEmpty = this.statusCode >= 400 && body.subarray(0, 60).includes(EMPTY_DOCUMENT);
      const replacement = isEmpty ? replaceBody(this, body.toString()) : null;
      const document = replacement ?? body;
      // A nonce belongs to a page that is rendered now, not to one of the build.
      const policy = String(this.getHeader(POLICY_HEADER) ?? "'nonce-");
      if (replacement || policy.includes("'nonce-")) {
        const path = pathOf(this.req.url ?? "");
        this.setHeader(POLICY_HEADER, policyOf(document, path));
      }
      // The answer to HEAD has no body, whatever its length says.
      if (document.length > 0) this.setHeader("Content-Length", document.length);
      return document;
    }
  };
}

const isCallback = (value: unknown): value is Callback => typeof value === "function";

const bytesOf = (chunk: Chunk) =>
  typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk ?? []);
