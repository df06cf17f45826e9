import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
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
import { writeAtomically } from "@/lib/files";
import { OperatorError } from "@/lib/operator-error";
import { acquireLock, LockedError, type LockHolder, readLock } from "@/sandbox/lock";
import { freePort } from "@/sandbox/ports";
import { createCluster, runOffline, SHOP } from "@/sandbox/postgres-cluster";
import { dataFolder, preparePostgresHome } from "@/sandbox/postgres-home";
import {
  isServerOf,
  launch,
  readPidFile,
  START_TIMEOUT_MS,
  startWatchdog,
  stopServer,
  stopStaleServer,
} from "@/sandbox/postgres-process";
import { preparePostgresProgram } from "@/sandbox/postgres-program";
import { waitUntil } from "@/sandbox/processes";

export interface PostgresServer {
  /** The connection URL of the shop's database, with password. */
  url: string;
  pid: number;
  /** True where another running command owns the server. */
  isGuest: boolean;
  /** Resolves when the server has ended, whoever ended it. */
  ended: Promise<void>;
  /**
   * Stops the server; does nothing for a guest. Rolls open transactions back and writes a
   * checkpoint; `isForced` skips that, and the next start replays the WAL. May be called more than
   * once.
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
  holder?: Pick<LockHolder, "launcher" | "command" | "address">;
}

interface Access {
  port: number;
  password: string;
}

const accessFile = (dataDir: string) => `${dataDir}.json`;
const lockFile = (dataDir: string) => `${dataDir}.lock`;

function readAccess(dataDir: string): Access | null {
  try {
    const { port, password } = JSON.parse(readFileSync(accessFile(dataDir), "utf8")) as Access;
    return Number.isInteger(port) && password ? { port, password } : null;
  } catch {
    return null;
  }
}

const urlOf = ({ port, password }: Access) =>
  `postgresql://${SHOP}:${password}@127.0.0.1:${port}/${SHOP}`;

/**
 * Starts the PostgreSQL server from npm on the data in `dataDir`, which is created where it is
 * missing. Works as root, too (the server then runs under another account), and cleans up after a
 * start that was killed.
 *
 * @throws LockedError where another command uses the same data
 * @throws OperatorError where it cannot run on this machine
 */
export async function startPostgres({
  dataDir: givenDir,
  log = () => undefined,
  isDurable = true,
  settings = [],
  holder = { launcher: null, command: "node", address: null },
}: PostgresOptions): Promise<PostgresServer> {
  const dataDir = path.resolve(givenDir);
  const parent = path.dirname(dataDir);
  if (!existsSync(parent)) {
    mkdirSync(parent, { recursive: true });
    // The server's account must traverse it; nobody else may list it.
    chmodSync(parent, 0o711);
  }
  const release = await acquireLock({ file: lockFile(dataDir), ...holder });
  try {
    const home = preparePostgresHome({ dataDir, log });
    const program = preparePostgresProgram(home);
    const data = dataFolder(home.folder);
    let access = readAccess(dataDir);

    if (!existsSync(path.join(data, "PG_VERSION"))) {
      createCluster({ program, home, isDurable });
      access = null;
    } else {
      const version = Number.parseInt(readFileSync(path.join(data, "PG_VERSION"), "utf8"), 10);
      if (version !== program.majorVersion) {
        throw new OperatorError(
          `Les données dans ${home.folder} sont de PostgreSQL ${version}, le serveur installé est PostgreSQL ${program.majorVersion}. Supprimez ce dossier pour repartir d'une boutique neuve.`,
        );
      }
      await stopStaleServer({ data, program, account: home.account, log });
    }
    const password = access?.password ?? randomBytes(24).toString("hex");
    if (!access) {
      runOffline({ program, home, data, sql: `ALTER ROLE ${SHOP} PASSWORD '${password}';` });
    }

    let port = 0;
    let child: ChildProcess | null = null;
    for (let attempt = 0; child === null && attempt < 5; attempt++) {
      port = await freePort(attempt === 0 ? access?.port : undefined);
      child = await launch({ program, home, port, isDurable, settings });
    }
    const pid = child?.pid;
    if (!child || pid === undefined) {
      throw new OperatorError("La base de données embarquée n'a pas trouvé de port libre.");
    }
    const server = child;
    const watchdog = startWatchdog({ pid, data });
    if (access?.port !== port) {
      const json = JSON.stringify({ port, password } satisfies Access);
      await writeAtomically(accessFile(dataDir), json, { isPrivate: true });
    }
    const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
    const ended = (hasEnded() ? Promise.resolve() : once(server, "exit")).then(() => {
      watchdog?.kill("SIGKILL");
      release();
    });
    return {
      url: urlOf({ port, password }),
      pid,
      isGuest: false,
      ended,
      stop: async ({ isForced = false } = {}) => {
        if (!hasEnded()) await stopServer({ pid, data, program, isImmediate: isForced });
        await ended;
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/** The server for a short command: a running shop's, else one started for the command. */
export async function joinOrStartPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const dataDir = path.resolve(options.dataDir);
  for (;;) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const guest = await joinPostgres(dataDir);
      if (guest) return guest;
      if (readLock(lockFile(dataDir))) throw error;
    }
  }
}

async function joinPostgres(dataDir: string): Promise<PostgresServer | null> {
  const isLocked = () => readLock(lockFile(dataDir)) !== null;
  const server = () => {
    const data = existsSync(dataDir) ? dataFolder(realpathSync(dataDir)) : null;
    const file = data ? readPidFile(data) : null;
    return file?.isReady && data && isServerOf({ pid: file.pid, data }) ? file : null;
  };
  await waitUntil({
    condition: () => server() !== null || !isLocked(),
    timeoutMs: START_TIMEOUT_MS,
  });
  const running = server();
  const access = readAccess(dataDir);
  if (!running || !access) return null;
  return {
    url: urlOf(access),
    pid: running.pid,
    isGuest: true,
    ended: new Promise(() => undefined),
    stop: async () => undefined,
  };
}

/** A server in a temporary folder, for tests: fast, not durable, deleted by `stop`. */
export async function startTemporaryPostgres(): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "postgres");
  const removeFiles = () => {
    if (existsSync(dataDir)) rmSync(realpathSync(dataDir), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = await startPostgres({ dataDir, isDurable: false });
    return {
      ...server,
      stop: async (options) => {
        await server.stop(options);
        removeFiles();
      },
    };
  } catch (error) {
    removeFiles();
    throw error;
  }
}
