import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  fchownSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import path from "node:path";
import { OperatorError } from "@/lib/errors/operator-error";
import type { PostgresHome } from "@/sandbox/postgres-home";
import { type Postgres, runProgram, spawnOptions } from "@/sandbox/postgres-program";
import { isRunning, waitUntil } from "@/sandbox/processes";

// The process of a PostgreSQL server: how it starts, how one that is left is found, how it ends.

/** A shop's database is small and its requests are short; the disk is taken for an SSD. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  // A socket's path may have 107 bytes only, which a deep checkout exceeds: TCP alone.
  "unix_socket_directories=",
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
const STOP_TIMEOUT_MS = 30_000;

/** Is that process a server on this folder, and not another program with a recycled pid? */
function isServerOf({ pid, data }: { pid: number; data: string }): boolean {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { encoding: "utf8", stdio: "pipe" });
  try {
    if (process.platform === "linux")
      return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(data);
    if (process.platform === "win32")
      return /postgres/i.test(run("tasklist", "/FI", `PID eq ${pid}`, "/NH"));
    return run("ps", "-o", "command=", "-p", String(pid)).includes(data);
  } catch {
    // It has ended.
    return false;
  }
}

/** The server that runs on this folder, from its `postmaster.pid`; null where none runs. */
export function findServer(data: string): { pid: number; port: number; isReady: boolean } | null {
  try {
    const lines = readFileSync(path.join(data, "postmaster.pid"), "utf8").split("\n");
    const pid = Number(lines[0]);
    const isReady = lines[7]?.trim() === "ready";
    return isServerOf({ pid, data }) ? { pid, port: Number(lines[3]), isReady } : null;
  } catch {
    return null;
  }
}

/** Stops a server that outlived the command which started it, and removes what it has left. */
export async function stopStaleServer({
  postgres,
  log,
}: {
  postgres: Postgres;
  log: (line: string) => void;
}): Promise<void> {
  const stale = findServer(postgres.data);
  if (stale) {
    log("Un serveur PostgreSQL d'un lancement interrompu tourne encore : il est arrêté.");
    await stopServer({ postgres, pid: stale.pid });
  }
  // Its pid may be another program's by now, which PostgreSQL would take for a server. Backends of
  // a killed server it finds without the file, by the shared memory that belongs to the folder.
  rmSync(path.join(postgres.data, "postmaster.pid"), { force: true });
}

/** `isForced`: without a checkpoint, so that the next start replays the WAL. */
export async function stopServer({
  postgres,
  pid,
  isForced = false,
}: {
  postgres: Postgres;
  pid: number;
  isForced?: boolean;
}): Promise<void> {
  for (const signal of isForced ? ["QUIT"] : ["INT", "QUIT"]) {
    // By PostgreSQL's own program, since Windows has no such signals.
    runProgram({ postgres, name: "pg_ctl", args: ["kill", signal, String(pid)] });
    const hasStopped = () => !isRunning(pid);
    if (await waitUntil({ condition: hasStopped, timeoutMs: STOP_TIMEOUT_MS })) return;
  }
  throw new OperatorError(
    `Le serveur PostgreSQL (processus ${pid}, données dans ${postgres.data}) ne s'arrête pas.`,
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

/** Creates the server's log, and keeps that of the run before. */
function openLog({ folder, account }: PostgresHome): { fd: number; read: () => string } {
  const file = path.join(folder, "server.log");
  if (existsSync(file)) renameSync(file, `${file}.old`);
  // "wx": the folder belongs to the server's account, root must not follow a symbolic link in it.
  const fd = openSync(file, "wx", 0o600);
  if (account) fchownSync(fd, account.uid, account.gid);
  return { fd, read: () => readFileSync(file, "utf8").trim() };
}

/** Launches the server and waits until it accepts connections; null where its port is in use. */
export async function launch({
  postgres,
  port,
  isDurable,
  settings,
}: {
  postgres: Postgres;
  port: number;
  isDurable: boolean;
  settings: readonly string[];
}): Promise<{ pid: number; ended: Promise<void> } | null> {
  const fragile = isDurable ? [] : NON_DURABLE_SETTINGS;
  const all = [...SETTINGS, ...fragile, ...settings, `port=${port}`];
  const log = openLog(postgres);
  const child = spawn(
    path.join(postgres.bin, "postgres"),
    ["-D", postgres.data, ...all.flatMap((setting) => ["-c", setting])],
    {
      ...spawnOptions(postgres),
      stdio: ["ignore", log.fd, log.fd],
      // Its own session: a Ctrl-C in the terminal goes to the shop, which stops the server last.
      detached: process.platform !== "win32",
    },
  );
  closeSync(log.fd);
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  await once(child, "spawn");
  const pid = child.pid as number;
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  const isReady = () => findServer(postgres.data)?.isReady === true;
  const isSettled = await waitUntil({
    condition: () => hasEnded() || isReady(),
    timeoutMs: START_TIMEOUT_MS,
  });
  if (isSettled && !hasEnded()) return { pid, ended };
  child.kill("SIGQUIT");
  const reason = log.read();
  if (/could not (?:bind|create any TCP)/.test(reason)) return null;
  throw new OperatorError(
    `La base de données embarquée n'a pas démarré :\n${reason || "raison inconnue"}`,
  );
}
