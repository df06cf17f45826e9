/** Runs once when a server process starts, before its first request. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { watchIncomingRequests } = await import("@/lib/http/incoming");
  watchIncomingRequests();
}
