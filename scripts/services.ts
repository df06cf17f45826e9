/** Something that was started and has to be stopped, such as the database or the web server. */
export interface Service {
  /** `isForced` after a second signal: at once instead of gracefully. */
  stop(options: { isForced: boolean }): Promise<void>;
}

/** Signals within this time are one: both the terminal and npm forward a Ctrl-C. */
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
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(name, () => this.onSignal());
    }
  }

  get isShuttingDown(): boolean {
    return this.shutdown !== undefined;
  }

  /** Starts a service. One that is still starting at shutdown is stopped once it has started. */
  async start<T extends Service>(launch: () => Promise<T>): Promise<T> {
    if (this.shutdown) return this.shutdown;
    const starting = launch();
    this.started.push(starting.catch(() => null));
    const service = await starting;
    if (this.shutdown) return this.shutdown;
    return service;
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
      for (const service of this.started) {
        void service.then((it) => it?.stop({ isForced: true })).catch(() => undefined);
      }
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
