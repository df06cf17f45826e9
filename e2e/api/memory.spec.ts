import { readFileSync } from "node:fs";
import net from "node:net";
import { text as textOf } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { ask } from "../answers";
import { expect, type Shop, test } from "../fixtures";

// The memory of the shop's process is bounded, whatever clients ask for and send.

test.skip(process.platform !== "linux", "/proc has the memory of a process and what it has loaded");

/** The largest memory (RSS) that the process has had, in MiB. */
function peakOf({ pid }: Shop): number {
  const [, kilobytes] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

/** MiB. */
const BOUND = 700;

const ADDRESSES = 5_000;

test("5,000 different addresses, eight at once, leave the memory bounded", async ({ shopWith }) => {
  // Twice the time that the test takes on a slow machine that is busy with other tests.
  test.setTimeout(600_000);
  // 400 stored pages of one kind, or what is kept of each of 5,000 requests, would fill this heap.
  const shop = await shopWith({ env: { NODE_OPTIONS: "--max-old-space-size=192" } });
  const kinds = [
    [404, (number: number) => `/product/${1_000_000 + number}`],
    [200, (number: number) => `/products?max_price=${1_000 + number}`],
    [200, (number: number) => `/?utm_source=${number}`],
    [200, (number: number) => `/product/34?utm_source=${number}`],
    [404, (number: number) => `/rien/${number}`],
  ] as const;
  let next = 0;
  const wrong: string[] = [];
  const crawl = async () => {
    while (next < ADDRESSES) {
      const number = next++;
      const [expected, pathOf] = kinds[number % kinds.length] ?? kinds[0];
      const path = pathOf(number);
      const { status } = await ask(shop.baseURL, { path });
      if (status !== expected) wrong.push(`${path}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, crawl));
  expect(wrong).toEqual([]);
  expect(peakOf(shop)).toBeLessThan(BOUND);
});

test("400 unfinished bodies are refused, and leave the memory bounded", async ({ shopWith }) => {
  const shop = await shopWith({ database: "shared" });
  const { hostname, port } = new URL(shop.baseURL);
  const health = () => ask(shop.baseURL, { path: "/api/health" });
  expect((await health()).status).toBe(200);
  const text =
    `POST /api/stripe/webhook HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
    `Stripe-Signature: t=${Math.floor(Date.now() / 1000)},v1=${"0".repeat(64)}\r\n` +
    `Content-Length: 250000\r\n\r\n${"x".repeat(249_000)}`;
  let answered = "";
  const sockets = Array.from({ length: 400 }, () => {
    const socket = net.connect(Number(port), hostname, () => socket.write(text));
    socket.on("error", () => undefined);
    socket.once("data", (bytes) => {
      answered += `${bytes.subarray(9, 12)} `;
    });
    return socket;
  });
  const stalled = net.connect(Number(port), hostname, () =>
    stalled.write(
      `POST /api/contact HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n` +
        `Content-Length: 60000\r\n\r\n${"x".repeat(20_000)}`,
    ),
  );
  const refusal = textOf(stalled);
  while (answered.split(" ").length <= 400) {
    expect((await health()).status).toBe(200);
    await delay(200);
  }
  // The rest of the bodies has not come in time.
  expect(new Set(answered.trim().split(" "))).toEqual(new Set(["408"]));
  expect(await refusal).toMatch(/^HTTP\/1\.1 408 /);
  expect(await refusal).toMatch(/\r\nConnection: close\r\n/i);
  expect(await refusal).toContain("La suite de votre envoi n'est pas arrivée. Réessayez.");
  expect(peakOf(shop)).toBeLessThan(BOUND);
  for (const socket of sockets) socket.destroy();
});
