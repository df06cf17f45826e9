import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "@/lib/env";
import { clientNetwork, PEER_HEADER } from "@/lib/http/client-address";

// How much is being read at once. What is rendered or asked of the database for each request takes
// memory until it is answered: beyond a bound it is better to say so at once than to fall over with
// everybody's. Stored pages and files are not counted: docs/decisions/031.

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
  /** Readings under way. */
  readonly count: number;
}

export function boundReadings({ most, mostOfOne }: { most: number; mostOfOne: number }): Readings {
  const ofOne = new Map<string, number>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    admit({ request, response }) {
      const network = networkOf(request);
      const own = ofOne.get(network) ?? 0;
      if (count >= most || own >= mostOfOne) return false;
      count += 1;
      ofOne.set(network, own + 1);
      let isUnderWay = true;
      const release = () => {
        if (!isUnderWay) return;
        isUnderWay = false;
        count -= 1;
        const rest = (ofOne.get(network) ?? 1) - 1;
        if (rest > 0) ofOne.set(network, rest);
        else ofOne.delete(network);
      };
      response.once("prefinish", release);
      response.once("close", release);
      return true;
    },
  };
}

let readings: Readings | undefined;

/** The bound of this process. */
export function admitReading(exchange: Parameters<Readings["admit"]>[0]): boolean {
  readings ??= boundReadings({
    most: MOST_READINGS,
    mostOfOne: Math.max(1, Math.round(MOST_READINGS_OF_ONE * env().RATE_LIMIT_SCALE)),
  });
  return readings.admit(exchange);
}

function networkOf({ headers, socket }: Pick<IncomingMessage, "headers" | "socket">): string {
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
