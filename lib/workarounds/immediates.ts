/** The first major version of Node.js that keeps no request alive through them: measured, docs/decisions/044. */
const FIXED_IN = 24;

const RUN = Symbol("callback");

/** An Immediate of Node.js: an item of a linked list with those of the same turn of the event loop. */
interface Link {
  _idleNext: Link | null;
  _idlePrev: Link | null;
  /** Run, about to be run, or cleared. */
  _destroyed: boolean;
  [RUN]?: unknown;
}

const PATCHED = Symbol("patched");

/**
 * Prevents a memory leak: unlinks each Immediate from its list when the next one runs. Node.js leaves
 * it linked, so that a reference to one retains all of its turn, and the request of each. Next.js ends
 * a rendering by an error whose trace holds one, and a module or a connection that was opened in a
 * request retains that request: under load every page ever rendered is retained through its
 * neighbours, 130 kB each, until no memory is left (docs/decisions/044). The prototype is patched, since
 * Next.js has replaced `setImmediate` by now. Concerns Node.js 20 and 22.
 *
 * @see https://github.com/nodejs/node/blob/v22.x/lib/internal/timers.js processImmediate
 */
export function unlinkImmediates(): void {
  if (Number.parseInt(process.versions.node, 10) >= FIXED_IN) return;
  const immediate = setImmediate(() => undefined);
  clearImmediate(immediate);
  const prototype = Object.getPrototypeOf(immediate) as object & { [PATCHED]?: true };
  if (prototype[PATCHED] || !("_idlePrev" in immediate) || !("_onImmediate" in immediate)) return;
  prototype[PATCHED] = true;
  Object.defineProperty(prototype, "_onImmediate", {
    configurable: true,
    get(this: Link) {
      const run = this[RUN];
      // Read to be run, and not to be cleared. Node.js goes on from this one to the next: the previous
      // one is done.
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
