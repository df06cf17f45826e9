import { randomInt } from "node:crypto";
import net from "node:net";
import { OperatorError } from "@/lib/errors/operator-error";

const LOCALHOST = "127.0.0.1";
const MAX_ATTEMPTS = 100;

/**
 * A free port of 127.0.0.1: `preferred` if it is free, else one below the ephemeral range, so that no
 * outgoing connection takes it.
 *
 * @throws OperatorError if none was found
 */
export async function freePort(preferred?: number): Promise<number> {
  let port = preferred ?? randomPort();
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    if (await isPortFree(port)) return port;
    port = randomPort();
  }
  throw new OperatorError("Aucun port libre sur 127.0.0.1.");
}

const randomPort = () => randomInt(20_000, 30_000);

/** Could a server listen on this port of 127.0.0.1? */
async function isPortFree(port: number): Promise<boolean> {
  return (await listenError({ port, host: LOCALHOST })) === null;
}

/** The error code of listening there, e.g. "EADDRINUSE"; null if it is possible. */
export function listenError(address: {
  port: number;
  host?: string | undefined;
}): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(address, () => server.close(() => resolve(null)));
  });
}

/** Does a server accept connections there, by default on 127.0.0.1? */
export function acceptsConnections(address: { port: number; host?: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ host: LOCALHOST, ...address });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
