const GATE = Symbol.for("mini-ecommerce.gate");

/** Lets connections in that wait in gate.mjs, if that was loaded. */
export function openGate(): void {
  (globalThis as { [GATE]?: () => void })[GATE]?.();
}
