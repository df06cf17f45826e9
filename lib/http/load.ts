import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { clientNetwork, PEER_HEADER } from "@/lib/http/client-address";
import { onceEnded } from "@/lib/http/exchange-end";

// How much is being read at once. What is rendered or asked of the database for a request takes
// memory until it is answered: beyond a bound it is better to say so at once than to fall over with
// everybody's. Pages that are stored and files are not counted: docs/decisions/031.

/** Readings under way at once in this process. */
const MOST_READINGS = 300;

/** Of them, those of one client network; RATE_LIMIT_SCALE multiplies it. */
export const MOST_READINGS_OF_ONE = 100;

export interface Readings {
  /**
   * Takes a place until the answer has been made, or the client is gone; false where none is left.
   * A client who reads slowly keeps no place.
   */
  admit(exchange: {
    request: Pick<IncomingMessage, "headers" | "socket">;
    response: Pick<ServerResponse, "once">;
  }): boolean;
  /**
   * Takes a place until the function that is returned is called; null where none is left.
   *
   * @param network the client's; undefined where nobody knows
   */
  take(network: string | undefined): (() => void) | null;
  /** Readings under way. */
  readonly count: number;
}

export function boundReadings({ most, mostOfOne }: { most: number; mostOfOne: number }): Readings {
  const ofOne = new Map<string, number>();
  let count = 0;
  const take = (network = "") => {
    const own = ofOne.get(network) ?? 0;
    if (count >= most || (network && own >= mostOfOne)) return null;
    count += 1;
    ofOne.set(network, own + 1);
    let isUnderWay = true;
    return () => {
      if (!isUnderWay) return;
      isUnderWay = false;
      count -= 1;
      const rest = (ofOne.get(network) ?? 1) - 1;
      if (rest > 0) ofOne.set(network, rest);
      else ofOne.delete(network);
    };
  };
  return {
    get count() {
      return count;
    },
    take,
    admit({ request, response }) {
      const release = take(networkOf(request));
      if (!release) return false;
      onceEnded({ request, response, event: "prefinish", callback: release });
      return true;
    },
  };
}

// Next.js may load this module once per bundle; the bound is one per process.
const KEY = Symbol.for("mini-ecommerce.readings");
const shared = globalThis as { [KEY]?: Readings };

/** The bound of this process. */
export function readings(): Readings {
  shared[KEY] ??= boundReadings({
    most: MOST_READINGS,
    mostOfOne: Math.max(1, Math.round(MOST_READINGS_OF_ONE * env().RATE_LIMIT_SCALE)),
  });
  return shared[KEY];
}

/** Where a request comes from, before anybody has made a `Request` of it. */
export function networkOf({
  headers,
  socket,
}: Pick<IncomingMessage, "headers" | "socket">): string {
  const { TRUST_PROXY } = env();
  const peer = socket.remoteAddress ?? "";
  const forwarded = headers["x-forwarded-for"];
  if (TRUST_PROXY === 0 && !peer.includes(":")) return peer;
  return clientNetwork(
    new Headers({
      "x-forwarded-for": [forwarded ?? ""].flat().join(","),
      [PEER_HEADER]: peer,
    }),
    TRUST_PROXY,
  );
}
