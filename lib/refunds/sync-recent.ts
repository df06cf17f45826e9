import { log } from "@/lib/http/server/log";
import { perProcess } from "@/lib/runtime/per-process";
import { syncRefunds } from "./sync";

/** Milliseconds between two checks of a process. Events report refunds at once: checks find lost events. */
const INTERVAL = 60 * 60_000;
/** Milliseconds that a check looks back: longer than the provider repeats an event. */
const WINDOW = 7 * 24 * 60 * 60_000;

const state = perProcess("recent-refunds", () => ({ nextAt: 0 }));

/**
 * Looks for refunds and disputes that began at the provider, once an hour. Never throws: the next check
 * finds them, too.
 *
 * @param isEager checks now, whatever the time of the last check
 */
export async function syncRecentRefunds({ isEager }: { isEager: boolean }): Promise<void> {
  if (!isEager && Date.now() < state.nextAt) return;
  state.nextAt = Date.now() + INTERVAL;
  try {
    await syncRefunds({ since: new Date(Date.now() - WINDOW) });
  } catch (error) {
    log.warn({ err: error }, "refunds at the provider not compared yet");
  }
}
