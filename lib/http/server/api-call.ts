import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { EndpointMatch } from "@/lib/http/api/endpoints";
import { textOf } from "@/lib/http/api/text-response";
import type { Verb } from "@/lib/http/api/verbs";
import type { Step } from "@/lib/http/server/exchange";
import { log } from "@/lib/http/server/log";
import { withServerSpan } from "@/lib/http/server/server-span";
import { pathOf } from "@/lib/http/url";

// Calls of the API are answered by their handlers without Next.js, whose router and request objects
// take ten times as long as most handlers: docs/decisions/069.

/** Handlers read path and query of a URL, not its origin. */
const ORIGIN = "http://localhost";

/**
 * Answers calls of the endpoints. Paths that are spelt otherwise than the endpoint's (a slash at the end)
 * and those of next-auth go to Next.js.
 */
export const apiCall =
  (find: (path: string) => EndpointMatch | null): Step =>
  ({ request, response }, next) => {
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

async function answer({
  request,
  response,
  endpoint: { path, handlers, params },
}: {
  request: IncomingMessage;
  response: ServerResponse;
  endpoint: EndpointMatch;
}): Promise<void> {
  const handler = handlers[request.method as Verb];
  await withServerSpan({ request, response, route: path }, async () => {
    const context = { params: Promise.resolve(params) };
    await sendResponse(response, await handler(toRequest(request, response), context));
  });
}

/** The request as handlers read it. Its signal aborts when the client leaves. */
function toRequest(request: IncomingMessage, response: ServerResponse): Request {
  const { method = "GET", url = "/" } = request;
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined) headers.set(name, String(value));
  const controller = new AbortController();
  const { signal } = controller;
  const abort = () => controller.abort();
  response.once("close", () => {
    if (!response.writableFinished) abort();
  });
  const hasBody = method !== "GET" && method !== "HEAD";
  return new Request(`${ORIGIN}${url}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: bodyOf(request, { abort }), duplex: "half" }),
  });
}

/** The body as it arrives. The rest of one that is not read to its end is discarded, so that the response is read. */
function bodyOf(
  request: IncomingMessage,
  { abort }: { abort: () => void },
): ReadableStream<Uint8Array> {
  const chunks = request.iterator({ destroyOnReturn: false });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch {
          abort();
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
  const { status, headers, body } = answer;
  response.statusCode = status;
  for (const [name, value] of headers)
    if (APPENDED.has(name)) response.appendHeader(name, value);
    else if (!response.hasHeader(name)) response.setHeader(name, value);
  const text = textOf(answer);
  if (body === null || text !== undefined) response.end(text);
  else await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), response);
}

/** They may have several values, some of which are set before a handler runs. */
const APPENDED = new Set(["vary", "set-cookie"]);
