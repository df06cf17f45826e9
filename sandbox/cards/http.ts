import type { ServerResponse } from "node:http";

export interface Reply {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}

export const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };

export function jsonReply(value: unknown, status = 200): Reply {
  return { status, headers: JSON_TYPE, body: JSON.stringify(value) };
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
