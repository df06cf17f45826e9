import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { RequestContext } from "@/lib/http/server/request-context";

/** A request and its response, on their way through the pipeline (pipeline.ts). */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
}

/** Answers, or hands on to the next step. */
export type Step = (exchange: Exchange, next: () => void) => void;

// A response that waits behind another one on its connection (HTTP pipelining) emits neither
// "prefinish" nor "close" when the connection ends.

const callbacksBySocket = new WeakMap<Socket, Set<() => void>>();

/** Called once the connection is closed: one listener, however many requests came on it. */
function callbacksOf(socket: Socket): Set<() => void> {
  const known = callbacksBySocket.get(socket);
  if (known) return known;
  const callbacks = new Set<() => void>();
  callbacksBySocket.set(socket, callbacks);
  socket.once("close", () => {
    for (const callback of callbacks) callback();
  });
  return callbacks;
}

/**
 * Calls back once: at the event of the response, or when its connection is closed.
 *
 * @param event "prefinish": all has been written; "close": all has been sent, or the client has left
 */
export function onceEnded({
  request,
  response,
  event,
  callback,
}: {
  request: { socket: Socket };
  response: Pick<ServerResponse, "once">;
  event: "prefinish" | "close";
  callback: () => void;
}): void {
  const callbacks = callbacksOf(request.socket);
  const end = () => {
    if (callbacks.delete(end)) callback();
  };
  callbacks.add(end);
  response.once(event, end);
}
