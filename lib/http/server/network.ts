import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { env } from "@/lib/env";

/**
 * Passes the IP at the other end of the socket to route handlers. Next.js gives them no socket, and
 * keeps an `X-Forwarded-For` that the client itself has sent; this header is overwritten on every
 * request before anything else reads it (own-headers.ts), so it cannot be forged.
 */
export const PEER_HEADER = "x-shop-peer-address";

/** Of a `Request`, or of Node.js's message. */
type AnyHeaders = Headers | IncomingHttpHeaders;

/** The client's network, for limits: an IPv6 network of 64 bits is one subscriber, who may use any IP of it. */
export function networkOf(
  { headers }: { headers: AnyHeaders },
  trustedProxies = env().TRUST_PROXY,
): string {
  const ip = clientIp(headers, trustedProxies);
  return isIP(ip) === 6 ? `${expandIpv6(ip).slice(0, 4).join(":")}::/64` : ip;
}

/** The client's IP, as far as the proxies are trusted; otherwise the socket's. */
export function clientIp(headers: AnyHeaders, trustedProxies: number): string {
  const forwarded = forwardedIp(textOf(headers, "x-forwarded-for"), trustedProxies);
  return forwarded ?? parseIp(textOf(headers, PEER_HEADER)) ?? "unknown";
}

/**
 * The client's IP by `X-Forwarded-For`. Each of `trustedProxies` proxies appends the IP it was called
 * from, so that many entries from the right are trusted and no others: whatever the client writes there
 * itself stands further left. A request with fewer entries has not come through all of the proxies: the
 * client may have written any of them (null).
 */
export function forwardedIp(header: string, trustedProxies: number): string | null {
  if (trustedProxies === 0) return null;
  const entries = header.split(",").filter((part) => part.trim());
  return parseIp(entries.at(-trustedProxies) ?? "");
}

const textOf = (headers: AnyHeaders, name: string): string =>
  String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");

/** Without port, brackets, zone and the IPv6 form of IPv4; null for what is no IP. */
export function parseIp(text: string): string | null {
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
