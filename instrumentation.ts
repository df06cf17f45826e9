import type { Instrumentation } from "next";

/** Runs once when Next.js starts, before the first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (process.env.NEXT_PHASE === "phase-production-build") return;
  const { startProcess } = await import("@/lib/process/start");
  await startProcess();
}

/** Next.js tells of a stored page that fails twice: when it is rendered, and when it cannot be stored. */
const told = new WeakSet<object>();

/** What Next.js catches while it makes a page. An error page shows the same reference (digest). */
export const onRequestError: Instrumentation.onRequestError = async (error, _, { routePath }) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  if (typeof error === "object" && error !== null) {
    if (told.has(error)) return;
    told.add(error);
  }
  const { log } = await import("@/lib/http/server/log");
  // Under overload, write no line for each refused page.
  const isOverload = error instanceof Error && "kind" in error && error.kind === "unavailable";
  log[isOverload ? "debug" : "error"]({ err: error, route: routePath }, "page failed");
};
