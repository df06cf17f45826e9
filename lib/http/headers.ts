/** On every response of the API, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Vary: "Accept",
  "X-Content-Type-Options": "nosniff",
  Link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
};

/**
 * The query of a request for a page that is stored, whose URL goes to Next.js without one: middleware.ts leads
 * back to it after a login. On a host without the shop's server a client may set it, for itself alone.
 */
export const QUERY_HEADER = "x-shop-query";

/**
 * The length of a streamed response in bytes. Next.js drops the `Content-Length` of routes;
 * lib/http/server/response.ts sets it from this internal header, which it removes.
 */
export const BODY_LENGTH = "x-body-length";
