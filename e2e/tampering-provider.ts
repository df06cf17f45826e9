import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** Changes the text of a response. */
type Tampering = (answer: string) => string;

/** A working card provider whose responses a test can change. */
export interface TamperingProvider {
  url: string;
  /**
   * Changes the responses to these calls from now on; without `change` they pass unchanged again.
   *
   * @param call method and beginning of the path: "GET /v1/payment_intents/"
   */
  tamper(call: string, change?: Tampering): void;
  stop(): void;
}

/** A proxy between the shop and the card sandbox. */
export async function startTamperingProvider(target: string): Promise<TamperingProvider> {
  const tamperings = new Map<string, Tampering>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { host: _, connection: __, "content-length": ___, ...headers } = request.headers;
    const answer = await fetch(`${target}${request.url}`, {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const text = await answer.text();
    const call = `${request.method} ${request.url}`;
    const [, change] = [...tamperings].find(([beginning]) => call.startsWith(beginning)) ?? [];
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(change && answer.ok ? change(text) : text);
  });
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tamper: (call, change) => {
      if (change) tamperings.set(call, change);
      else tamperings.delete(call);
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
