const RUN = Symbol("what is run");

/** What Node.js keeps of a `setImmediate`, in a chain with those of the same turn. */
interface Link {
  _idleNext: Link | null;
  _idlePrev: Link | null;
  /** Run, about to be run, or taken back. */
  _destroyed: boolean;
  [RUN]?: unknown;
}

const CUT = Symbol.for("mini-ecommerce.immediates");

/**
 * Takes each `setImmediate` out of its chain when the one after it runs. Node.js leaves it there:
 * whoever holds one holds all of its turn, and the request of each. Next.js ends a rendering by an error
 * whose trace holds one, and a module or a connection that was opened in a request holds that request:
 * so under load every page ever rendered hangs together by its neighbours, 130 kB each, until no memory
 * is left. docs/decisions/044. Next.js has taken `setImmediate` for itself by now, so what it gives is changed, and not itself.
 * Where Node.js works otherwise, nothing happens.
 *
 * @see https://github.com/nodejs/node/blob/v20.x/lib/internal/timers.js processImmediate
 */
export function unlinkImmediates(): void {
  const immediate = setImmediate(() => undefined);
  clearImmediate(immediate);
  const prototype = Object.getPrototypeOf(immediate) as object & { [CUT]?: true };
  if (prototype[CUT] || !("_idlePrev" in immediate) || !("_onImmediate" in immediate)) return;
  prototype[CUT] = true;
  Object.defineProperty(prototype, "_onImmediate", {
    configurable: true,
    get(this: Link) {
      const run = this[RUN];
      // Read to be run, and not to be taken back. Node.js will go on from this one to the next: the
      // one before is done with.
      if (this._destroyed && run && this._idlePrev) {
        this._idlePrev._idleNext = null;
        this._idlePrev = null;
      }
      return run;
    },
    set(this: Link, run: unknown) {
      this[RUN] = run;
    },
  });
}
