import { isIP } from "node:net";

/**
 * Passes the IP at the other end of the socket to route handlers. Next.js gives them no socket, and
 * keeps an `X-Forwarded-For` that the client itself has sent; this header is overwritten on every
 * request before Next.js sees it, so it cannot be forged.
 */
export const PEER_HEADER = "x-shop-peer-address";

/**
 * The client's IP. Each of `trustedProxies` proxies appends the IP it was called from to
 * `X-Forwarded-For`, so that many entries from the right are trusted and no others: whatever the
 * client writes there itself stands further left. A request with fewer entries has not come through
 * all of the proxies: the client may have written any of them, so the socket's IP counts.
 */
export function clientIp(headers: Headers, trustedProxies: number): string {
  if (trustedProxies > 0) {
    const forwarded = (headers.get("x-forwarded-for") ?? "")
      .split(",")
      .filter((part) => part.trim());
    const entry = forwarded.at(-trustedProxies);
    const ip = entry === undefined ? null : parseIp(entry);
    if (ip !== null) return ip;
  }
  return parseIp(headers.get(PEER_HEADER) ?? "") ?? "unknown";
}

/**
 * The same for rate limits: an IPv6 network of 64 bits is one subscriber, who may use any IP of it.
 */
export function clientNetwork(headers: Headers, trustedProxies: number): string {
  const ip = clientIp(headers, trustedProxies);
  return isIP(ip) === 6 ? `${expandIpv6(ip).slice(0, 4).join(":")}::/64` : ip;
}

/** Without port, brackets, zone and the IPv6 form of IPv4; null for what is no IP. */
function parseIp(text: string): string | null {
  let ip = text.trim().toLowerCase();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(ip);
  if (bracketed?.[1]) ip = bracketed[1];
  else if (/^[\d.]+:\d+$/.test(ip)) ip = ip.slice(0, ip.indexOf(":"));
  const zone = ip.indexOf("%");
  if (zone !== -1) ip = ip.slice(0, zone);
  const mapped = /^::ffff:([\d.]+)$/.exec(ip);
  if (mapped?.[1]) ip = mapped[1];
  return isIP(ip) === 0 ? null : ip;
}

/** The eight groups of an IPv6, without leading zeros. */
function expandIpv6(ip: string): string[] {
  const [head = "", tail] = ip.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, missing)).fill("0"), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ""),
  );
}
