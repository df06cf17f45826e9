import { AsyncResource } from "node:async_hooks";
import { currentRequest } from "@/lib/http/server/request-context";

/**
 * Stands for Next.js's function of this name in the server (scripts/bundle.ts): runs once the response to
 * the current request has been sent.
 *
 * @throws outside of a request
 */
export function after(run: () => Promise<void>): void {
  const response = currentRequest()?.response;
  if (!response) throw new Error("after: there is no request.");
  if (response.closed) void run();
  else response.once("close", AsyncResource.bind(run));
}
