import { ServerResponse } from "node:http";
import { env, siteUrl } from "@/lib/env";
import { replacementOf } from "@/lib/http/built-page";
import { cachedPageDescription } from "@/lib/http/cached-answers";
import { CLOSED_POLICY, documentPolicy, POLICY_HEADER } from "@/lib/http/content-security";
import { BODY_LENGTH } from "@/lib/http/headers";
import { pathOf } from "@/lib/http/url";

// Looks at every answer before it leaves, whoever made it: pages, files, the API's, Next.js's own.
// It adds the headers that protect a browser (docs/decisions/030), tells how long files are, so that
// browsers can show how far they are, and completes two kinds of documents, which it holds back until
// they are finished:
// - those that nobody gave a policy, which are Next.js's error pages;
// - pages that find that what they show does not exist (`notFound()`), or that cannot be rendered.
//   Next.js answers them with the right status but an empty document, which the browser's script
//   fills in: vercel/next.js#62228. Without JavaScript such a page stays blank, so a complete page
//   that the build has made (built-page.ts) is sent in its place. To be removed once Next.js does it.

/** How Next.js begins a document without content. */
const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';
const WATCHED = Symbol.for("mini-ecommerce.outgoing-answers");
const HELD = Symbol("held back");

type Answer = ServerResponse & { [HELD]?: Buffer[] | undefined };

/**
 * Called when the server starts; only the first call counts. The methods of all answers are replaced,
 * those included whose requests came before this and wait for Next.js to be ready.
 */
export function watchOutgoingAnswers(): void {
  const global = globalThis as { [WATCHED]?: true };
  if (global[WATCHED]) return;
  global[WATCHED] = true;
  const methods = completion({
    headers: commonHeaders(),
    readPage: replacementOf,
    describeAnswer: cachedPageDescription(),
    isDevelopment: env().NODE_ENV === "development",
  });
  Object.assign(ServerResponse.prototype, methods);
}

/** What the browser is told besides the policy, from the configuration of this process. */
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
const SHARED = /^\/(?:images|_next\/image|og|icons|favicon)\b/;

type Chunk = string | Uint8Array | null | undefined;
type Callback = (error?: Error | null) => void;

/** The methods of an answer, by which it leaves; exported for their test. */
export function completion({
  headers,
  readPage,
  describeAnswer,
  isDevelopment = false,
}: {
  headers: readonly [name: string, value: string][];
  /** Null for an answer that keeps what it has. */
  readPage: (answer: ServerResponse, body: string) => Buffer | null;
  /** Adds what is known of a cached page. */
  describeAnswer?: (answer: ServerResponse) => void;
  /** The development server evaluates code in the page: its documents have no policy. */
  isDevelopment?: boolean;
}) {
  // As they are now: what replaces them is about to stand in their place.
  const { prototype } = ServerResponse;
  const original = {
    writeHead: prototype.writeHead,
    flushHeaders: prototype.flushHeaders,
    write: prototype.write,
    end: prototype.end,
  };

  function isDocument(answer: Answer): boolean {
    return String(answer.getHeader("content-type")).startsWith("text/html");
  }

  /** The parts of an answer that is held back; undefined for one that is sent as it comes. */
  function heldOf(answer: Answer): Buffer[] | undefined {
    if (answer[HELD] || answer.headersSent || isDevelopment) return answer[HELD];
    const isFailed = answer.statusCode === 404 || answer.statusCode === 500;
    if (!isFailed && answer.hasHeader(POLICY_HEADER)) return undefined;
    if (isDocument(answer)) answer[HELD] = [];
    return answer[HELD];
  }

  function writeHead(this: Answer, ...args: unknown[]) {
    if (!this.headersSent) describeAnswer?.(this);
    for (const [name, value] of headers) if (!this.hasHeader(name)) this.setHeader(name, value);
    if (!this.hasHeader("cross-origin-resource-policy"))
      this.setHeader(
        "Cross-Origin-Resource-Policy",
        SHARED.test(this.req.url ?? "") ? "cross-origin" : "same-origin",
      );
    const length = this.getHeader(BODY_LENGTH);
    if (length !== undefined) {
      this.removeHeader(BODY_LENGTH);
      this.setHeader("Content-Length", length);
    }
    const hasPolicy = this.hasHeader(POLICY_HEADER);
    // A page's data, which is no document, brings the page's policy along.
    if (hasPolicy ? this.getHeader("content-type") === "text/x-component" : !isExempt(this))
      this.setHeader(POLICY_HEADER, CLOSED_POLICY);
    return Reflect.apply(original.writeHead, this, args);
  }

  const isExempt = (answer: Answer) => isDevelopment && isDocument(answer);

  function flushHeaders(this: Answer) {
    if (!heldOf(this)) original.flushHeaders.call(this);
  }

  function write(this: Answer, chunk: Chunk, ...rest: unknown[]) {
    const held = heldOf(this);
    if (!held) return Reflect.apply(original.write, this, [chunk, ...rest]);
    held.push(bytesOf(chunk));
    const callback = rest.find(isCallback);
    if (callback) queueMicrotask(() => callback());
    return true;
  }

  function end(this: Answer, ...args: unknown[]) {
    const held = heldOf(this);
    if (!held) return Reflect.apply(original.end, this, args);
    if (!isCallback(args[0])) held.push(bytesOf(args[0] as Chunk));
    this[HELD] = undefined;
    const body = finished({ answer: this, body: Buffer.concat(held) });
    return Reflect.apply(original.end, this, [body, args.find(isCallback)]);
  }

  function finished({ answer, body }: { answer: Answer; body: Buffer }): Buffer {
    const isEmpty = answer.statusCode >= 400 && body.subarray(0, 60).includes(EMPTY_DOCUMENT);
    const replacement = isEmpty ? readPage(answer, body.toString()) : null;
    const document = replacement ?? body;
    // A nonce was meant for a page that is rendered now, not for one of the build.
    const policy = String(answer.getHeader(POLICY_HEADER) ?? "'nonce-");
    if (replacement || policy.includes("'nonce-")) {
      const address = pathOf(answer.req.url ?? "");
      answer.setHeader(POLICY_HEADER, policyOf(document, address));
    }
    // The answer to HEAD has no body, whatever its length says.
    if (document.length > 0) answer.setHeader("Content-Length", document.length);
    return document;
  }

  const policies = new WeakMap<Buffer, string>();

  /** The build's page is always the same; others are looked through each time. */
  function policyOf(document: Buffer, address: string): string {
    const known = policies.get(document);
    if (known) return known;
    const policy = documentPolicy({ html: document.toString(), address });
    policies.set(document, policy);
    return policy;
  }

  return { writeHead, flushHeaders, write, end };
}

const isCallback = (value: unknown): value is Callback => typeof value === "function";

const bytesOf = (chunk: Chunk) =>
  typeof chunk === "string" ? Buffer.from(chunk) : Buffer.from(chunk ?? []);
