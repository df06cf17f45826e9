import { createHash } from "node:crypto";
import { env } from "@/lib/env";
import { AUTH_SCRIPT, EARLY_TAPS_SCRIPT, GREETING_SCRIPT } from "@/lib/http/server/inline-scripts";
import { log } from "@/lib/http/server/log";
import { paymentProvider } from "@/lib/payment-settings";

// Content security policies: docs/decisions/030. No page runs an inline script that the shop does not
// know, whatever has got into its HTML.

export const POLICY_HEADER = "content-security-policy";

/** Inline scripts and styles that a document may have, as sources: `'sha256-…'` or `'nonce-…'`. */
interface Inline {
  scripts: readonly string[];
  styles: readonly string[];
}

/** The only page that talks to the payment provider; it is always loaded as a document of its own. */
const CHECKOUT_PAGE = "/checkout";

/** The policy of a finished document. */
export function documentPolicy({ html, path }: { html: string; path: string }): string {
  return policyOf({ ...inlineOf(html), isCheckout: path === CHECKOUT_PAGE });
}

/** The demonstration's mails are shown in a frame that inherits the page's policy, and bring styles. */
const MAIL_PAGE = /^\/mailbox\b/;

/** An invoice that was made by hand may name a PDF anywhere on the web, which its screen saves. */
const BACK_OFFICE_PAGE = /^\/backoffice\b/;

/** The policy of a document that is yet to be rendered, with the nonce of its scripts. */
export function noncePolicy({ nonce, path }: { nonce: string; path: string }): string {
  const source = `'nonce-${nonce}'`;
  const styles = [MAIL_PAGE.test(path) ? "'unsafe-inline'" : source];
  // The scripts in <head> are in cached pages, too, and have no nonce.
  const scripts = [source, hashSource(AUTH_SCRIPT), hashSource(EARLY_TAPS_SCRIPT)];
  const connections = BACK_OFFICE_PAGE.test(path) ? WEB : [];
  return policyOf({ scripts, styles, connections });
}

/** Anywhere on the web. */
const WEB = ["https:", "http:"];

/** @param connections hosts that the page's scripts may read from besides */
function policyOf({
  scripts,
  styles,
  isCheckout = false,
  connections = [],
}: Inline & { isCheckout?: boolean; connections?: readonly string[] }): string {
  const analytics = analyticsOrigin();
  const payment = isCheckout ? paymentSources() : NO_SOURCES;
  const directives: Record<string, readonly (string | null)[]> = {
    "default-src": ["'none'"],
    "script-src": ["'self'", ...scripts, analytics, ...payment.scripts],
    "style-src": ["'self'", ...styles],
    // Ratings and colours are style attributes, which can hold neither rules nor selectors.
    "style-src-attr": ["'unsafe-inline'"],
    // A product's picture may be anywhere on the web.
    "img-src": ["'self'", "data:", "blob:", ...WEB],
    "font-src": ["'self'"],
    "connect-src": ["'self'", analytics, ...payment.connections, ...connections],
    "manifest-src": ["'self'"],
    ...(payment.frames.length > 0 && { "frame-src": payment.frames }),
    "form-action": ["'self'"],
    "base-uri": ["'none'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...new Set(sources.filter(Boolean))].join(" "))
    .join("; ");
}

type PaymentSources = Record<"scripts" | "frames" | "connections", readonly string[]>;

const NO_SOURCES: PaymentSources = { scripts: [], frames: [], connections: [] };

/** https://docs.stripe.com/security/guide#content-security-policy */
const STRIPE: PaymentSources = {
  scripts: ["https://js.stripe.com", "https://*.js.stripe.com"],
  frames: ["https://js.stripe.com", "https://*.js.stripe.com", "https://hooks.stripe.com"],
  connections: ["https://api.stripe.com"],
};

function paymentSources(): PaymentSources {
  const { isSandbox, apiBase } = paymentProvider();
  return isSandbox ? { ...NO_SOURCES, connections: [new URL(apiBase).origin] } : STRIPE;
}

function analyticsOrigin(): string | null {
  const { MATOMO_URL } = env();
  return MATOMO_URL ? new URL(MATOMO_URL).origin : null;
}

const hashSource = (text: string) =>
  `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const INLINE = /<(script|style)\b([^>]*)>([\s\S]*?)<\/\1>/g;

/** The inline scripts that the shop knows, and all inline styles. */
function inlineOf(html: string): Inline {
  const scripts: string[] = [];
  const styles: string[] = [];
  for (const [, element, attributes = "", text = ""] of html.matchAll(INLINE)) {
    if (element === "style") styles.push(hashSource(text));
    else if (isExecuted(attributes) && isKnownScript(text)) scripts.push(hashSource(text));
  }
  return { scripts, styles };
}

/** Structured data (JSON-LD) is not executed, and a script with `src` is not inline. */
const isExecuted = (attributes: string) => !/\s(?:src|type)=/.test(attributes);

const OWN_SCRIPTS: ReadonlySet<string> = new Set([AUTH_SCRIPT, EARLY_TAPS_SCRIPT, GREETING_SCRIPT]);

/** Calls by which Next.js passes a page's data to its scripts: one argument, which is JSON. */
const DATA_CALLS = [
  /^self\.__next_f\.push\((\[.*\])\)$/s,
  /^\(self\.__next_f=self\.__next_f\|\|\[\]\)\.push\((\[.*\])\)$/s,
  /^\(globalThis\["TURBOPACK"\] \|\| \(globalThis\["TURBOPACK"\] = \[\]\)\)\.push\((\{.*\})\);$/s,
];

/**
 * Is it one of the shop's own scripts, or a call of Next.js that holds only data? Any other inline
 * script is a mistake or an injection, and does not run.
 */
export function isKnownScript(text: string): boolean {
  const isKnown = OWN_SCRIPTS.has(text) || DATA_CALLS.some((call) => isJson(call.exec(text)?.[1]));
  if (!isKnown) log.error({ length: text.length }, "an unknown inline script will not run");
  return isKnown;
}

function isJson(text: string | undefined): boolean {
  if (text === undefined) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
