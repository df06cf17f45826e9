import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { onceEnded } from "@/lib/http/exchange-end";

interface Message {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

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
    const { request, response, server } = message as Message;
    answers.add(response);
    const callback = () => void answers.delete(response);
    onceEnded({ request, response, event: "close", callback });
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
