import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { env } from "@/lib/env";
import { currentRequest } from "@/lib/http/server/request-context";

/** The client's network, for limits: an IPv6 network of 64 bits is one subscriber, who may use any IP of it. */
export function networkOf({ headers }: { headers: Headers | IncomingHttpHeaders }): string {
  const header = headers instanceof Headers ? headers.get(FORWARDED) : headers[FORWARDED];
  const forwarded = forwardedIp(String(header ?? ""), env().TRUST_PROXY);
  // A serverless host has no sockets.
  return ipNetwork(forwarded ?? parseIp(currentRequest()?.peer ?? "") ?? "unknown");
}

const FORWARDED = "x-forwarded-for";

/** The network that an IP is counted as. */
export const ipNetwork = (ip: string): string =>
  isIP(ip) === 6 ? `${expandIpv6(ip).slice(0, 4).join(":")}::/64` : ip;

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
