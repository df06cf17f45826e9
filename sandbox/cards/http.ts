import type { IncomingMessage, ServerResponse } from "node:http";
import { ApiError } from "@/sandbox/cards/api-error";

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

const MAX_BODY = 256 * 1024;

/** @throws ApiError (413) for more than 256 KiB */
export async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    // Keeps reading: otherwise the connection breaks before the client gets the 413.
    if (length <= MAX_BODY) chunks.push(chunk);
  }
  if (length > MAX_BODY)
    throw new ApiError({
      status: 413,
      type: "invalid_request_error",
      message: "La requête est trop grande.",
    });
  return Buffer.concat(chunks).toString("utf8");
}

export function jsonReply({ status = 200, value }: { status?: number; value: unknown }): Reply {
  return {
    status,
    headers: { "Content-Type": "application/json; charset=utf-8" },
    body: JSON.stringify(value),
  };
}

export function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response.writeHead(status, {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
    "Content-Length": Buffer.byteLength(body),
  });
  response.end(body);
}
