import type { IncomingMessage } from "node:http";
import { env } from "@/lib/env";
import { forwardedIp, parseIp } from "@/lib/http/server/network";

/** Headers that proxies add, one or the other. */
const PROXY_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.*|.*-connecting-ip|true-client-ip)$/;

/**
 * Was the request sent from the machine that the shop runs on? One that has come through a proxy is not
 * the proxy's own: only what as many proxies as TRUST_PROXY have forwarded says from where.
 */
export function isFromThisMachine(
  { headers, socket }: Pick<IncomingMessage, "headers"> & { socket: Peers },
  trustedProxies = env().TRUST_PROXY,
): boolean {
  if (Object.keys(headers).some((name) => PROXY_HEADER.test(name)))
    // Not by the socket's address, which is the proxy's.
    return isLoopback(forwardedIp(String(headers["x-forwarded-for"] ?? ""), trustedProxies));
  const peer = parseIp(socket.remoteAddress ?? "");
  // A connection of a machine with itself has one address at both ends.
  return isLoopback(peer) || (peer !== null && socket.remoteAddress === socket.localAddress);
}

interface Peers {
  remoteAddress?: string | undefined;
  localAddress?: string | undefined;
}

export const isLoopback = (ip: string | null): boolean =>
  ip !== null && (/^127\.[\d.]+$/.test(ip) || ip === "::1");
