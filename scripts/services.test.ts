import { expect, test } from "@playwright/test";
import { startNode } from "@/scripts/services";

const run = (script: string) => startNode({ args: ["-e", script] });

test("a program gives its exit code, whether it ends, crashes or is stopped", async () => {
  expect(await run("process.exitCode = 3").ended).toBe(3);
  expect(await run("process.kill(process.pid, 'SIGKILL')").ended).toBe(137);
  const child = run("setInterval(() => {}, 1e6)");
  await child.stop({ isForced: false });
  expect(await child.ended).toBe(143);
  await child.stop({ isForced: true });
});
