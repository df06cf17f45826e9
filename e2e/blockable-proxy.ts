import { once } from "node:events";
import net from "node:net";

/** A TCP proxy to a local server that simulates a blocked network. */
export interface BlockableProxy {
  port: number;
  /** Sets the server's port. Until then, connections are refused. */
  setTarget(port: number): void;
  /** Refuses new connections from now on, and cuts open ones. */
  close(): void;
  open(): void;
  /** Buffers the server's data from now on. Settles at the first bytes. */
  hold(): Promise<void>;
  /** Forwards everything that was buffered. */
  release(): void;
  stop(): Promise<void>;
}

export async function startBlockableProxy(): Promise<BlockableProxy> {
  const sockets = new Set<net.Socket>();
  let target: number | undefined;
  let isOpen = true;
  let held: (() => void)[] | null = null;
  let onHeld: () => void = () => undefined;

  const connect = (client: net.Socket, port: number) => {
    const server = net.connect({ host: "127.0.0.1", port });
    const pairs = [
      [client, server],
      [server, client],
    ] as const;
    for (const [socket, other] of pairs) {
      sockets.add(socket);
      // An error is followed by "close".
      socket
        .on("error", () => undefined)
        .on("close", () => {
          sockets.delete(socket);
          // Bytes that this socket has sent may still be on their way to the other one.
          other.destroySoon();
        });
    }
    client.on("data", (bytes) => server.write(bytes));
    server.on("data", (bytes) => {
      const pass = () => void client.write(bytes);
      if (!held) return pass();
      held.push(pass);
      onHeld();
    });
  };
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = net.createServer((client) => {
    if (isOpen && target !== undefined) connect(client, target);
    else client.destroy();
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    port: (server.address() as net.AddressInfo).port,
    setTarget: (port) => {
      target = port;
    },
    close: () => {
      isOpen = false;
      cut();
    },
    open: () => {
      isOpen = true;
    },
    hold: () => {
      held = [];
      return new Promise((resolve) => {
        onHeld = resolve;
      });
    },
    release: () => {
      for (const pass of held ?? []) pass();
      held = null;
    },
    stop: async () => {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
