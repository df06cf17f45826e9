import { isIP } from "node:net";

/**
 * Is a `Host` header this machine's own, or that of a site it is part of? Whoever owns another name can have it lead
 * here (DNS rebinding): to a browser, their page is then one of this server's. An address, or `localhost`, cannot be
 * made to lead elsewhere.
 *
 * @param site the origin of the site
 */
export function isOwnHost(host: string | null | undefined, site?: string): boolean {
  const name = nameOf(`http://${host ?? ""}`);
  if (name === null) return false;
  return name === "localhost" || isIP(name) !== 0 || (site !== undefined && name === nameOf(site));
}

/** The host name of a URL in small letters, an IPv6 address without its brackets; null for what is no URL. */
function nameOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  return new URL(url).hostname.replace(/^\[|\]$/g, "");
}
