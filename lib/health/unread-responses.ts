import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { onceEnded } from "@/lib/http/server/exchange-end";

interface Message {
  request: IncomingMessage;
  response: ServerResponse;
  server: Server;
}

/**
 * Makes servers that close keep connections until their responses are sent. Node.js takes a connection
 * for idle, and closes it, as soon as its response has been written, though the client may still be
 * reading it.
 *
 * @returns the function that stops this, for servers without a request so far
 */
export function keepUnreadResponses(): () => void {
  const responses = new Set<ServerResponse>();
  const patched = new WeakSet<Server>();
  const onRequest = (message: unknown) => {
    const { request, response, server } = message as Message;
    responses.add(response);
    const callback = () => void responses.delete(response);
    onceEnded({ request, response, event: "close", callback });
    if (patched.has(server)) return;
    patched.add(server);
    const closeIdle = server.closeIdleConnections.bind(server);
    server.closeIdleConnections = () => {
      const unread = [...responses].filter((each) => each.writableEnded && !each.writableFinished);
      // Node.js checks `finished`; nothing else reads it meanwhile.
      for (const each of unread) Object.assign(each, { finished: false });
      closeIdle();
      for (const each of unread) Object.assign(each, { finished: true });
    };
  };
  subscribe("http.server.request.start", onRequest);
  return () => unsubscribe("http.server.request.start", onRequest);
}
