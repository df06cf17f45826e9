import { getSessionUser } from "@/lib/auth/queries";
import { verifyToken } from "@/lib/auth/token";
import { env, siteUrl } from "@/lib/env";
import { authenticateBy } from "@/lib/http/api/access";
import { startSharedCache } from "@/lib/http/cache/start-shared-cache";
import { redirectConsole } from "@/lib/http/server/console";
import { perProcess } from "@/lib/per-process";

const state = perProcess<{ hasStarted: boolean; stopTelemetry?: () => Promise<void> }>(
  "start",
  () => ({ hasStarted: false }),
);

/**
 * Starts the services that every process of the shop needs, also on a serverless host: the log, the API's
 * authentication, next-auth's URL, the cache that instances share, telemetry. Further calls do nothing.
 */
export async function startWithinProcess(): Promise<void> {
  if (state.hasStarted) return;
  state.hasStarted = true;
  const { NODE_ENV, OTEL_EXPORTER_OTLP_ENDPOINT } = env();
  // The development server shows faults in its own form.
  if (NODE_ENV === "production") redirectConsole();
  authenticateBy({ verifyToken, getSessionUser });
  // next-auth reads its URL from this variable only.
  process.env.NEXTAUTH_URL = siteUrl();
  await startSharedCache();
  if (OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) {
    const { startTelemetry } = await import("@/lib/telemetry/provider");
    state.stopTelemetry = startTelemetry();
  }
}

/** Sends telemetry's remaining data, if telemetry was started. */
export const stopTelemetry = async (): Promise<void> => state.stopTelemetry?.();
