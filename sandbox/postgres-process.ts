import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/operator-error";
import { SERVER_ENV } from "@/sandbox/postgres-cluster";
import { dataFolder, type PostgresHome } from "@/sandbox/postgres-home";
import type { PostgresProgram } from "@/sandbox/postgres-program";
import { isRunning, signal, waitUntil } from "@/sandbox/processes";

// The process of a PostgreSQL server: how it starts, how one that is left is found, how it ends.

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

export const START_TIMEOUT_MS = 120_000;
const FAST_STOP_TIMEOUT_MS = 30_000;
const IMMEDIATE_STOP_TIMEOUT_MS = 10_000;

/** Reads `postmaster.pid`, which exists while the server runs. */
export function readPidFile(data: string): { pid: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : null;
  } catch {
    return null;
  }
}

/** Is that process a server on this folder, and not another program with a recycled pid? */
export function isServerOf({ pid, data }: { pid: number; data: string }): boolean {
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
export async function stopStaleServer({
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

export async function stopServer({
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

/**
 * Stops the server when this process is killed (SIGKILL): a shell that waits for the end of a pipe
 * from this process. It checks the pid file first, since pids are recycled.
 */
export function startWatchdog({ pid, data }: { pid: number; data: string }): ChildProcess | null {
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
export async function launch({
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
