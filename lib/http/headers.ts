/** On every response of the API, errors included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Vary: "Accept",
  Link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
};

/**
 * The length of a streamed response in bytes. Next.js drops the `Content-Length` of routes;
 * server.mjs sends this header instead of it, for the browser's progress bar.
 */
export const BODY_LENGTH = "x-body-length";
