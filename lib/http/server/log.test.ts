import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { expect, test } from "@playwright/test";

/** Writing to it fails as on a full disk. */
const FULL = "/dev/full";

test("a full disk loses lines of the log, but does not stop the process", async () => {
  test.skip(!existsSync(FULL), `This system has no ${FULL}.`);
  const program = `
    const { log } = await import("@/lib/http/server/log");
    for (let i = 0; i < 1_000; i++) log.error({ filler: "x".repeat(10_000) }, "line");
    setTimeout(() => process.stderr.write("alive"), 50);`;
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--input-type=module", "--eval", program],
    { stdio: ["ignore", openSync(FULL, "w"), "pipe"] },
  );
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const [code] = await once(child, "close");
  expect(errors).toBe("alive");
  expect(code).toBe(0);
});
