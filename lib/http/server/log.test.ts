import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "@playwright/test";

/** Writing to it fails as on a full disk. */
const FULL = "/dev/full";

test("a full disk loses lines of the log, but does not stop the process", async () => {
  test.skip(!existsSync(FULL), `This system has no ${FULL}.`);
  const program = `
    const { log } = await import("@/lib/http/server/log");
    for (let i = 0; i < 1_000; i++) log.error({ filler: "x".repeat(10_000) }, "line");
    setTimeout(() => process.stderr.write("alive"), 50);`;
  const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
    stdio: ["ignore", openSync(FULL, "w"), "pipe"],
  });
  const [errors, [code]] = await Promise.all([
    text(child.stderr as Readable),
    once(child, "close"),
  ]);
  expect([errors, code]).toEqual(["alive", 0]);
});
