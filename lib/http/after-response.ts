// With its extension, which Node.js needs in scripts and unit tests.
import { after } from "next/server.js";

/**
 * Runs a function once the response to the current request has been sent, on a serverless host, too. Outside of a
 * request (a script, a worker) nothing runs: a worker or the scheduler will find what is due.
 */
export function afterResponse(run: () => Promise<void>): void {
  try {
    after(run);
  } catch {
    // No request.
  }
}
