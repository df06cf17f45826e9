/** On every answer of the API, refusals included. */
export const COMMON_HEADERS: Readonly<Record<string, string>> = {
  Vary: "Accept",
  "X-Content-Type-Options": "nosniff",
  Link: '</api/docs.jsonld>; rel="http://www.w3.org/ns/hydra/core#apiDocumentation"',
};

/**
 * How many bytes a streamed answer has. Next.js takes `Content-Length` out of what routes give it;
 * lib/http/outgoing.ts makes it of this header, which does not leave the shop.
 */
export const BODY_LENGTH = "x-body-length";
