import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

// An answer that waits on its connection behind another one (HTTP pipelining) is told nothing when
// the connection ends: it emits neither "prefinish" nor "close".

const listening = new WeakMap<Socket, Set<() => void>>();

/** Calls back once the connection is gone, unless the function that is returned is called before. */
function onceGone(socket: Socket, callback: () => void): () => void {
  let callbacks = listening.get(socket);
  if (!callbacks) {
    callbacks = new Set();
    listening.set(socket, callbacks);
    // One listener, however many requests came on the connection.
    const all = callbacks;
    socket.once("close", () => {
      for (const each of all) each();
    });
  }
  const known = callbacks.add(callback);
  return () => known.delete(callback);
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
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    forget();
    callback();
  };
  const forget = onceGone(request.socket, end);
  response.once(event, end);
}
