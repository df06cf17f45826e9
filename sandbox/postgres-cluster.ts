import { execFileSync, spawn } from "node:child_process";
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
import { dataFolder, type PostgresHome } from "@/sandbox/postgres-home";
import { runProgram, spawnOptions } from "@/sandbox/postgres-programs";
import { isRunning, waitUntil } from "@/sandbox/processes";

/** Name of the role and of the database. */
export const SHOP = "shop";

/** For a small database with short requests, on an SSD. */
const SETTINGS = [
  "listen_addresses=127.0.0.1",
  // The path of a Unix socket is limited to 107 bytes, which a deep checkout exceeds.
  "unix_socket_directories=",
  "work_mem=16MB",
  "maintenance_work_mem=128MB",
  "max_wal_size=2GB",
  "random_page_cost=1.1",
  "jit=off",
  // A request that used several processors would slow down the others.
  "max_parallel_workers_per_gather=0",
];

/** For tests and benchmarks: their data may be lost, and several shops share the server. */
const TEMPORARY_SETTINGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "max_connections=300",
];

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

/** The server that runs on this folder, from its `postmaster.pid`; null if none runs. */
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

/** The data of a PostgreSQL server, and the server that runs on it. */
export class PostgresCluster {
  private readonly data: string;

  /** @param programs the folder of PostgreSQL's programs */
  constructor(
    private readonly home: PostgresHome,
    private readonly programs: string,
    private readonly isDurable: boolean,
  ) {
    this.data = dataFolder(home.folder);
  }

  private run(name: "initdb" | "pg_ctl" | "postgres", args: readonly string[], input?: string) {
    return runProgram({ home: this.home, program: path.join(this.programs, name), args, input });
  }

  /**
   * Runs initdb. Text is UTF-8, collated by code point with Unicode's case rules, the same on every
   * system. Full-text search and pg_trgm ask the C library which characters are letters: `lc-ctype`
   * selects a locale that knows accented ones, by one of the names that systems have for it.
   */
  create(): void {
    const draft = `${this.data}.new`;
    let problem: string | null = null;
    for (const ctype of ["C.UTF-8", "en_US.UTF-8", "C"]) {
      rmSync(draft, { recursive: true, force: true });
      problem = this.run("initdb", [
        `--pgdata=${draft}`,
        `--username=${SHOP}`,
        "--auth-local=reject",
        "--auth-host=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        `--lc-ctype=${ctype}`,
        "--locale-provider=builtin",
        "--builtin-locale=C.UTF-8",
        ...(this.isDurable ? [] : ["--no-sync", "--no-data-checksums"]),
      ]);
      if (!problem?.includes("invalid locale name")) break;
    }
    if (problem !== null)
      throw new OperatorError(
        `La base de données embarquée n'a pas pu être créée dans ${this.home.folder} :\n${problem}`,
      );
    this.runOffline(`CREATE DATABASE ${SHOP};`, draft);
    renameSync(draft, this.data);
  }

  /** Runs a statement without a running server and without a password. */
  runOffline(sql: string, data = this.data): void {
    const args = ["--single", "-D", data, "-c", "exit_on_error=on", "postgres"];
    const problem = this.run("postgres", args, `${sql}\n`);
    if (problem !== null) throw new Error(`PostgreSQL: ${problem}`);
  }

  /** Stops a server that outlived the command which started it, and removes its `postmaster.pid`. */
  async stopStale(log: (line: string) => void): Promise<void> {
    const stale = findServer(this.data);
    if (stale) {
      log("Un serveur PostgreSQL d'un lancement interrompu tourne encore : il est arrêté.");
      await this.stop(stale.pid);
    }
    // PostgreSQL would refuse to start if the pid now belongs to another program. It detects the backends
    // of a killed server without this file, by the folder's shared memory.
    rmSync(path.join(this.data, "postmaster.pid"), { force: true });
  }

  /** `isForced`: without a checkpoint, so that the next start replays the WAL. */
  async stop(pid: number, { isForced = false } = {}): Promise<void> {
    for (const signal of isForced ? ["QUIT"] : ["INT", "QUIT"]) {
      // Windows has no such signals: pg_ctl sends them on every system.
      this.run("pg_ctl", ["kill", signal, String(pid)]);
      const hasStopped = () => !isRunning(pid);
      if (await waitUntil({ condition: hasStopped, timeoutMs: STOP_TIMEOUT_MS })) return;
    }
    throw new OperatorError(
      `Le serveur PostgreSQL (processus ${pid}, données dans ${this.data}) ne s'arrête pas.`,
    );
  }

  /** Creates the server's log, and keeps that of the run before. */
  private openLog(): { fd: number; read: () => string } {
    const { folder, account } = this.home;
    const file = path.join(folder, "server.log");
    if (existsSync(file)) renameSync(file, `${file}.old`);
    // "wx": the folder belongs to the server's account, root must not follow a symbolic link in it.
    const fd = openSync(file, "wx", 0o600);
    if (account) fchownSync(fd, account.uid, account.gid);
    return { fd, read: () => readFileSync(file, "utf8").trim() };
  }

  /** Starts the server and waits until it accepts connections; null if its port is in use. */
  async launch(settings: readonly string[]): Promise<{ pid: number; ended: Promise<void> } | null> {
    const all = [...SETTINGS, ...(this.isDurable ? [] : TEMPORARY_SETTINGS), ...settings];
    const log = this.openLog();
    const child = spawn(
      path.join(this.programs, "postgres"),
      ["-D", this.data, ...all.flatMap((setting) => ["-c", setting])],
      {
        ...spawnOptions(this.home),
        stdio: ["ignore", log.fd, log.fd],
        // Its own session: a Ctrl-C in the terminal goes to the shop, which stops the server last.
        detached: process.platform !== "win32",
      },
    );
    closeSync(log.fd);
    const exit = once(child, "exit");
    await once(child, "spawn");
    const pid = child.pid as number;
    const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
    const isReady = () => findServer(this.data)?.isReady === true;
    await waitUntil({ condition: () => hasEnded() || isReady(), timeoutMs: START_TIMEOUT_MS });
    if (!hasEnded() && isReady()) {
      const stopWatchdog = startWatchdog({ pid, data: this.data });
      return { pid, ended: exit.then(stopWatchdog) };
    }
    child.kill("SIGQUIT");
    const reason = log.read();
    if (/could not (?:bind|create any TCP)/.test(reason)) return null;
    throw new OperatorError(
      `La base de données embarquée n'a pas démarré :\n${reason || "raison inconnue"}`,
    );
  }
}

/**
 * Stops the server when this process is killed (SIGKILL): a shell waits for the end of a pipe from this
 * process. It checks the pid file first, since pids are recycled. Returns a function that ends the shell.
 */
function startWatchdog({ pid, data }: { pid: number; data: string }): () => void {
  if (process.platform === "win32") return () => undefined;
  const script = 'read -r _; read -r pid < "$1" && [ "$pid" = "$2" ] && kill -INT "$2"';
  const watchdog = spawn(
    "/bin/sh",
    ["-c", script, "sh", path.join(data, "postmaster.pid"), String(pid)],
    { stdio: ["pipe", "ignore", "ignore"], detached: true, cwd: "/" },
  );
  watchdog.on("error", () => undefined);
  watchdog.stdin.on("error", () => undefined);
  watchdog.unref();
  return () => void watchdog.kill("SIGKILL");
}
