const KEY = Symbol.for("mini-ecommerce.telemetry");
const shared = globalThis as { [KEY]?: () => Promise<void> };

/** Registers what `stopTelemetry` calls. */
export function onTelemetryStop(stop: () => Promise<void>): void {
  shared[KEY] = stop;
}

/** Flushes and stops telemetry, if it was started. */
export async function stopTelemetry(): Promise<void> {
  await shared[KEY]?.();
}
