// Next.js may load this module once per bundle; the process has one state.
const KEY = Symbol.for("mini-ecommerce.draining");
const shared = globalThis as { [KEY]?: true };

/** From now on this process wants no new visitors. */
export function startDraining(): void {
  shared[KEY] = true;
}

/** Has this process been asked to end? */
export function isDraining(): boolean {
  return shared[KEY] === true;
}
