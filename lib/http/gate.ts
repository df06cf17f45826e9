const GATE = Symbol.for("mini-ecommerce.gate");

/** Lets in who waits at gate.mjs; without it nobody does. */
export function openGate(): void {
  (globalThis as { [GATE]?: () => void })[GATE]?.();
}
