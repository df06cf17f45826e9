import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { env } from "@/lib/env";

/** What may stand in an `X-Request-Id` that a proxy sends: its own number, and no text. */
const WELL_FORMED = /^[\w.-]{8,64}$/;

const requestIds = new AsyncLocalStorage<string>();

/** Runs the handler of a call; what it logs has the id of the call. */
export const runInRequest = <T>(id: string, run: () => T): T => requestIds.run(id, run);

/** The id of the call that is being answered; undefined for a page and for background work. */
export const currentRequestId = (): string | undefined => requestIds.getStore();

/** The id of a call: a proxy's, where there is one. Without a proxy it would be the client's, which may be anything. */
export function requestIdOf({ headers }: Request): string {
  const sent = headers.get("x-request-id");
  return sent !== null && env().TRUST_PROXY > 0 && WELL_FORMED.test(sent) ? sent : randomUUID();
}
