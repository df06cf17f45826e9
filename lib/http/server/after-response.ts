// With its extension, which Node.js needs in scripts and unit tests.
import { after } from "next/server.js";

/**
 * Runs a function once the response to the current request has been sent, whoever answers it: Next.js,
 * on a serverless host, too, or the shop itself (after.ts). Outside of a request (a script, the
 * seed) nothing runs: a worker or the scheduler will find what is due.
 */
export function afterResponse(run: () => Promise<void>): void {
  try {
    after(run);
  } catch {
    // No request.
  }
}
