// With its extension, which Node.js needs in scripts and unit tests.
import { after } from "next/server.js";
import { mailWorker } from "@/lib/mail/worker";

/** Delivers what is due once the response to the current request has been sent. */
export function deliverAfterAnswer(): void {
  try {
    after(mailWorker.trigger);
  } catch {
    // Not in a request (a script, the seed): the worker or the scheduler will find the mail.
  }
}
