import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server, ServerResponse } from "node:http";

/**
 * Has every server of this process let visitors read their answers to the end when it closes. To
 * Node.js a connection is idle, and may be cut, as soon as its answer has been made, though the
 * visitor may still be reading it.
 *
 * @returns the way to stop, for servers that have not yet been asked anything
 */
export function keepUnreadAnswers(): () => void {
  const answers = new Set<ServerResponse>();
  const known = new WeakSet<Server>();
  const begin = (message: unknown) => {
    const { response, server } = message as { response: ServerResponse; server: Server };
    answers.add(response);
    response.once("close", () => answers.delete(response));
    if (known.has(server)) return;
    known.add(server);
    const closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      const unread = [...answers].filter((each) => each.writableEnded && !each.writableFinished);
      // What Node.js looks at, and nobody else while this runs.
      for (const each of unread) Object.assign(each, { finished: false });
      closeIdle();
      for (const each of unread) Object.assign(each, { finished: true });
    };
  };
  subscribe("http.server.request.start", begin);
  return () => unsubscribe("http.server.request.start", begin);
}
