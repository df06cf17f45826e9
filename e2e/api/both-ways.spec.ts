import { once } from "node:events";
import net from "node:net";
import { EMPTY_DOCUMENT } from "@/lib/workarounds/empty-documents";
import { compareServers } from "../answers";
import { expect, test } from "../fixtures";
import { startNextAlone } from "../shop-process";

// A serverless host runs Next.js without server.mjs: the answers are the same.

test("one table of requests is answered the same by the server and by Next.js alone", async ({
  shopWith,
}) => {
  test.setTimeout(500_000);
  const shop = await shopWith();
  const alone = await startNextAlone(shop.env);
  try {
    const servers = { "next start": alone.baseURL, "server.mjs": shop.baseURL };
    expect(await compareServers(servers, shop.baseURL)).toEqual([]);
    // Only server.mjs knows which requests come from this machine.
    expect((await fetch(`${alone.baseURL}/mailbox`)).status).toBe(404);
    expect((await fetch(`${shop.baseURL}/mailbox`)).status).toBe(200);
  } finally {
    await alone.stop();
  }
});

test("Next.js still sends an empty document for a 404: if not, remove the workaround", async ({
  api,
}) => {
  const { status, text } = await api.get("/products?search=tasse&page=900");
  expect(status).toBe(404);
  expect(text.slice(0, 60)).toContain(EMPTY_DOCUMENT);
});

test("a client that disconnects in the middle of a body causes no error", async ({ api, shop }) => {
  const isAlive = async () => (await api.post("/api/contact", { json: {} })).status === 422;
  expect(await isAlive()).toBe(true);
  const { hostname, port } = new URL(shop.baseURL);
  const before = shop.log().length;
  const head =
    "POST /api/contact HTTP/1.1\r\nHost: shop.test\r\nContent-Type: application/json\r\n";
  for (let i = 0; i < 20; i++) {
    const socket = net.connect(Number(port), hostname);
    socket.write(`${head}Content-Length: 1000\r\n\r\n{`, () => socket.destroy());
    await once(socket, "close");
  }
  expect(await isAlive()).toBe(true);
  expect(shop.log().slice(before)).toBe("");
});
