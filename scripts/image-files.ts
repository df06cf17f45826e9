import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "@/scripts/command";

// What Dockerfile and compose.yaml say, for those who check it without Docker.

/** The last instruction of that name, in one line. */
function instruction(name: string): string {
  const dockerfile = readFileSync(path.join(ROOT, "Dockerfile"), "utf8");
  const lines = dockerfile.replaceAll(/\\\n\s*/g, "").split("\n");
  const found = lines.findLast((line) => line.startsWith(`${name} `));
  if (!found) throw new Error(`The Dockerfile has no ${name}.`);
  return found.slice(name.length + 1);
}

/** What the image runs: the program and its arguments. */
export const imageCommand = () => JSON.parse(instruction("CMD")) as string[];

/** The variables that the image sets. */
export function imageEnv(): Record<string, string> {
  const pairs = instruction("ENV").matchAll(/(\w+)=(\S+)/g);
  return Object.fromEntries([...pairs].map(([, name = "", value = ""]) => [name, value]));
}

/** @throws where one of the two files is not well-formed; the linter has said why */
export function lintImageFiles(): void {
  for (const [linter, ...args] of [
    ["dockerfile-utils", "lint", "Dockerfile"],
    ["dclint", "--quiet", "compose.yaml"],
  ] as const) {
    execFileSync(path.join(ROOT, "node_modules/.bin", linter), args, { cwd: ROOT, stdio: "pipe" });
  }
}
