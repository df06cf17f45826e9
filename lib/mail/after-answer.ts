// With its ending: Node.js itself, which runs scripts and unit tests, does not find it without.
import { after } from "next/server.js";
import { mailWorker } from "@/lib/mail/worker";

/** Delivers what is due once the answer to the current request has been sent. */
export function deliverAfterAnswer(): void {
  try {
    after(mailWorker.soon);
  } catch {
    // Not in a request (a script, the seed): the worker or the scheduler will find the mail.
  }
}
