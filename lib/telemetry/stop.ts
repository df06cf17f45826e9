import { perProcess } from "@/lib/per-process";

const telemetry = perProcess<{ stop: () => Promise<void> }>("telemetry", () => ({
  stop: async () => undefined,
}));

/** Registers what `stopTelemetry` calls. */
export function onTelemetryStop(stop: () => Promise<void>): void {
  telemetry.stop = stop;
}

/** Flushes and stops telemetry, if it was started. */
export const stopTelemetry = (): Promise<void> => telemetry.stop();
