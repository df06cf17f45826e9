import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import { writeAtomically } from "@/lib/files/local-files";
import { acquireLock, type LockDescription, LockedError, readLock } from "@/sandbox/lock";
import { freePort } from "@/sandbox/ports";
import { findServer, PostgresCluster, SHOP, START_TIMEOUT_MS } from "@/sandbox/postgres-cluster";
import { dataFolder, preparePostgresHome } from "@/sandbox/postgres-home";
import { findPrograms } from "@/sandbox/postgres-programs";
import { waitUntil } from "@/sandbox/processes";

export interface PostgresServer {
  /** The connection URL of the shop's database, with password. */
  url: string;
  pid: number;
  /** Resolves when the server has ended, whoever ended it. */
  ended: Promise<void>;
  /**
   * Rolls open transactions back and writes a checkpoint. `isForced` skips the checkpoint: the next start
   * replays the WAL. May be called more than once.
   */
  stop(options?: { isForced?: boolean }): Promise<void>;
}

interface PostgresOptions {
  /** Folder for the server's files, beside `{dataDir}.json` and `{dataDir}.lock`. */
  dataDir: string;
  /** Receives messages for the operator, when something takes long or is repaired. */
  log?: (line: string) => void;
  /** false: faster, but a crash of the machine can corrupt the data. */
  isDurable?: boolean;
  /** Additional server settings, `name=value`. */
  settings?: readonly string[];
  /** Who starts it: shown to a second command that wants the same data. */
  holder?: LockDescription;
}

interface Access {
  port: number;
  password: string;
}

const accessFile = (dataDir: string) => `${dataDir}.json`;
const lockFile = (dataDir: string) => `${dataDir}.lock`;

function readAccess(dataDir: string): Access | null {
  try {
    return JSON.parse(readFileSync(accessFile(dataDir), "utf8")) as Access;
  } catch {
    return null;
  }
}

const urlOf = ({ port, password }: Access) =>
  `postgresql://${SHOP}:${password}@127.0.0.1:${port}/${SHOP}`;

/**
 * Starts the PostgreSQL server from npm on the data in `dataDir`, which is created if it is missing.
 * Works as root, too (the server then runs under another account), and cleans up after a start that was
 * killed.
 *
 * @throws LockedError if another command uses the same data
 * @throws OperatorError if it cannot run on this machine
 */
export async function startPostgres({
  dataDir: givenDir,
  log = () => undefined,
  isDurable = true,
  settings = [],
  holder = { command: "node", address: null },
}: PostgresOptions): Promise<PostgresServer> {
  const dataDir = path.resolve(givenDir);
  // The server's account must traverse it; nobody else may list it.
  mkdirSync(path.dirname(dataDir), { recursive: true, mode: 0o711 });
  const release = await acquireLock({ file: lockFile(dataDir), ...holder });
  try {
    const home = preparePostgresHome({ dataDir, log });
    const { programs, majorVersion } = findPrograms(home);
    const cluster = new PostgresCluster(home, programs, isDurable);
    const versionFile = path.join(dataFolder(home.folder), "PG_VERSION");
    const isNew = !existsSync(versionFile);
    if (isNew) cluster.create();
    const version = Number.parseInt(readFileSync(versionFile, "utf8"), 10);
    if (version !== majorVersion)
      throw new OperatorError(
        `Les données dans ${home.folder} sont de PostgreSQL ${version}, le serveur installé est PostgreSQL ${majorVersion}. Supprimez ce dossier pour repartir d'une boutique neuve.`,
      );
    await cluster.stopStale(log);
    const access = isNew ? null : readAccess(dataDir);
    const password = access?.password ?? randomBytes(24).toString("hex");
    if (!access) cluster.runOffline(`ALTER ROLE ${SHOP} PASSWORD '${password}';`);

    for (let attempt = 0; attempt < 5; attempt++) {
      const port = await freePort(attempt === 0 ? access?.port : undefined);
      // Before the server runs: a command that joins it reads the password here.
      const json = JSON.stringify({ port, password } satisfies Access);
      await writeAtomically(accessFile(dataDir), json, { isPrivate: true });
      const server = await cluster.launch([...settings, `port=${port}`]);
      if (server === null) continue;
      let hasEnded = false;
      const ended = server.ended.then(() => {
        hasEnded = true;
        release();
      });
      return {
        url: urlOf({ port, password }),
        pid: server.pid,
        ended,
        stop: async (options) => {
          if (!hasEnded) await cluster.stop(server.pid, options);
          await ended;
        },
      };
    }
    throw new OperatorError("La base de données embarquée n'a pas trouvé de port libre.");
  } catch (error) {
    release();
    throw error;
  }
}

/** The server for a short command: a running shop's, which goes on after it, else one of its own. */
export async function joinOrStartPostgres(
  options: PostgresOptions,
): Promise<Pick<PostgresServer, "url" | "stop">> {
  const dataDir = path.resolve(options.dataDir);
  for (;;) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const isLocked = () => readLock(lockFile(dataDir)) !== null;
      const isSettled = () => findRunningUrl(dataDir) !== null || !isLocked();
      await waitUntil({ condition: isSettled, timeoutMs: START_TIMEOUT_MS });
      const url = findRunningUrl(dataDir);
      if (url !== null) return { url, stop: async () => undefined };
      if (isLocked()) throw error;
    }
  }
}

/** The URL of the server that runs on this data; null where none accepts connections. */
function findRunningUrl(dataDir: string): string | null {
  if (!existsSync(dataDir)) return null;
  const server = findServer(dataFolder(realpathSync(dataDir)));
  const access = readAccess(dataDir);
  return access && server?.isReady ? urlOf({ ...access, port: server.port }) : null;
}

/** A server in a temporary folder, for tests: fast, not durable, deleted by `stop`. */
export async function startTemporaryPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "postgres");
  const server = await startPostgres({ dataDir, isDurable: false });
  return {
    ...server,
    stop: async (options) => {
      await server.stop(options);
      // Another folder where the files had to move.
      rmSync(path.dirname(realpathSync(dataDir)), { recursive: true, force: true });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
