import { isIP } from "node:net";

/**
 * Carries the address at the other end of the socket into route handlers. Next.js gives them no
 * socket, and keeps an `X-Forwarded-For` that the client itself has sent; this header is
 * overwritten on every request before Next.js sees it, so it cannot be sent from outside.
 */
export const PEER_HEADER = "x-shop-peer-address";

/**
 * The client's address. Each of `trustedProxies` proxies appends the address it was called from to
 * `X-Forwarded-For`, so that many entries from the right are believed and no others: whatever
 * the client writes there itself stands further left.
 */
export function clientAddress(headers: Headers, trustedProxies: number): string {
  if (trustedProxies > 0) {
    const forwarded = (headers.get("x-forwarded-for") ?? "")
      .split(",")
      .filter((part) => part.trim());
    const entry = forwarded[Math.max(0, forwarded.length - trustedProxies)];
    const address = entry === undefined ? null : normalise(entry);
    if (address !== null) return address;
  }
  return normalise(headers.get(PEER_HEADER) ?? "") ?? "unknown";
}

/**
 * The same for limits: an IPv6 network of 64 bits is one subscriber, who may use as many addresses
 * of it as they like.
 */
export function clientNetwork(headers: Headers, trustedProxies: number): string {
  const address = clientAddress(headers, trustedProxies);
  return isIP(address) === 6 ? `${expand(address).slice(0, 4).join(":")}::/64` : address;
}

/** Takes off ports, brackets, zones and the IPv6 form of IPv4; null for what is no address. */
function normalise(text: string): string | null {
  let address = text.trim().toLowerCase();
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(address);
  if (bracketed?.[1]) address = bracketed[1];
  else if (/^[\d.]+:\d+$/.test(address)) address = address.slice(0, address.indexOf(":"));
  const zone = address.indexOf("%");
  if (zone !== -1) address = address.slice(0, zone);
  const mapped = /^::ffff:([\d.]+)$/.exec(address);
  if (mapped?.[1]) address = mapped[1];
  return isIP(address) === 0 ? null : address;
}

/** The eight groups of an IPv6 address, without leading zeros. */
function expand(address: string): string[] {
  const [head = "", tail] = address.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const missing = tail === undefined ? 0 : 8 - left.length - right.length;
  return [...left, ...Array<string>(Math.max(0, missing)).fill("0"), ...right].map((group) =>
    group.replace(/^0+(?=.)/, ""),
  );
}
