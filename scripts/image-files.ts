import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@/scripts/command";

// Reads and lints Dockerfile and compose.yaml, for checks without Docker.

/** The arguments of the last instruction of that name, with continuation lines joined. */
function instruction(name: string): string {
  const dockerfile = readFileSync(path.join(ROOT, "Dockerfile"), "utf8");
  const lines = dockerfile.replaceAll(/\\\n\s*/g, "").split("\n");
  const found = lines.findLast((line) => line.startsWith(`${name} `));
  if (!found) throw new Error(`The Dockerfile has no ${name}.`);
  return found.slice(name.length + 1);
}

/** The image's CMD. */
export const imageCommand = () => JSON.parse(instruction("CMD")) as string[];

/** The image's ENV. */
export function imageEnv(): Record<string, string> {
  const pairs = instruction("ENV").matchAll(/(\w+)=(\S+)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}

/** @throws where a linter rejects one of the two files; its output is in the error */
export function lintImageFiles(): void {
  for (const [linter, ...args] of [
    ["dockerfile-utils", "lint", "Dockerfile"],
    ["dclint", "--quiet", "compose.yaml"],
  ] as const) {
    execFileSync(path.join(ROOT, "node_modules/.bin", linter), args, { cwd: ROOT, stdio: "pipe" });
  }
}
