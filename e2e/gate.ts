import { once } from "node:events";
import net from "node:net";

/** A way to a server on this machine that can be blocked, as networks are. */
export interface Gate {
  port: number;
  /** Where it leads; nobody gets through before. */
  leadTo(port: number): void;
  /** Nobody gets through any more, and connections that are open are cut. */
  close(): void;
  open(): void;
  /** Keeps back what the server sends from now on. Settles when there is something. */
  hold(): Promise<void>;
  /** Lets everything through that was kept back. */
  letGo(): void;
  stop(): Promise<void>;
}

export async function startGate(): Promise<Gate> {
  const sockets = new Set<net.Socket>();
  let target: number | undefined;
  let isOpen = true;
  let held: (() => void)[] | null = null;
  let onHeld: () => void = () => undefined;

  const connect = (client: net.Socket, port: number) => {
    const server = net.connect({ host: "127.0.0.1", port });
    const end = () => {
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on("error", end).on("close", () => {
        sockets.delete(socket);
        end();
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
  const gate = net.createServer((client) => {
    if (isOpen && target !== undefined) connect(client, target);
    else client.destroy();
  });
  gate.listen({ port: 0, host: "127.0.0.1" });
  await once(gate, "listening");
  return {
    port: (gate.address() as net.AddressInfo).port,
    leadTo: (port) => {
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
    letGo: () => {
      for (const pass of held ?? []) pass();
      held = null;
    },
    stop: async () => {
      cut();
      gate.close();
      await once(gate, "close");
    },
  };
}
