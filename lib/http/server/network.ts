import { isIP } from "node:net";
import { env } from "@/lib/env";
import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";

/** The client's network, for limits: an IPv6 network of 64 bits is one subscriber, who may use any IP of it. */
export function networkOf({ headers }: { headers: Headers }): string {
  const header = headers.get("x-forwarded-for") ?? "";
  const { TRUST_PROXY } = env();
  const forwarded = forwardedIp(header, TRUST_PROXY);
  if (forwarded !== null) return ipNetwork(forwarded);
  const peer = parseIp(connectionOf(headers)[0] ?? "") ?? "unknown";
  // Next.js sets the header, too, where no proxy has.
  if (LOCAL.test(peer) && parseIp(header) !== peer) warnOfProxy(TRUST_PROXY);
  return ipNetwork(peer);
}

/**
 * The IP at the other end of the connection, and whether that is this machine, without a proxy between: server.mjs says
 * so. On other hosts nobody knows, and a client may have written the header.
 */
const PEER_HEADER = "x-shop-peer";

const connectionOf = (headers: Headers): string[] =>
  process.env.SHOP_SERVER === "1" ? (headers.get(PEER_HEADER) ?? "").split(" ") : [];

/** Was the request sent from the machine that the shop runs on? Only server.mjs and a trusted proxy know. */
export function isFromThisMachine(headers: Headers): boolean {
  const [peer, isLocal] = connectionOf(headers);
  if (!peer) return false;
  const forwarded = forwardedIp(headers.get("x-forwarded-for") ?? "", env().TRUST_PROXY);
  return forwarded === null ? isLocal === "local" : isLoopback(forwarded);
}

export const isLoopback = (ip: string | null): boolean =>
  ip !== null && (/^127\.[\d.]+$/.test(ip) || ip === "::1");

/** Of this machine or its network: where proxies are, and visitors mostly are not. */
const LOCAL = /^(?:127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][\da-f]{2}:)/;

/** All visitors share the limits of one: it is said once. */
function warnOfProxy(trustedProxies: number): void {
  const told = perProcess("told-of-proxy", () => ({ isTold: false }));
  if (told.isTold) return;
  told.isTold = true;
  log.warn(
    { variable: "TRUST_PROXY", value: trustedProxies },
    "limits count a proxy instead of its visitors: its X-Forwarded-For does not fit TRUST_PROXY",
  );
}

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
