import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// A load balancer in front of several shops. As load balancers usually do, it checks each shop's health,
// keeps connections alive, and retries a request only if that is safe: if it is a GET, or if the
// connection was refused.

/** Milliseconds between two health checks of a shop. */
const HEALTH_CHECK_MS = 50;

interface Upstream {
  url: string;
  agent: http.Agent;
  isUp: boolean;
  /** The running health check. There is only one at a time: two could end in the wrong order. */
  healthCheck: Promise<void> | undefined;
  /** Number of answered requests. */
  answered: number;
}

export interface Proxy {
  baseURL: string;
  /** Adds a shop and settles as soon as the shop is ready. */
  add(url: string): Promise<void>;
  /** Removes a shop. Returns how many requests it has answered. */
  remove(url: string): number;
  close(): Promise<void>;
}

/** False also for a shop that is killed while it answers. */
async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/api/ready`);
    await answer.arrayBuffer();
    return answer.ok;
  } catch {
    return false;
  }
}

export async function startProxy(): Promise<Proxy> {
  let upstreams: Upstream[] = [];
  let next = 0;

  const choose = (tried: ReadonlySet<Upstream>): Upstream | undefined => {
    const ready = upstreams.filter((each) => each.isUp && !tried.has(each));
    next += 1;
    return ready[next % ready.length];
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

  const checkHealth = (upstream: Upstream): Promise<void> => {
    upstream.healthCheck ??= isReady(upstream.url).then((isUp) => {
      upstream.isUp = isUp;
      upstream.healthCheck = undefined;
    });
    return upstream.healthCheck;
  };
  const checking = setInterval(() => {
    for (const upstream of upstreams) void checkHealth(upstream);
  }, HEALTH_CHECK_MS);

  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add: async (url) => {
      const agent = new http.Agent({ keepAlive: true });
      const upstream: Upstream = { url, agent, isUp: false, healthCheck: undefined, answered: 0 };
      while (!upstream.isUp) await checkHealth(upstream);
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
