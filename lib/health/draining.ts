// Next.js may load this module once per bundle; the process has one state.
const KEY = Symbol.for("mini-ecommerce.draining");
const shared = globalThis as { [KEY]?: true };

/** From now on this process reports that it is not ready. */
export function startDraining(): void {
  shared[KEY] = true;
}

/** Is this process shutting down? */
export function isDraining(): boolean {
  return shared[KEY] === true;
}
