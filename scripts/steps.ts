import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { type NodeChild, startNode } from "@/scripts/child";
import { requireChromium } from "@/scripts/chromium";
import { print, ROOT } from "@/scripts/command";
import { isBuildFresh, startBuild } from "@/scripts/fresh-build";
import { Services } from "@/scripts/services";

/** Test counts; `flaky` tests passed on retry and count as passed. */
interface Tally {
  passed: number;
  failed: number;
  flaky: number;
}

const NONE: Tally = { passed: 0, failed: 0, flaky: 0 };

export interface Step {
  title: string;
  /** Runs the step's programs through `start` and returns the exit code. */
  run: (start: (begin: () => NodeChild) => Promise<number>) => Promise<number>;
  /** The step's test results. */
  tally?: () => Tally;
}

/** Where playwright.config.ts writes its report. */
const REPORT = path.join(ROOT, "test-results/results.json");

const program = (file: string) => path.join(ROOT, "node_modules", file);

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
    stats: { expected: number; unexpected: number; flaky: number };
  };
  const { expected, unexpected, flaky } = stats;
  return { passed: expected + flaky, failed: unexpected, flaky };
}

function playwright({ title, projects }: { title: string; projects: readonly string[] }): Step {
  return {
    title,
    run: (start) => {
      rmSync(REPORT, { force: true });
      const env: Record<string, string> = {};
      if (projects.includes("ui")) env.CHROMIUM_PATH = requireChromium();
      const args = [program("@playwright/test/cli.js"), "test"];
      for (const project of projects) args.push(`--project=${project}`);
      return start(() => node({ args, env, isGuarded: false }));
    },
    tally: readReport,
  };
}

const types: Step = {
  title: "Types",
  // The types of routes and of `next-env.d.ts` are generated: a fresh checkout has none.
  run: async (start) =>
    (await start(() => node({ args: [program("next/dist/bin/next"), "typegen"] }))) ||
    (await start(() => node({ args: [program("typescript/bin/tsc"), "--noEmit"] }))),
};

const lint: Step = {
  title: "Lint",
  run: (start) => start(() => node({ args: [program("@biomejs/biome/bin/biome"), "check"] })),
};

const build: Step = {
  title: "Build",
  run: async (start) => {
    if (!isBuildFresh()) return start(startBuild);
    print("La boutique est déjà construite à partir de ces sources.");
    return 0;
  },
};

/** Types, lint, unit and API tests. Both kinds of tests may run the built shop. */
export const verifySteps: readonly Step[] = [
  types,
  lint,
  build,
  playwright({ title: "Unit and API tests", projects: ["unit", "api"] }),
];

export const testSteps: readonly Step[] = [
  ...verifySteps,
  playwright({ title: "Browser tests", projects: ["ui"] }),
];

/** The test results; the last line is "N passed, N failed". */
export function summaryOf({ passed, failed, flaky }: Tally): string {
  const last = `${passed} passed, ${failed} failed`;
  return flaky === 0 ? last : `${flaky} flaky: passed at the second try only\n${last}`;
}

/**
 * Runs the steps one after the other, up to the first that fails. The last line of its output is
 * "N passed, N failed", over all tests; a step that failed for another reason counts as one.
 *
 * @returns the exit code of the step that failed, else 0
 */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  const services = new Services(130);
  const start = async (begin: () => NodeChild) => {
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
    total.flaky += tally.flaky;
    if (exitCode !== 0) {
      if (tally.failed === 0) total.failed += 1;
      console.log(`\n=== ${step.title}: failed (exit code ${exitCode}) ===`);
      break;
    }
  }
  console.log(`\n${summaryOf(total)}`);
  return exitCode;
}
