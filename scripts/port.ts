import { existsSync, readdirSync, rmSync } from "node:fs";
import net from "node:net";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { isAbandoned, type LockHolder, readLock, takeLock } from "@/sandbox/lock";
import { waitUntil } from "@/sandbox/processes";
import { DATA_DIR, makeDataDir } from "@/scripts/database";

/** null where the port can be listened on, else the system's reason, e.g. "EADDRINUSE". */
function refusal({
  port,
  host,
}: {
  port: number;
  host?: string | undefined;
}): Promise<string | null> {
  return new Promise((resolve) => {
    const server = net.createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host }, () => server.close(() => resolve(null)));
  });
}

/** Could a server listen there now? */
export async function isPortFree(address: { port: number; host?: string }): Promise<boolean> {
  return (await refusal(address)) === null;
}

/** Does a server accept connections there? */
export function answers(port: number, host = "localhost"): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

const LOCK_NAME = /^port-\d+\.lock$/;

/** Removes what starts on other ports left behind when they were killed. */
function clearStaleLocks(): void {
  if (!makeDataDir()) return;
  for (const name of readdirSync(DATA_DIR).filter((each) => LOCK_NAME.test(each))) {
    const file = path.join(DATA_DIR, name);
    if (readLock(file) === null) rmSync(file, { force: true });
  }
}

/** How long the web server of an interrupted start gets to end by itself. */
const PATIENCE_MS = 15_000;

/**
 * Makes sure that the shop can listen there, before anything else is started.
 *
 * @returns the release, to be called at the end
 * @throws OperatorError that names the way out
 */
export async function claimPort({
  port,
  host,
  holder,
}: {
  port: number;
  host: string | undefined;
  holder: Pick<LockHolder, "launcher" | "command" | "address">;
}): Promise<() => void> {
  const file = path.join(DATA_DIR, `port-${port}.lock`);
  const former = readLock(file);
  if (former && !isAbandoned(former)) {
    throw new OperatorError(
      `La boutique tourne déjà : ${former.address} (« ${former.command} », processus ${former.owner.pid}). Arrêtez-la par Ctrl-C dans son terminal, ou par : kill ${former.owner.pid}`,
    );
  }
  let reason = await refusal({ port, host });
  if (reason === "EADDRINUSE" && existsSync(file)) {
    await waitUntil({
      isOver: async () => {
        reason = await refusal({ port, host });
        return reason !== "EADDRINUSE";
      },
      milliseconds: PATIENCE_MS,
    });
  }
  if (reason === null) {
    clearStaleLocks();
    // Read-only with a database elsewhere, which is allowed: only the clearer message is lost.
    return makeDataDir() ? takeLock({ file, ...holder }) : () => undefined;
  }
  if (reason === "EADDRINUSE") {
    let free = port < 65_000 ? port + 1 : 3000;
    while (free < 65_535 && (await refusal({ port: free, host })) !== null) free++;
    throw new OperatorError(
      [
        `Le port ${port} est déjà utilisé par un autre programme.`,
        `Arrêtez ce programme, ou choisissez un autre port, par exemple : PORT=${free} ${holder.command}`,
      ].join("\n"),
    );
  }
  if (reason === "EACCES") {
    throw new OperatorError(
      `Le port ${port} est réservé à l'administrateur de la machine. Choisissez-en un autre, par exemple : PORT=3000 ${holder.command}`,
    );
  }
  if (reason === "EADDRNOTAVAIL" || reason === "ENOTFOUND") {
    throw new OperatorError(
      `LISTEN_ADDRESS est incorrecte (« ${host} ») : il faut une adresse IP de cette machine, ou rien pour toutes.`,
    );
  }
  throw new OperatorError(`La boutique ne peut pas écouter sur le port ${port} : ${reason}.`);
}
