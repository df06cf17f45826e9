import { once } from "node:events";
import net from "node:net";

/** A TCP proxy between the shop and a service. It can simulate network faults. */
export interface TcpProxy {
  /** The service's URL through the proxy. */
  url: string;
  /** Ends all faults: the initial state. */
  heal(): Promise<void>;
  /** Breaks the connections, and refuses new ones. */
  cut(): Promise<void>;
  /**
   * Stops all transfers, in both directions, on connections that stay open.
   *
   * @param newOnes whether new connections stall too (the default)
   */
  stall(options?: { newOnes: boolean }): void;
  /** Delays every response from now on. */
  delay(milliseconds: number): void;
  /** How often the shop has sent something and then waited for an answer. */
  roundTrips(): number;
  /** How many connections are open at present. */
  connections(): number;
  stop(): Promise<void>;
}

/** Opens a proxy in front of the service at this URL. */
export async function openTcpProxy(target: string): Promise<TcpProxy> {
  const targetUrl = new URL(target);
  const pairs = new Set<[net.Socket, net.Socket]>();
  let isStalled = false;
  let milliseconds = 0;
  let roundTrips = 0;

  // Like the sockets of the shop and the services.
  const noDelay = true;
  const server = net.createServer({ noDelay }, (near) => {
    const far = net.connect({
      host: targetUrl.hostname,
      port: Number(targetUrl.port),
      noDelay,
    });
    const pair: [net.Socket, net.Socket] = [near, far];
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const socket of pair) socket.on("error", end).on("close", end);
    let isWaiting = false;
    near.on("data", (bytes) => {
      if (!isWaiting) roundTrips += 1;
      isWaiting = true;
      far.write(bytes);
    });
    far.on("data", (bytes) => {
      const answer = () => {
        isWaiting = false;
        near.write(bytes);
      };
      if (milliseconds === 0) answer();
      else setTimeout(answer, milliseconds);
    });
    if (isStalled) hold(pair);
  });
  const hold = (pair: [net.Socket, net.Socket]) => {
    for (const socket of pair) socket.pause();
  };
  const listen = async (port: number) => {
    server.listen({ port, host: "127.0.0.1" });
    await once(server, "listening");
    return (server.address() as net.AddressInfo).port;
  };
  const drop = () => {
    for (const [near] of pairs) near.destroy();
  };

  const port = await listen(0);
  const url = new URL(target);
  url.host = `127.0.0.1:${port}`;
  return {
    url: url.href,
    heal: async () => {
      isStalled = false;
      milliseconds = 0;
      for (const pair of pairs) for (const socket of pair) socket.resume();
      if (!server.listening) await listen(port);
    },
    cut: async () => {
      const closed = server.listening ? once(server, "close") : null;
      if (closed) server.close();
      drop();
      await closed;
    },
    stall: ({ newOnes } = { newOnes: true }) => {
      isStalled = newOnes;
      for (const pair of pairs) hold(pair);
    },
    delay: (wanted) => {
      milliseconds = wanted;
    },
    roundTrips: () => roundTrips,
    connections: () => pairs.size,
    stop: async () => {
      if (server.listening) server.close();
      drop();
    },
  };
}
