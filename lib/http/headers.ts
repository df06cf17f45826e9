/** On every response of the API, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Vary: "Accept",
  "X-Content-Type-Options": "nosniff",
  Link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
};

/**
 * The length of a streamed response in bytes. Next.js drops the `Content-Length` of routes;
 * lib/http/server/response.ts sets it from this internal header, which it removes.
 */
export const BODY_LENGTH = "x-body-length";
