// If a page calls `notFound()`, Next.js (16.4 and before) sends the right status but an empty document, which its script
// fills in: https://github.com/vercel/next.js/issues/62228. Without JavaScript the page stays blank.
// lib/http/cache/stored-pages.ts stores the page for unknown addresses instead.
// e2e/api/both-ways.spec.ts fails once Next.js sends complete documents.

/** The beginning of Next.js's empty document. */
export const EMPTY_DOCUMENT = '<!DOCTYPE html><html id="__next_error__">';
