import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type NodeChild, startNode } from "@/scripts/child";
import { requireChromium } from "@/scripts/chromium";
import { print, ROOT, runCommand } from "@/scripts/command";
import { isBuildFresh, startBuild } from "@/scripts/fresh-build";
import { NEXT_PROGRAM } from "@/scripts/server-program";
import { Services } from "@/scripts/services";

// Types, lint, build and tests, one after the other: `node --import tsx scripts/steps.ts verify`.

interface Tally {
  passed: number;
  failed: number;
}

const NONE: Tally = { passed: 0, failed: 0 };

interface Step {
  title: string;
  /** Runs the step's programs through `start` and returns the exit code. */
  run: (start: (begin: () => NodeChild | Promise<NodeChild>) => Promise<number>) => Promise<number>;
  /** The step's test results. */
  tally?: () => Tally;
}

/** Where playwright.config.ts writes its report. */
const REPORT = path.join(ROOT, "test-results/results.json");

const PACKAGES = path.join(ROOT, "node_modules");
const TSC = path.join(PACKAGES, "typescript/bin/tsc");

function node({
  args,
  env = {},
  isGuarded,
}: {
  args: readonly string[];
  env?: Record<string, string>;
  isGuarded?: boolean;
}): NodeChild {
  return startNode({ args, env: { ...process.env, ...env }, isGuarded });
}

function readReport(): Tally {
  const { stats } = JSON.parse(readFileSync(REPORT, "utf8")) as {
    stats: { expected: number; unexpected: number };
  };
  return { passed: stats.expected, failed: stats.unexpected };
}

/** Runs Playwright's tests; `args` name projects and files, as on its command line. */
function tests({ title, args }: { title: string; args: readonly string[] }): Step {
  return {
    title,
    run: (start) => {
      rmSync(REPORT, { force: true });
      const env: Record<string, string> = {};
      if (args.includes("--project=ui")) env.CHROMIUM_PATH = requireChromium();
      const program = path.join(PACKAGES, "@playwright/test/cli.js");
      return start(() => node({ args: [program, "test", ...args], env, isGuarded: false }));
    },
    tally: readReport,
  };
}

const types: Step = {
  title: "Types",
  // The types of routes and of `next-env.d.ts` are generated: a fresh checkout has none.
  run: async (start) => {
    return (
      (await start(() => node({ args: [...NEXT_PROGRAM, "typegen"] }))) ||
      (await start(() => node({ args: [TSC, "--noEmit", "--incremental", "false"] })))
    );
  },
};

const lint: Step = {
  title: "Lint",
  run: async (start) =>
    (await start(() => node({ args: ["--import", "tsx", "scripts/directions.ts"] }))) ||
    (await start(() => node({ args: [path.join(PACKAGES, "@biomejs/biome/bin/biome"), "check"] }))),
};

const build: Step = {
  title: "Build",
  run: async (start) => {
    if (!isBuildFresh()) return start(startBuild);
    print("La boutique est déjà construite à partir de ces sources.");
    return 0;
  },
};

const WALK = ["--project=unit", "--project=ui", String.raw`\.test\.ts$`, "e2e/ui/walk.spec.ts"];

const PLANS = {
  /** npm run verify, before a commit. Both kinds of tests may run the built shop. */
  verify: [
    types,
    lint,
    build,
    tests({ title: "Unit and API tests", args: ["--project=unit", "--project=api"] }),
  ],
  /** npm test: the browser tests, too, in one run, so that no worker waits for the end of another kind. */
  test: [
    types,
    lint,
    build,
    tests({
      title: "Unit, API and browser tests",
      args: ["--project=unit", "--project=api", "--project=ui"],
    }),
  ],
  /** In .ci/run, on another version of Node.js than the installed one. */
  walk: [
    build,
    tests({
      title: `Node.js ${process.versions.node}: unit tests and a walk through the shop`,
      args: WALK,
    }),
  ],
  /** npm run test:node, before a release: what each supported version of Node.js has to pass. */
  node: [
    build,
    tests({
      title: `Node.js ${process.versions.node}: unit tests, a walk through the shop, a crawl`,
      args: [...WALK, "--project=api", "e2e/api/memory.spec.ts"],
    }),
  ],
} satisfies Record<string, readonly Step[]>;

/**
 * Runs the steps one after the other, up to the first that fails. The last line of its output is
 * "N passed, N failed", over all tests; a step that failed for another reason counts as one.
 *
 * @returns the exit code of the step that failed, else 0
 */
async function runSteps(steps: readonly Step[]): Promise<number> {
  const services = new Services(130);
  const start = async (begin: () => NodeChild | Promise<NodeChild>) => {
    const child = await services.start(async () => begin());
    const code = await child.ended;
    return services.isShuttingDown ? services.shutDown(130) : code;
  };
  const total = { ...NONE };
  let exitCode = 0;
  for (const step of steps) {
    console.log(`\n=== ${step.title} ===\n`);
    let tally = NONE;
    try {
      exitCode = await step.run(start);
      if (step.tally) tally = step.tally();
    } catch (error) {
      console.error(error instanceof Error ? error.message : error);
      exitCode ||= 1;
    }
    total.passed += tally.passed;
    total.failed += tally.failed;
    if (exitCode !== 0) {
      if (tally.failed === 0) total.failed += 1;
      console.log(`\n=== ${step.title}: failed (exit code ${exitCode}) ===`);
      break;
    }
  }
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  return exitCode;
}

void runCommand(() => runSteps(PLANS[process.argv[2] as keyof typeof PLANS]));
