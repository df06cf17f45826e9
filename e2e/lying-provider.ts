import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of an answer: the same text, or another one. */
type Distortion = (answer: string) => string;

/** A card provider that does its work, and may then say something else. */
export interface LyingProvider {
  url: string;
  /**
   * Distorts the answers to these calls from now on; without a distortion they are true again.
   *
   * @param call "GET" and "POST" with the beginning of the path: "GET /v1/payment_intents/"
   */
  lie(call: string, distort?: Distortion): void;
  stop(): void;
}

/** Stands between the shop and the card sandbox. */
export async function startLyingProvider(truth: string): Promise<LyingProvider> {
  const lies = new Map<string, Distortion>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(`${truth}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const call = `${request.method} ${request.url}`;
    const [, distort] = [...lies].find(([beginning]) => call.startsWith(beginning)) ?? [];
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(distort && answer.ok ? distort(text) : text);
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: (call, distort) => {
      if (distort) lies.set(call, distort);
      else lies.delete(call);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
