import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// What stands in front of several shops: a small proxy with the habits of the usual ones. It asks
// each shop whether it is ready, keeps connections open, and sends a request a second time only
// where that can do no harm: to read, or where no connection came about.

/** Milliseconds between two looks at a shop. */
const CHECK_MS = 50;

interface Upstream {
  url: string;
  agent: http.Agent;
  isUp: boolean;
  /** The look that is under way: answers to two could come in the wrong order. */
  look: Promise<void> | undefined;
  /** Requests that it has answered. */
  answered: number;
}

export interface Proxy {
  baseURL: string;
  /** Sends visitors there as soon as it is ready. Settles then. */
  add(url: string): Promise<void>;
  /** Forgets it. Returns how many requests it has answered. */
  remove(url: string): number;
  close(): Promise<void>;
}

export async function startProxy(): Promise<Proxy> {
  let upstreams: Upstream[] = [];
  let turn = 0;

  const choose = (tried: ReadonlySet<Upstream>): Upstream | undefined => {
    const ready = upstreams.filter((each) => each.isUp && !tried.has(each));
    turn += 1;
    return ready[turn % ready.length];
  };

  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    forward({ request, response, body: Buffer.concat(chunks), tried: new Set() });
  });

  function forward(exchange: {
    request: IncomingMessage;
    response: ServerResponse;
    body: Buffer;
    tried: Set<Upstream>;
  }): void {
    const { request, response, body, tried } = exchange;
    const upstream = choose(tried);
    if (!upstream) {
      response.writeHead(502).end("No shop is ready.");
      return;
    }
    const { hostname, port } = new URL(upstream.url);
    const { connection: _, ...headers } = request.headers;
    const { method, url: path } = request;
    const outgoing = http.request(
      { agent: upstream.agent, hostname, port, method, path, headers },
      (answer) => {
        upstream.answered += 1;
        const { connection: _, "keep-alive": __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, kept);
        answer.pipe(response);
        answer.once("error", () => response.destroy());
      },
    );
    outgoing.once("error", (error: NodeJS.ErrnoException) => {
      if (response.headersSent) return;
      if (method === "GET" || error.code === "ECONNREFUSED") {
        tried.add(upstream);
        forward(exchange);
      } else response.writeHead(502).end(`${method} ${path}: ${error.message}`);
    });
    outgoing.end(body);
  }

  const look = (upstream: Upstream): Promise<void> => {
    upstream.look ??= fetch(`${upstream.url}/api/ready`)
      .then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok;
        },
        () => false,
      )
      .then((isUp) => {
        upstream.isUp = isUp;
        upstream.look = undefined;
      });
    return upstream.look;
  };
  const checking = setInterval(() => {
    for (const upstream of upstreams) void look(upstream);
  }, CHECK_MS);

  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      const agent = new http.Agent({ keepAlive: true });
      const upstream: Upstream = { url, agent, isUp: false, look: undefined, answered: 0 };
      while (!upstream.isUp) await look(upstream);
      upstreams.push(upstream);
    },
    remove: (url) => {
      const upstream = upstreams.find((each) => each.url === url);
      upstreams = upstreams.filter((each) => each !== upstream);
      upstream?.agent.destroy();
      return upstream?.answered ?? 0;
    },
    close: async () => {
      clearInterval(checking);
      for (const { agent } of upstreams) agent.destroy();
      server.closeAllConnections();
      const closed = once(server, "close");
      server.close();
      await closed;
    },
  };
}
