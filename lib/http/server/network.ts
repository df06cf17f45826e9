import type { IncomingMessage } from "node:http";
import { env } from "@/lib/env";
import { clientNetwork, PEER_HEADER } from "@/lib/http/server/client-ip";

/** The client's network, for limits that domain code counts itself. */
export function networkOf({ headers }: Request): string {
  return clientNetwork(headers, env().TRUST_PROXY);
}

/** The same before Next.js has made a `Request` of the message. */
export function networkOfMessage({
  headers,
  socket,
}: Pick<IncomingMessage, "headers" | "socket">): string {
  const { TRUST_PROXY } = env();
  const peer = socket.remoteAddress ?? "";
  if (TRUST_PROXY === 0 && !peer.includes(":")) return peer;
  const forwarded = [headers["x-forwarded-for"] ?? ""].flat().join(",");
  return clientNetwork(
    new Headers({ "x-forwarded-for": forwarded, [PEER_HEADER]: peer }),
    TRUST_PROXY,
  );
}
