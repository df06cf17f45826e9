import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  context as tracing,
} from "@opentelemetry/api";
import type { ApiIndex } from "@/lib/http/api/operations";
import type { Handler } from "@/lib/http/api/route-definition";
import type { Verb } from "@/lib/http/api/verbs";
import { WholeResponse } from "@/lib/http/api/whole-response";
import type { Step } from "@/lib/http/server/exchange";
import { log } from "@/lib/http/server/log";
import { pathOf } from "@/lib/http/url";
import { SCOPE } from "@/lib/span";

// Calls of the API are answered by their handlers without Next.js, whose router and request objects
// take ten times as long as most handlers: docs/decisions/069.

/** An endpoint, and the parameters in its path, decoded. */
interface Endpoint {
  /** With its parameters: `/api/products/{id}`. */
  path: string;
  handlers: Record<Verb, Handler>;
  params: Record<string, string>;
}

/**
 * Answers calls of the endpoints. Paths that are spelt otherwise than the endpoint's (a slash at the end)
 * and those of next-auth go to Next.js.
 */
export function apiCall(index: ApiIndex): Step {
  const find = endpointFinder(index);
  return ({ request, response }, next) => {
    const { url = "/", method = "GET" } = request;
    const endpoint = url.startsWith("/api") ? find(pathOf(url)) : null;
    if (!endpoint) return next();
    answer({ request, response, endpoint }).catch((error: NodeJS.ErrnoException) => {
      // Else the client has left.
      if (error.code !== "ERR_STREAM_PREMATURE_CLOSE")
        log.error({ err: error, method, endpoint: endpoint.path }, "response broken off");
      response.destroy();
    });
  };
}

/**
 * Gives the function that finds the endpoint of a path.
 *
 * @param path well-formed, as sent; spelt otherwise than the endpoint's (a slash at its end, needless
 *   percent-encoding) it finds none
 */
export function endpointFinder(index: ApiIndex): (path: string) => Endpoint | null {
  const fixed = new Map<string, Endpoint>();
  const patterns: { pattern: RegExp; path: string; handlers: Endpoint["handlers"] }[] = [];
  for (const [path, handlers] of Object.values(index).flatMap((routes) => Object.entries(routes)))
    if (path.includes("{")) {
      // Paths have no character besides that means something in a regular expression.
      const pattern = new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "(?<$1>[^/]+)")}$`);
      patterns.push({ pattern, path, handlers });
    } else fixed.set(path, { path, handlers, params: {} });
  return (requested) => {
    const known = fixed.get(requested);
    if (known) return known;
    for (const { pattern, path, handlers } of patterns) {
      const values = pattern.exec(requested)?.groups;
      if (!values) continue;
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(values)) params[name] = decodeURIComponent(value);
      return { path, handlers, params };
    }
    return null;
  };
}

/** Answers as a span of the caller's trace, named as Next.js names its own. Without a collector there is none. */
async function answer({
  request,
  response,
  endpoint: { path, handlers, params },
}: {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: Endpoint;
}): Promise<void> {
  const { method = "GET", headers } = request;
  const handler = handlers[method as Verb];
  const route = path.replaceAll("{", "[").replaceAll("}", "]");
  const options = {
    kind: SpanKind.SERVER,
    attributes: { "http.request.method": method, "http.route": route },
  };
  const caller = propagation.extract(tracing.active(), headers);
  const tracer = trace.getTracer(SCOPE);
  await tracer.startActiveSpan(`${method} ${route}`, options, caller, async (span) => {
    try {
      const context = { params: Promise.resolve(params) };
      await sendResponse(response, await handler(new HandlerRequest(request, response), context));
    } finally {
      const { statusCode } = response;
      span.setAttribute("http.response.status_code", statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    }
  });
}

/** Handlers read path and query of a URL, not its origin. */
const ORIGIN = "http://localhost";

/** The request as handlers read it. */
class HandlerRequest extends Request {
  private leaving: AbortController | undefined;

  constructor(
    private readonly incoming: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    const { method = "GET", url = "/" } = incoming;
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined) headers.set(name, String(value));
    const hasBody = method !== "GET" && method !== "HEAD";
    const body = hasBody ? { body: bodyOf(incoming), duplex: "half" as const } : {};
    super(`${ORIGIN}${url}`, { method, headers, ...body });
  }

  /** Aborts when the client leaves. Made for those who ask: it costs more than the rest of the request. */
  override get signal(): AbortSignal {
    if (!this.leaving) {
      const leaving = new AbortController();
      const { incoming, response } = this;
      const abortUnlessSent = () => {
        if (!response.writableFinished) leaving.abort();
      };
      if (incoming.errored || response.destroyed) abortUnlessSent();
      else response.once("close", abortUnlessSent);
      this.leaving = leaving;
    }
    return this.leaving.signal;
  }
}

/** The body as it arrives. The rest of one that is not read to its end is discarded, so that the response is read. */
function bodyOf(request: IncomingMessage): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          // Its code is the same as that of a lost connection to the database.
          controller.error(new Error("The client has left."));
        }
      },
      async cancel() {
        await chunks.return?.();
        request.resume();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Sends a `Response` of the platform. */
export async function sendResponse(response: ServerResponse, answer: Response): Promise<void> {
  const { status, headers } = answer;
  response.statusCode = status;
  for (const [name, value] of headers)
    if (APPENDED.has(name)) response.appendHeader(name, value);
    else if (!response.hasHeader(name)) response.setHeader(name, value);
  if (answer instanceof WholeResponse) response.end(answer.content);
  else if (answer.body === null) response.end();
  else await pipeline(Readable.fromWeb(answer.body as WebStream), response);
}

type WebStream = Parameters<typeof Readable.fromWeb>[0];

/** They may have several values, some of which are set before a handler runs. */
const APPENDED = new Set(["vary", "set-cookie"]);
