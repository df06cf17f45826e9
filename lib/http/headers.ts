/** On every answer of the API, refusals included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Vary: "Accept",
  "X-Content-Type-Options": "nosniff",
  Link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
};
