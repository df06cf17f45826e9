import type { NextConfig } from "next";

// The headers of every response that do not depend on it: next.config.ts. The build writes them down, so they depend on
// no configuration. Content security policies of documents: lib/http/server/content-security.ts.

/** The shop needs nothing of the device; wallets in Stripe's frame need the browser's payments. */
const PERMISSIONS = [
  ...["camera", "display-capture", "geolocation", "microphone", "midi", "usb"].map(
    (name) => `${name}=()`,
  ),
  'payment=(self "https://js.stripe.com")',
].join(", ");

/** For every response that is no document: opened by itself it loads and runs nothing. */
export const CLOSED_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** No cache may keep the response. As Next.js words it. */
export const NO_CACHE = "private, no-cache, no-store, max-age=0, must-revalidate";

/** Pictures and icons may be shown elsewhere: in mails, on social networks, by search engines. */
const EMBEDDABLE = "/:folder(images|_next/image|og|icons|favicon.ico)/:path*";

/** Paths that answer with no document. Calls of the API get the policy in lib/http/api/call.ts: a few answer with a document. */
const NO_DOCUMENT = [
  "/:folder(_next|images|icons|og|downloads|.well-known)/:path*",
  "/:file(robots.txt|sitemap.xml|feed.xml|favicon.ico|manifest.webmanifest|apple-icon.png)",
];

const header = (key: string, value: string) => ({ key, value });

export const securityHeaders: Awaited<ReturnType<NonNullable<NextConfig["headers"]>>> = [
  {
    source: "/:path*",
    headers: [
      header("X-Content-Type-Options", "nosniff"),
      header("X-Frame-Options", "DENY"),
      header("Referrer-Policy", "strict-origin-when-cross-origin"),
      header("Permissions-Policy", PERMISSIONS),
      header("Cross-Origin-Opener-Policy", "same-origin"),
      header("Cross-Origin-Resource-Policy", "same-origin"),
    ],
  },
  { source: EMBEDDABLE, headers: [header("Cross-Origin-Resource-Policy", "cross-origin")] },
  ...NO_DOCUMENT.map((source) => ({
    source,
    headers: [header("Content-Security-Policy", CLOSED_POLICY)],
  })),
  {
    // The parts of a page that the router loads ahead. Next.js sends them without the page's own headers, so no cache in
    // front could purge them, and Chromium would show them for up to an hour (vercel/next.js#96801).
    source: "/:path*",
    has: [{ type: "header", key: "next-router-segment-prefetch" }],
    headers: [header("Cache-Control", NO_CACHE), header("Content-Security-Policy", CLOSED_POLICY)],
  },
  {
    // Two years. Not for a developer's own machine, whose other servers stay reachable without TLS.
    source: "/:path*",
    has: [{ type: "header", key: "x-forwarded-proto", value: "https" }],
    missing: [{ type: "host", value: "localhost" }],
    headers: [header("Strict-Transport-Security", "max-age=63072000; includeSubDomains")],
  },
];
