import { readFileSync, rmSync } from "node:fs";
import { isBuildFresh, NEXT } from "@/scripts/build";
import { requireChromium } from "@/scripts/chromium";
import { print, runCommand } from "@/scripts/command";
import { Services, startNode } from "@/scripts/services";

// Runs types, lint, build and tests up to the first step that fails. The last line of the output is
// "N passed, N failed", over all tests. A step without tests that fails counts as one failure.

/** The arguments of Node.js for each program of a step. */
interface Step {
  title: string;
  programs: () => readonly (readonly string[])[];
}

const types: Step = {
  title: "Types",
  // The types of routes and of `next-env.d.ts` are generated: a fresh checkout has none.
  programs: () => [
    [...NEXT, "typegen"],
    ["node_modules/typescript/bin/tsc", "--noEmit", "--incremental", "false"],
  ],
};

const lint: Step = {
  title: "Lint",
  programs: () => [
    ["--import", "tsx", "scripts/directions.ts"],
    ["node_modules/@biomejs/biome/bin/biome", "check"],
  ],
};

const build: Step = {
  title: "Build",
  programs: () => {
    if (!isBuildFresh()) return [["--import", "tsx", "scripts/build.ts"]];
    print("La boutique est déjà construite à partir de ces sources.");
    return [];
  },
};

/** Where playwright.config.ts writes its report. */
const REPORT = "test-results/results.json";

/** Playwright's tests; `args` name projects and files, as on its command line. */
const tests = (title: string, ...args: readonly string[]): Step => ({
  title,
  programs: () => {
    rmSync(REPORT, { force: true });
    if (args.includes("--project=ui")) process.env.CHROMIUM_PATH = requireChromium();
    return [["node_modules/@playwright/test/cli.js", "test", ...args]];
  },
});

const UNIT = "--project=unit";
const API = "--project=api";
const UI = "--project=ui";
const WALK = [UNIT, UI, String.raw`\.test\.ts$`, "e2e/ui/walk.spec.ts"];
const NODE = `Node.js ${process.versions.node}: unit tests, a walk through the shop`;

const PLANS: Record<string, readonly Step[]> = {
  /** npm run verify, before a commit. */
  verify: [types, lint, build, tests("Unit and API tests", UNIT, API)],
  /** npm test. One run of all tests keeps all workers busy. */
  test: [types, lint, build, tests("Unit, API and browser tests", UNIT, API, UI)],
  /** In .ci/run, on another version of Node.js than the installed one. */
  walk: [build, tests(NODE, ...WALK)],
  /** npm run test:node, before a release: what each supported version of Node.js has to pass. */
  node: [build, tests(`${NODE}, a crawl`, ...WALK, API, "e2e/api/memory.spec.ts")],
};

/** The results in Playwright's report; null without a report. */
function readReport(): { expected: number; unexpected: number } | null {
  try {
    return JSON.parse(readFileSync(REPORT, "utf8")).stats;
  } catch {
    return null;
  }
}

void runCommand(async () => {
  const services = new Services(130);
  const run = async ({ programs }: Step): Promise<number> => {
    for (const args of programs()) {
      const child = await services.start(() => startNode({ args }));
      const code = await child.ended;
      if (services.isShuttingDown) await services.shutDown(130);
      if (code !== 0) return code;
    }
    return 0;
  };
  rmSync(REPORT, { force: true });
  let code = 0;
  for (const step of PLANS[process.argv[2] ?? ""] ?? []) {
    console.log(`\n=== ${step.title} ===\n`);
    code = await run(step).catch((error: Error) => {
      console.error(error.message);
      return 1;
    });
    if (code === 0) continue;
    console.log(`\n=== ${step.title}: failed (exit code ${code}) ===`);
    break;
  }
  const { expected = 0, unexpected = 0 } = readReport() ?? {};
  console.log(`\n${expected} passed, ${unexpected || Number(code !== 0)} failed`);
  return code;
});
