import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { ROOT } from "@/scripts/command";

/** A started part that has to be stopped, such as the database or the web server. */
export interface Service {
  /** `isForced` after a second signal: at once instead of gracefully. */
  stop(options: { isForced: boolean }): Promise<void>;
}

/** Signals within this time count as one: the terminal and npm both send a Ctrl-C. */
const SIGNAL_DEBOUNCE_MS = 400;

/**
 * The services that this process has started. On SIGINT, SIGTERM or SIGHUP, or when `shutDown` is
 * called, they are stopped in reverse order and the process exits.
 */
export class Services {
  private readonly started: Promise<Service | null>[] = [];
  private shutdown: Promise<never> | undefined;
  private shutdownSince = 0;
  private isForced = false;

  /** @param signalExitCode exit code after a signal: 0 for a server, 130 for a command that was interrupted */
  constructor(private readonly signalExitCode: number) {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(name, () => this.onSignal());
  }

  get isShuttingDown(): boolean {
    return this.shutdown !== undefined;
  }

  /** Starts a service. One that is still starting at shutdown is stopped once it has started. */
  async start<T extends Service>(launch: () => T | Promise<T>): Promise<T> {
    if (this.shutdown) return this.shutdown;
    const starting = Promise.resolve(launch());
    this.started.push(starting.catch(() => null));
    const service = await starting;
    return this.shutdown ?? service;
  }

  /** Stops everything and exits. */
  shutDown(code: number): Promise<never> {
    if (!this.shutdown) {
      this.shutdownSince = Date.now();
      this.shutdown = this.stopAll(code);
    }
    return this.shutdown;
  }

  private onSignal(): void {
    if (!this.shutdown) void this.shutDown(this.signalExitCode);
    else if (!this.isForced && Date.now() - this.shutdownSince > SIGNAL_DEBOUNCE_MS) {
      this.isForced = true;
      // Stops everything again, forcibly and in no order.
      for (const service of this.started)
        void service.then((it) => it?.stop({ isForced: true })).catch(() => undefined);
    }
  }

  private async stopAll(code: number): Promise<never> {
    let exitCode = code;
    for (const starting of this.started.toReversed()) {
      try {
        await (await starting)?.stop({ isForced: this.isForced });
      } catch (error) {
        console.error(error);
        exitCode ||= 1;
      }
    }
    process.exit(exitCode);
  }
}

/** A Node.js child process that ends with this process, even when this one is killed. */
export interface NodeChild extends Service {
  /** Resolves to its exit code, 128 + n where signal n ended it. */
  ended: Promise<number>;
}

/**
 * Loaded into a child: when this process ends, the IPC channel closes, and the child sends itself SIGTERM.
 * `unref`: the channel must not keep a finished program alive. In a child's own children it does nothing.
 */
const GUARD = `data:text/javascript,${encodeURIComponent(`if (process.ppid === ${process.pid}) {
  process.once("disconnect", () => process.kill(process.pid));
  process.channel?.unref();
}`)}`;

export function startNode({
  args,
  env = process.env,
  stdout = "inherit",
  graceMs = 10_000,
}: {
  args: readonly string[];
  env?: NodeJS.ProcessEnv;
  stdout?: "inherit" | "ignore";
  /** How long it may take to shut down before it is killed. */
  graceMs?: number;
}): NodeChild {
  const child = spawn(process.execPath, ["--import", GUARD, ...args], {
    cwd: ROOT,
    env,
    stdio: ["ignore", stdout, "inherit", "ipc"],
  });
  const ended = once(child, "exit").then(([code, signal]: unknown[]) =>
    typeof code === "number" ? code : 128 + constants.signals[signal as NodeJS.Signals],
  );
  return {
    ended,
    stop: async ({ isForced }) => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(isForced ? "SIGKILL" : "SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
      await ended;
      clearTimeout(timer);
    },
  };
}
