import { AsyncResource } from "node:async_hooks";
// With its extension, which Node.js needs in scripts and unit tests.
import { after } from "next/server.js";
import { currentRequest } from "@/lib/http/server/request-context";
import { mailWorker } from "@/lib/mail/worker";

/** Delivers what is due once the response to the current request has been sent. */
export function deliverAfterAnswer(): void {
  try {
    after(mailWorker.trigger);
  } catch {
    // Next.js does not handle the request (api-calls.ts). Outside of one (a script, the seed) the
    // worker or the scheduler will find the mail.
    currentRequest()?.response?.once("close", AsyncResource.bind(mailWorker.trigger));
  }
}
