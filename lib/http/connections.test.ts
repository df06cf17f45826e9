import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { expect, test } from "@playwright/test";
import { boundConnections } from "@/lib/http/connections";

/** What comes back on a connection on which `text` is sent and nothing more, until it is closed. */
async function answerTo(text: string): Promise<string> {
  const server = createServer({ connectionsCheckingInterval: 20 }, (request, response) => {
    request.on("error", () => undefined).resume();
    request.once("end", () => response.end());
  });
  boundConnections(server, { headers: 50, request: 100 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(text);
  let answer = "";
  for await (const part of socket.setEncoding("utf8")) answer += part;
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

test("a request whose headers or body do not come is ended with 408", async () => {
  const head = "POST / HTTP/1.1\r\nHost: shop\r\n";
  expect(await answerTo(head)).toMatch(/^HTTP\/1.1 408 /);
  expect(await answerTo(`${head}Content-Length: 9\r\n\r\nx`)).toMatch(/^HTTP\/1.1 408 /);
});

test("the bounds are set once and below Node.js's own", () => {
  const server = createServer();
  boundConnections(server);
  expect([server.headersTimeout, server.requestTimeout]).toEqual([20_000, 120_000]);
  boundConnections(server, { headers: 1, request: 1 });
  expect(server.headersTimeout).toBe(20_000);
});
