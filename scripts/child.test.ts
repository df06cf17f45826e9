import { rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { startNode } from "@/scripts/child";

const run = (script: string) => startNode({ args: ["-e", script], env: process.env });

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

test("a server stops despite a keep-alive connection", async () => {
  const child = run(`
    const http = require("node:http");
    const server = http.createServer((_, response) => setTimeout(() => response.end("ok"), 200));
    server.keepAliveTimeout = 60_000;
    server.listen(0, "127.0.0.1", () => {
      const agent = new http.Agent({ keepAlive: true });
      const { port } = server.address();
      const request = http.get({ port, host: "127.0.0.1", agent }, (answer) => answer.resume());
      // The connection is in use when the signal comes, and idle after it.
      request.once("socket", () => setTimeout(() => process.kill(process.pid, "SIGTERM"), 100));
    });
    process.once("SIGTERM", () => server.close(() => process.exit(7)));
  `);
  expect(await child.ended).toBe(7);
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
