const KEY = Symbol.for("mini-ecommerce.telemetry");
const shared = globalThis as { [KEY]?: () => Promise<void> };

/** Has `stop` called when this process ends. */
export function onTelemetryStop(stop: () => Promise<void>): void {
  shared[KEY] = stop;
}

/** Sends what was not sent yet, where there is telemetry at all. */
export async function stopTelemetry(): Promise<void> {
  await shared[KEY]?.();
}
