import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { keepUnreadResponses } from "@/lib/health/unread-responses";

/** More than the system takes over at once. */
const SIZE = 30_000_000;

let stop = () => {};
test.beforeAll(() => {
  stop = keepUnreadResponses();
});
test.afterAll(() => stop());

test("a server that closes lets an answer be read to its end, and keeps no unused connection", async () => {
  const server = http.createServer((request, response) =>
    response.end(request.url === "/long" ? Buffer.alloc(SIZE) : "short"),
  );
  server.listen({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const get = async (path: string) => {
    const request = http.get({ agent, host: "127.0.0.1", port, path });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    return { answer, socket: answer.socket };
  };
  const short = await get("/short");
  short.answer.resume();
  await once(short.answer, "end");
  // On connections of their own: the first is unused from here on.
  const unused = once(short.socket, "close");
  const long = await new Promise<http.IncomingMessage>((resolve) => {
    http.get({ agent: false, host: "127.0.0.1", port, path: "/long" }, resolve);
  });
  const closed = once(server, "close");
  server.close();
  await unused;
  let bytes = 0;
  for await (const chunk of long) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(SIZE);
  await closed;
  agent.destroy();
});
