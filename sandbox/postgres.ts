import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { acquireLock, LockedError, type LockHolder, readLock } from "@/sandbox/lock";
import { freePort } from "@/sandbox/ports";
import { dataFolder, type PostgresHome, preparePostgresHome } from "@/sandbox/postgres-home";
import { type PostgresProgram, preparePostgresProgram } from "@/sandbox/postgres-program";
import { isRunning, signal, waitUntil } from "@/sandbox/processes";

/** Name of the role and of the database. */
const NAME = "shop";

/** A shop's database is small and its requests are short; the disk is taken for an SSD. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  // A socket's path may have 107 bytes only, which a deep checkout exceeds: TCP alone.
  "unix_socket_directories=",
  "timezone=UTC",
  "log_timezone=UTC",
  "shared_buffers=128MB",
  "work_mem=16MB",
  "maintenance_work_mem=128MB",
  "max_wal_size=2GB",
  "random_page_cost=1.1",
  "jit=off",
  // Many short requests at a time: several processors for one of them would slow the others.
  "max_parallel_workers_per_gather=0",
];

/** For data that may be lost: tests and benchmarks. */
const NON_DURABLE_SETTINGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];

/** Only what the server needs: not the caller's PGDATA or PGPORT. */
const SERVER_ENV: NodeJS.ProcessEnv = { NODE_ENV: process.env.NODE_ENV, LC_ALL: "C", TZ: "UTC" };
for (const name of ["PATH", "LD_LIBRARY_PATH", "SystemRoot", "TEMP", "TMP"]) {
  SERVER_ENV[name] = process.env[name];
}

const START_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000;

export interface PostgresServer {
  /** The connection URL of the shop's database, with password. */
  url: string;
  port: number;
  pid: number;
  /** True where another running command owns the server. */
  isGuest: boolean;
  /** Resolves when the server has ended, whoever ended it. */
  ended: Promise<void>;
  /**
   * Stops the server; does nothing for a guest. Rolls open transactions back and writes a
   * checkpoint; `immediate` skips that, and the next start replays the WAL. May be called more than
   * once.
   */
  stop(options?: { immediate?: boolean }): Promise<void>;
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

function writeAccess({ dataDir, access }: { dataDir: string; access: Access }): void {
  const draft = `${accessFile(dataDir)}.${process.pid}`;
  writeFileSync(draft, JSON.stringify(access), { mode: 0o600 });
  renameSync(draft, accessFile(dataDir));
}

const urlOf = ({ port, password }: Access) =>
  `postgresql://${NAME}:${password}@127.0.0.1:${port}/${NAME}`;

/** Reads `postmaster.pid`, which exists while the server runs. */
function readPidFile(data: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/** Is that process a server on this folder, and not another program with a recycled pid? */
function isServerOf({ pid, data }: { pid: number; data: string }): boolean {
  if (!isRunning(pid)) return false;
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === data;
    } catch {
      // Another account's process, or one that has just ended.
      return false;
    }
  }
  if (process.platform === "win32") {
    const list = spawnSync("tasklist", ["/FI", `PID eq ${pid}`, "/NH"], { encoding: "utf8" });
    return /postgres/i.test(list.stdout ?? "");
  }
  const ps = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
  return (ps.stdout ?? "").includes(data);
}

/** Stops a server that outlived the command which started it, or invalidates its pid file. */
async function stopStaleServer({
  data,
  program,
  account,
  log,
}: {
  data: string;
  program: PostgresProgram;
  account: PostgresHome["account"];
  log: (line: string) => void;
}): Promise<void> {
  const file = path.join(data, "postmaster.pid");
  const stale = readPidFile(data);
  if (stale && isServerOf({ pid: stale.pid, data })) {
    log("Un serveur PostgreSQL d'un lancement interrompu tourne encore : il est arrêté.");
    await stopServer({ pid: stale.pid, data, program });
  }
  if (!existsSync(file)) return;
  // Its pid may be in use again, by a program that PostgreSQL would take for a server. PostgreSQL
  // ignores its own parent's pid, so that is written into it. The file itself must stay: from it
  // the server learns whether a backend of the former server still uses the shared memory.
  const rest = readFileSync(file, "utf8").split("\n").slice(1);
  if (rest.length < 6) rmSync(file);
  else {
    const draft = path.join(data, "postmaster.draft");
    rmSync(draft, { force: true });
    writeFileSync(draft, [String(process.pid), ...rest].join("\n"), { flag: "wx", mode: 0o600 });
    if (account) chownSync(draft, account.uid, account.gid);
    renameSync(draft, file);
  }
}

async function stopServer({
  pid,
  data,
  program,
  isImmediate = false,
}: {
  pid: number;
  data: string;
  program: PostgresProgram;
  isImmediate?: boolean;
}): Promise<void> {
  const hasStopped = () => !isRunning(pid);
  const requestStop = (mode: "fast" | "immediate") => {
    if (process.platform === "win32") {
      spawnSync(program.pgCtl, ["kill", mode === "fast" ? "INT" : "QUIT", String(pid)]);
    } else signal({ pid, name: mode === "fast" ? "SIGINT" : "SIGQUIT" });
  };
  if (!isImmediate) {
    requestStop("fast");
    if (await waitUntil({ condition: hasStopped, timeoutMs: FAST_STOP_TIMEOUT_MS })) return;
  }
  if (hasStopped()) return;
  requestStop("immediate");
  if (await waitUntil({ condition: hasStopped, timeoutMs: IMMEDIATE_STOP_TIMEOUT_MS })) return;
  throw new OperatorError(
    `Le serveur PostgreSQL (processus ${pid}, données dans ${data}) ne s'arrête pas.`,
  );
}

/** Runs a statement without a running server and without a password. */
function runOffline({
  program,
  home,
  data,
  sql,
}: {
  program: PostgresProgram;
  home: PostgresHome;
  data: string;
  sql: string;
}): void {
  const result = spawnSync(
    program.postgres,
    ["--single", "-D", data, "-c", "exit_on_error=on", "postgres"],
    {
      ...home.account,
      cwd: home.folder,
      env: SERVER_ENV,
      input: `${sql}\n`,
      encoding: "utf8",
    },
  );
  if (result.status !== 0) {
    throw new Error(`PostgreSQL: ${result.error?.message ?? result.stderr}`);
  }
}

/**
 * Runs initdb. Text is UTF-8, collated by code point with Unicode's case rules, the same on every
 * system. Only pg_trgm asks the C library which characters are letters: hence `lc-ctype`, under one
 * of the names that systems have for it.
 */
function createCluster({
  program,
  home,
  isDurable,
}: {
  program: PostgresProgram;
  home: PostgresHome;
  isDurable: boolean;
}): void {
  const data = dataFolder(home.folder);
  const draft = `${data}.new`;
  let reason = "";
  for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
    rmSync(draft, { recursive: true, force: true });
    const result = spawnSync(
      program.initdb,
      [
        `--pgdata=${draft}`,
        `--username=${NAME}`,
        "--auth=trust",
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${ctype}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        "--no-instructions",
        ...(isDurable ? ["--data-checksums"] : ["--no-sync", "--no-data-checksums"]),
      ],
      { ...home.account, cwd: home.folder, env: SERVER_ENV, encoding: "utf8" },
    );
    if (result.status === 0) {
      writeFileSync(
        path.join(draft, "pg_hba.conf"),
        "host all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n",
      );
      runOffline({ program, home, data: draft, sql: `CREATE DATABASE ${NAME};` });
      renameSync(draft, data);
      return;
    }
    reason = result.error?.message ?? result.stderr;
    if (!/invalid locale name/.test(reason)) break;
  }
  throw new OperatorError(
    `La base de données embarquée n'a pas pu être créée dans ${home.folder} :\n${reason.trim()}`,
  );
}

/**
 * Stops the server when this process is killed (SIGKILL): a shell that waits for the end of a pipe
 * from this process. It checks the pid file first, since pids are recycled.
 */
function startWatchdog({ pid, data }: { pid: number; data: string }): ChildProcess | null {
  if (process.platform === "win32") return null;
  const script = 'read -r _; read -r pid < "$1" && [ "$pid" = "$2" ] && kill -INT "$2"';
  const watchdog = spawn(
    "/bin/sh",
    ["-c", script, "sh", path.join(data, "postmaster.pid"), String(pid)],
    { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" },
  );
  watchdog.on("error", () => undefined);
  watchdog.stdin?.on("error", () => undefined);
  watchdog.unref();
  return watchdog;
}

const LOG_LIMIT_BYTES = 5_000_000;

/** The server's log, truncated when it has grown long. */
function openLog(home: PostgresHome): { fd: number; tail: () => string } {
  const file = path.join(home.folder, "server.log");
  // The folder belongs to the server's account: root must not follow a symbolic link in it.
  const { O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_WRONLY } = constants;
  const fd = openSync(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
  if (home.account) fchownSync(fd, home.account.uid, home.account.gid);
  if (fstatSync(fd).size > LOG_LIMIT_BYTES) ftruncateSync(fd);
  const begin = fstatSync(fd).size;
  return {
    fd,
    tail: () => readFileSync(file).subarray(begin).toString("utf8").trim(),
  };
}

/** Launches the server and waits until it accepts connections; null where its port is in use. */
async function launch({
  program,
  home,
  port,
  isDurable,
  settings: further,
}: {
  program: PostgresProgram;
  home: PostgresHome;
  port: number;
  isDurable: boolean;
  settings: readonly string[];
}): Promise<ChildProcess | null> {
  const data = dataFolder(home.folder);
  const fragile = isDurable ? [] : NON_DURABLE_SETTINGS;
  const settings = [...SETTINGS, ...fragile, ...further, `port=${port}`];
  const log = openLog(home);
  const child = spawn(
    program.postgres,
    ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    {
      ...home.account,
      cwd: home.folder,
      env: SERVER_ENV,
      stdio: ["ignore", log.fd, log.fd],
      // Its own session: a Ctrl-C in the terminal goes to the shop, which stops the server last.
      detached: process.platform !== "win32",
    },
  );
  closeSync(log.fd);
  let failure: Error | undefined;
  child.once("error", (error) => {
    failure = error;
  });
  const hasEnded = () =>
    failure !== undefined || child.exitCode !== null || child.signalCode !== null;
  const isReady = () => {
    const file = readPidFile(data);
    return file !== null && file.pid === child.pid && file.isReady;
  };
  const isSettled = await waitUntil({
    condition: () => hasEnded() || isReady(),
    timeoutMs: START_TIMEOUT_MS,
  });
  if (isSettled && !hasEnded()) return child;
  if (!isSettled) child.kill("SIGQUIT");
  const reason = failure?.message ?? log.tail();
  if (/could not (?:bind|create any TCP)/.test(reason)) return null;
  throw new OperatorError(
    `La base de données embarquée n'a pas démarré :\n${reason || "raison inconnue"}`,
  );
}

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
  const checkout = path.dirname(path.dirname(dataDir));
  const parent = path.dirname(dataDir);
  if (!existsSync(parent)) {
    mkdirSync(parent, { recursive: true });
    // The server's account must traverse it; nobody else may list it.
    chmodSync(parent, 0o711);
  }
  const release = await acquireLock({ file: lockFile(dataDir), ...holder });
  try {
    const home = preparePostgresHome({ dataDir, checkout, log });
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
      runOffline({ program, home, data, sql: `ALTER ROLE ${NAME} PASSWORD '${password}';` });
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
    if (access?.port !== port) writeAccess({ dataDir, access: { port, password } });

    const server = child;
    const watchdog = startWatchdog({ pid, data });
    const hasEnded = () => server.exitCode !== null || server.signalCode !== null;
    const ended = (hasEnded() ? Promise.resolve() : once(server, "exit")).then(() => {
      watchdog?.kill("SIGKILL");
      release();
    });
    return {
      url: urlOf({ port, password }),
      port,
      pid,
      isGuest: false,
      ended,
      stop: async ({ immediate = false } = {}) => {
        if (!hasEnded()) await stopServer({ pid, data, program, isImmediate: immediate });
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
  for (;;) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (!(error instanceof LockedError)) throw error;
      const guest = await joinPostgres(options.dataDir);
      if (guest) return guest;
      if (readLock(lockFile(path.resolve(options.dataDir)))) throw error;
    }
  }
}

async function joinPostgres(givenDir: string): Promise<PostgresServer | null> {
  const dataDir = path.resolve(givenDir);
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
    port: access.port,
    pid: running.pid,
    isGuest: true,
    ended: new Promise(() => undefined),
    stop: async () => undefined,
  };
}

/** A server in a temporary folder, for tests: fast, not durable, deleted by `stop`. */
export async function startTemporaryPostgres(
  options: Pick<PostgresOptions, "log"> = {},
): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), "mini-ecommerce-"));
  chmodSync(folder, 0o711);
  const dataDir = path.join(folder, "postgres");
  const removeFiles = () => {
    if (existsSync(dataDir)) rmSync(realpathSync(dataDir), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = await startPostgres({ ...options, dataDir, isDurable: false });
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
