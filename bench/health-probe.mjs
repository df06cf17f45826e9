import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

// A thread that asks for the address in `workerData`, one request after the other, until it is sent a
// message; it answers with the milliseconds that each took: bench/bodies.ts.

/** Milliseconds between two requests. */
const PAUSE_MS = 10;

const times = [];
let isOver = false;
parentPort.once("message", () => {
  isOver = true;
});

async function ask() {
  const begin = performance.now();
  const response = await fetch(workerData);
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${workerData}: ${response.status}`);
  return performance.now() - begin;
}

await ask();
parentPort.postMessage("ready");
for (; !isOver; await delay(PAUSE_MS)) times.push(await ask());
parentPort.postMessage(times);
