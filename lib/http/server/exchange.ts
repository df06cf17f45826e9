import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestContext } from "@/lib/http/server/request-context";

/** A request and its response, on their way through the pipeline (pipeline.ts). */
export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  context: RequestContext;
}

/** Answers, or hands on to the next step. */
export type Step = (exchange: Exchange, next: () => void) => void;
