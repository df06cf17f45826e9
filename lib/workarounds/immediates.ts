/** The first major version of Node.js without the memory leak below: measured, docs/decisions/044. */
const FIXED_IN = 24;

const RUN = Symbol("callback");

/** An Immediate of Node.js: an item of a linked list of all Immediates of one turn of the event loop. */
interface Link {
  _idleNext: Link | null;
  _idlePrev: Link | null;
  /** Run, about to be run, or cleared. */
  _destroyed: boolean;
  [RUN]?: unknown;
}

const PATCHED = Symbol("patched");

/**
 * Prevents a memory leak: unlinks each Immediate from its list when the next one runs. Node.js 20 and 22 leave
 * it linked. So a reference to one Immediate retains all Immediates of its turn, and their requests. Next.js
 * ends a rendering by an error whose stack trace references an Immediate, and a module or connection opened
 * in a request retains that request. Under load every rendered page is retained through its neighbours, 130 kB
 * each, until the memory is full (docs/decisions/044). The prototype is patched, since Next.js has already
 * replaced `setImmediate` when this runs.
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
      // `_onImmediate` is read to run this Immediate, not to clear it. Node.js continues with the next
      // one, so the previous one is done: unlink it.
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
