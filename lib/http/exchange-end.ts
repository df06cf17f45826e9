import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

// An answer that waits on its connection behind another one (HTTP pipelining) is told nothing when
// the connection ends: it emits neither "prefinish" nor "close".

const waiting = new WeakMap<Socket, Set<() => void>>();

/** What is to be called once the connection is gone. One listener, however many requests came on it. */
function waitingOn(socket: Socket): Set<() => void> {
  const known = waiting.get(socket);
  if (known) return known;
  const callbacks = new Set<() => void>();
  waiting.set(socket, callbacks);
  socket.once("close", () => {
    for (const each of callbacks) each();
  });
  return callbacks;
}

/**
 * Calls back once: when the answer says so, or when its connection is gone.
 *
 * @param event "prefinish" when it has been made, "close" when it has been read or given up
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
  const callbacks = waitingOn(request.socket);
  const end = () => {
    if (callbacks.delete(end)) callback();
  };
  callbacks.add(end);
  response.once(event, end);
}
