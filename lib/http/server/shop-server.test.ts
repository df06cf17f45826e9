import { once } from "node:events";
import http from "node:http";
import net, { type AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "@playwright/test";
import { ShopServer } from "@/lib/http/server/shop-server";

/** What comes back on a connection on which `text` is sent and nothing more, until it is closed. */
async function answerTo(text: string): Promise<string> {
  const server = new ShopServer({
    timeouts: { headers: 50, request: 100, keepAlive: 5_000, unread: 5_000 },
  });
  server.on("request", (request, response) => {
    request.on("error", () => undefined).resume();
    request.once("end", () => response.end());
  });
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

/** A connection to a server that answers before it has read the body. */
async function answeredEarly(unread: number) {
  const server = new ShopServer({
    timeouts: { headers: 5_000, request: 60_000, keepAlive: 60_000, unread },
  });
  server.on("request", (_, response) => response.writeHead(413).end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const socket = net.connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 9\r\n\r\nx");
  const [answer] = await once(socket.setEncoding("utf8"), "data");
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  return { socket, stop: () => new Promise((resolve) => server.close(resolve)) };
}

test("a client that does not send the rest of a refused body loses its connection", async () => {
  const { socket, stop } = await answeredEarly(100);
  await once(socket, "close");
  await stop();
});

test("a client that sends the rest of a refused body keeps its connection", async () => {
  const { socket, stop } = await answeredEarly(500);
  socket.write("23456789");
  await delay(800);
  socket.write("GET / HTTP/1.1\r\nHost: shop\r\n\r\n");
  const [answer] = await once(socket, "data");
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  socket.destroy();
  await stop();
});

test("an idle connection may last longer than the timeout of a request", async () => {
  const server = new ShopServer({
    timeouts: { headers: 300, request: 300, keepAlive: 60_000, unread: 5_000 },
  });
  server.on("request", (_, response) => response.end());
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

test("request timeouts are shorter than those of Node.js, idle ones longer than those of proxies", () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout } = new ShopServer();
  expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([20_000, 120_000, 125_000]);
});

test("a request for another protocol is answered over HTTP/1.1", async () => {
  const server = new ShopServer();
  server.on("request", (_, response) => response.end());
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

test("a search of 10,000 characters is read, longer headers are refused", async () => {
  const server = new ShopServer();
  server.on("request", (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const statusOf = async (length: number) => {
    const request = http.get({ port, host: "127.0.0.1", path: `/?a=${"a".repeat(length)}` });
    const [answer] = (await once(request, "response")) as [http.IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  expect([await statusOf(120_000), await statusOf(140_000)]).toEqual([200, 431]);
  await server.stop();
});

/** More than the system takes over at once. */
const SIZE = 30_000_000;

test("a stopping server finishes its responses, then closes idle connections", async () => {
  const server = new ShopServer();
  server.on("request", (request, response) =>
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
  // Each on a connection of its own: the first is not used any more.
  const unused = once(short.socket, "close");
  const long = await new Promise<http.IncomingMessage>((resolve) => {
    http.get({ agent: false, host: "127.0.0.1", port, path: "/long" }, resolve);
  });
  const closed = server.stop();
  let bytes = 0;
  for await (const chunk of long) bytes += (chunk as Buffer).length;
  expect(bytes).toBe(SIZE);
  await unused;
  await closed;
  agent.destroy();
});
