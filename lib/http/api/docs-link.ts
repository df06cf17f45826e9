import { env, siteUrl } from "@/lib/env";

export const DOCS_PATH = "/api/docs.jsonld";

const REL = 'rel="http://www.w3.org/ns/hydra/core#apiDocumentation"';

/**
 * The link to the documentation, first as an absolute URL: API Platform's client library takes the first one as it is, to
 * read it and to resolve the paths of an error. Made from the request's host: not for other clients.
 */
export function docsLink(request: Request): string {
  return `<${originOf(request)}${DOCS_PATH}>; ${REL}, <${DOCS_PATH}>; ${REL}`;
}

/** The configured origin, or the request's own, as far as the proxy is trusted. */
function originOf({ headers }: Request): string {
  const host = headers.get("host") ?? "";
  const { SITE_URL, TRUST_PROXY } = env();
  if (SITE_URL || !/^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(host)) return siteUrl();
  const isSecure = TRUST_PROXY > 0 && headers.get("x-forwarded-proto") === "https";
  return `${isSecure ? "https" : "http"}://${host}`;
}
