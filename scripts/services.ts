/** Something that was started and has to be stopped: the database, the web server. */
export interface Service {
  /** `isHurried`: the person asked a second time. */
  stop(options: { isHurried: boolean }): Promise<void>;
}

/** A second signal within this time is the same wish: a terminal and npm both pass a Ctrl-C on. */
const SAME_WISH_MS = 400;

/**
 * What this process started, in order. On SIGINT, SIGTERM or SIGHUP, or when `finish` is called,
 * everything is stopped in the reverse order and the process ends.
 */
export class Services {
  private readonly started: Promise<Service | null>[] = [];
  private finishing: Promise<never> | undefined;
  private finishingSince = 0;
  private isHurried = false;

  /** @param codeWhenAsked exit code after a signal: 0 for a server, which else would run for ever */
  constructor(private readonly codeWhenAsked: number) {
    for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
      process.on(name, () => this.onSignal());
    }
  }

  get isFinishing(): boolean {
    return this.finishing !== undefined;
  }

  /** Starts a service; one that is still starting when the end comes is stopped once it stands. */
  async start<T extends Service>(begin: () => Promise<T>): Promise<T> {
    if (this.finishing) return this.finishing;
    const beginning = begin();
    this.started.push(beginning.catch(() => null));
    const service = await beginning;
    if (this.finishing) return this.finishing;
    return service;
  }

  /** Stops everything and ends the process. */
  finish(code: number): Promise<never> {
    if (!this.finishing) {
      this.finishingSince = Date.now();
      this.finishing = this.stopAll(code);
    }
    return this.finishing;
  }

  private onSignal(): void {
    if (!this.finishing) void this.finish(this.codeWhenAsked);
    else if (!this.isHurried && Date.now() - this.finishingSince > SAME_WISH_MS) {
      this.isHurried = true;
      // Stops that are under way are repeated, hurriedly: all at once, for the order is lost anyway.
      for (const service of this.started) {
        void service.then((it) => it?.stop({ isHurried: true })).catch(() => undefined);
      }
    }
  }

  private async stopAll(code: number): Promise<never> {
    let exitCode = code;
    for (const starting of this.started.toReversed()) {
      try {
        await (await starting)?.stop({ isHurried: this.isHurried });
      } catch (error) {
        console.error(error);
        exitCode ||= 1;
      }
    }
    process.exit(exitCode);
  }
}
