import { existsSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { acquireLock, isOrphaned, type LockHolder, readLock } from "@/sandbox/lock";
import { listenError } from "@/sandbox/ports";
import { waitUntil } from "@/sandbox/processes";
import { DATA_DIR, makeDataDir } from "@/scripts/database";

const LOCK_NAME = /^port-\d+\.lock$/;

/** Removes the locks that killed shops left behind on other ports. */
function clearStaleLocks(): void {
  if (!makeDataDir()) return;
  for (const name of readdirSync(DATA_DIR).filter((each) => LOCK_NAME.test(each))) {
    const file = path.join(DATA_DIR, name);
    if (readLock(file) === null) rmSync(file, { force: true });
  }
}

/** How long the web server of an interrupted start may take to end. */
const PORT_RELEASE_TIMEOUT_MS = 15_000;

/**
 * Reserves the port for this shop before anything else is started.
 *
 * @returns a function that releases it
 * @throws OperatorError that says what to do instead
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
  const existing = readLock(file);
  if (existing && !isOrphaned(existing)) {
    throw new OperatorError(
      `La boutique tourne déjà : ${existing.address} (« ${existing.command} », processus ${existing.owner.pid}). Arrêtez-la par Ctrl-C dans son terminal, ou par : kill ${existing.owner.pid}`,
    );
  }
  let error = await listenError({ port, host });
  if (error === "EADDRINUSE" && existsSync(file)) {
    await waitUntil({
      condition: async () => {
        error = await listenError({ port, host });
        return error !== "EADDRINUSE";
      },
      timeoutMs: PORT_RELEASE_TIMEOUT_MS,
    });
  }
  if (error === null) {
    clearStaleLocks();
    // Read-only with a database elsewhere, which is allowed: only the clearer message is lost.
    return makeDataDir() ? acquireLock({ file, ...holder }) : () => undefined;
  }
  if (error === "EADDRINUSE") {
    let free = port < 65_000 ? port + 1 : 3000;
    while (free < 65_535 && (await listenError({ port: free, host })) !== null) free++;
    throw new OperatorError(
      [
        `Le port ${port} est déjà utilisé par un autre programme.`,
        `Arrêtez ce programme, ou choisissez un autre port, par exemple : PORT=${free} ${holder.command}`,
      ].join("\n"),
    );
  }
  if (error === "EACCES") {
    throw new OperatorError(
      `Le port ${port} est réservé à l'administrateur de la machine. Choisissez-en un autre, par exemple : PORT=3000 ${holder.command}`,
    );
  }
  if (error === "EADDRNOTAVAIL" || error === "ENOTFOUND") {
    throw new OperatorError(
      `LISTEN_ADDRESS est incorrecte (« ${host} ») : il faut une adresse IP de cette machine, ou rien pour toutes.`,
    );
  }
  throw new OperatorError(`La boutique ne peut pas écouter sur le port ${port} : ${error}.`);
}
