import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startNode } from "@/scripts/services";

const run = (script: string) => startNode({ args: ["-e", script] });

test("a program that ends gives its exit code", async () => {
  expect(await run("0").ended).toBe(0);
  expect(await run("process.exitCode = 3").ended).toBe(3);
  expect(await run("process.kill(process.pid, 'SIGKILL')").ended).toBe(137);
});

test("a program that keeps running is stopped", async () => {
  const child = run("setInterval(() => {}, 1e6)");
  await child.stop({ isForced: false });
  expect(await child.ended).toBe(143);
  await child.stop({ isForced: true });
});

test("a program's own workers keep their IPC channels", async () => {
  const file = path.join(tmpdir(), `mini-ecommerce-worker-${process.pid}.cjs`);
  writeFileSync(file, "process.on('message', () => process.exit(5)); process.send('ready');");
  const child = run(`
    const worker = require("node:child_process").fork(${JSON.stringify(file)});
    // Idle for a moment, kept alive by nothing but its channel.
    worker.once("message", () => setTimeout(() => worker.connected && worker.send("end"), 300));
    worker.once("exit", (code) => process.exit(code));
  `);
  expect(await child.ended).toBe(5);
  rmSync(file);
});
