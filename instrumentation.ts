import type { Instrumentation } from "next";

/**
 * Runs once when Next.js starts. On a serverless host it starts what works within a request's process, each once;
 * server.ts has done so before.
 */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build") return;
  const { startWithinProcess } = await import("@/lib/process/start");
  await startWithinProcess();
}

/** Next.js tells of a stored page that fails twice: when it is rendered, and when it cannot be stored. */
const told = new WeakSet<object>();

/** What Next.js catches while it makes a page. An error page shows the same reference (digest). */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { isOverload, recordPageError } = await import("@/lib/http/server/outage");
  recordPageError(error);
  if (typeof error === "object" && error !== null) {
    if (told.has(error)) return;
    told.add(error);
  }
  const { log } = await import("@/lib/http/server/log");
  // Where there are too many of them, not as many lines as well.
  const level = isOverload(error) ? "debug" : "error";
  log[level]({ err: error, route: routePath }, "page failed");
};
