import { createServer } from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { ignoreUpgrades, setTimeouts } from "@/lib/http/server/connections";

/** What comes back on a connection on which `text` is sent and nothing more, until it is closed. */
async function answerTo(text: string): Promise<string> {
  const server = createServer({ connectionsCheckingInterval: 20 }, (request, response) => {
    request.on("error", () => undefined).resume();
    request.once("end", () => response.end());
  });
  setTimeouts(server, { headers: 50, request: 100, keepAlive: 5_000 });
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

test("a connection may stay unused for longer than a request may trickle in", async () => {
  const server = createServer({ connectionsCheckingInterval: 20 }, (_, response) => response.end());
  setTimeouts(server, { headers: 300, request: 300, keepAlive: 60_000 });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  let answers = "";
  socket.setEncoding("utf8").on("data", (part: string) => {
    answers += part;
  });
  for (let sent = 1; sent <= 2; sent++) {
    socket.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
    await expect.poll(() => answers.match(/HTTP\/1\.1 200 /g)?.length).toBe(sent);
    await delay(600);
  }
  expect(answers).toContain("Keep-Alive: timeout=60");
  expect(socket.closed).toBe(false);
  socket.destroy();
  await new Promise((resolve) => server.close(resolve));
});

test("the bounds are set once: for requests below Node.js's own, for idle connections above proxies'", () => {
  const server = createServer();
  const bounds = () => [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout];
  setTimeouts(server);
  expect(bounds()).toEqual([20_000, 120_000, 125_000]);
  setTimeouts(server, { headers: 1, request: 1, keepAlive: 1 });
  expect(bounds()).toEqual([20_000, 120_000, 125_000]);
});

test("who offers another protocol is answered in this one", async () => {
  const server = createServer((_, response) => response.end());
  // As Next.js does with what it knows nothing of.
  server.on("upgrade", () => undefined);
  ignoreUpgrades(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write(
    "GET / HTTP/1.1\r\nHost: shop\r\nConnection: Upgrade, close\r\nUpgrade: h2c\r\n\r\n",
  );
  let answer = "";
  for await (const part of socket.setEncoding("utf8")) answer += part;
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  await new Promise((resolve) => server.close(resolve));
});
